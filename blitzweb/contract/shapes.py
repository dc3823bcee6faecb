"""What a dataclass of the contract says about itself: its members, and the shape of each as JSON knows it.

One reader of annotations; the codec and the schema both work from what it returns, so that they cannot disagree.
A member is written `name: Annotated[int, Range(1, 20), "what it is"] = 5`: a marker for each limit, a text for the
description, a default where the member is optional. `None` as default means: left out when absent.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass, replace
from enum import Enum
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints


@dataclass(frozen=True, slots=True)
class Range:
    """Marks the least and the most that a number may be."""

    least: float | None = None
    most: float | None = None


@dataclass(frozen=True, slots=True)
class Length:
    """Marks how many characters a text, or how many items a list may have."""

    least: int = 0
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Folded:
    """Marks a choice that is trimmed and lower-cased before it is compared."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What one JSON value may be. Flat, as the schema is: what does not apply to its `kinds` is left at its default."""

    kinds: tuple[str, ...] = ()  # JSON types; none means anything
    choices: tuple[str, ...] = ()  # the closed list of a text
    values: type[Enum] | None = None  # what the choices stand for
    folded: bool = False
    least: float | None = None
    most: float | None = None
    shortest: int = 0
    longest: int | None = None
    item: Shape | None = None  # of a list
    entry: Shape | None = None  # of an object with free names
    record: type[Any] | None = None  # of an object with fixed names


@dataclass(frozen=True, slots=True)
class Member:
    """One member of an object with fixed names."""

    name: str
    shape: Shape
    required: bool
    default: Any
    about: str


_READ: dict[type[Any], tuple[Member, ...]] = {}  # what was read once; two threads that race read the same


def members(cls: type[Any]) -> tuple[Member, ...]:
    """Return the members of a dataclass, in their order."""
    if cls not in _READ:
        hints = get_type_hints(cls, include_extras=True)
        _READ[cls] = tuple(_member(entry, hints[entry.name]) for entry in fields(cls))
    return _READ[cls]


def _member(entry: Field[Any], hint: Any) -> Member:
    made = entry.default_factory() if entry.default_factory is not MISSING else entry.default
    required = made is MISSING
    return Member(entry.name, _shape(hint), required, None if required else made, _about(hint))


def _about(hint: Any) -> str:
    return next((note for note in getattr(hint, "__metadata__", ()) if isinstance(note, str)), "")


def _shape(hint: Any) -> Shape:
    if get_origin(hint) is Annotated:
        inner, *notes = get_args(hint)
        return _marked(_shape(inner), notes)
    if hint in _PLAIN:
        return Shape(kinds=_PLAIN[hint])
    if is_dataclass(hint):
        return Shape(kinds=("object",), record=hint)  # type: ignore[arg-type]
    if isinstance(hint, type) and issubclass(hint, Enum):
        return Shape(kinds=("string",), choices=tuple(choice.value for choice in hint), values=hint)
    return _generic(hint)


def _generic(hint: Any) -> Shape:
    origin, inner = get_origin(hint), get_args(hint)
    if origin in {Union, types.UnionType}:
        return _either([_shape(part) for part in inner if part is not type(None)])
    if origin is Literal:
        return Shape(kinds=("string",), choices=inner)
    if origin is tuple:
        return Shape(kinds=("array",), item=_shape(inner[0]))
    if origin is Mapping:
        return Shape(kinds=("object",), entry=_shape(inner[1]))
    raise TypeError(f"the contract has no shape for {hint!r}")


def _either(shapes: list[Shape]) -> Shape:
    """Join alternatives of different JSON types; flat, since none of them limits another's type."""
    joined = shapes[0]
    for shape in shapes[1:]:
        joined = replace(joined, kinds=joined.kinds + shape.kinds, item=joined.item or shape.item)
    return joined


def _marked(shape: Shape, notes: list[Any]) -> Shape:
    for note in notes:
        if isinstance(note, Range):
            shape = replace(shape, least=note.least, most=note.most)
        elif isinstance(note, Length):
            shape = replace(shape, shortest=note.least, longest=note.most)
        elif isinstance(note, Folded):
            shape = replace(shape, folded=True)
    return shape


_PLAIN: dict[Any, tuple[str, ...]] = {
    str: ("string",),
    int: ("integer",),
    float: ("number",),
    bool: ("boolean",),
    Any: (),
}
