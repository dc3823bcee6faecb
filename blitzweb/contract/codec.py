"""JSON to the contract's dataclasses and back: strict one way, lean the other.

`decode` refuses what the shape does not allow and says where, what was given, and what is taken. It knows nothing of
errors to hosts or models: it raises `Misfit`, and the caller says whose mistake that was (WIRE-27, WIRE-31, WIRE-40).
"""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, TypeVar

from blitzweb.contract.shapes import Member, Shape, members

T = TypeVar("T")

_SHOWN_CHARS = 60  # of a wrong value, in a message


class Misfit(Exception):
    """A value does not fit its shape; `path` is where, `problem` is what is wrong and what is allowed."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path} {problem}")
        self.path = path
        self.problem = problem


def decode(cls: type[T], value: object, *, where: str) -> T:
    """Return `value` as an instance of the dataclass `cls`.

    Args:
        cls: a dataclass of the contract.
        value: parsed JSON.
        where: what the value is called in messages, such as `params`.

    Raises:
        Misfit: an unknown or missing member, a wrong type, a number out of range, a word that is no choice.
    """
    if not isinstance(value, dict):
        raise Misfit(where, f"is an object, not {_show(value)}")
    table = {member.name: member for member in members(cls)}
    for name in value:
        if name not in table:
            raise Misfit(where, _unknown(name, table))
    return cls(**{name: _read(member, value, where) for name, member in table.items()})


def encode(value: Any) -> Any:
    """Return a contract instance (or anything inside one) as JSON: `None` is left out, enums are their values."""
    if is_dataclass(value) and not isinstance(value, type):
        named = ((entry.name, getattr(value, entry.name)) for entry in fields(value))
        return {name: encode(part) for name, part in named if part is not None}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {name: encode(part) for name, part in value.items()}
    if isinstance(value, tuple | list):
        return [encode(part) for part in value]
    return value


def _read(member: Member, value: Mapping[str, object], where: str) -> Any:
    path = f"{where}.{member.name}"
    if member.name in value:
        return _take(member.shape, value[member.name], path)
    if member.required:
        raise Misfit(path, f"is missing; it takes {_wanted(member.shape)}")
    return member.default


def _take(shape: Shape, value: object, path: str) -> Any:
    kind = _kind(value)
    if shape.kinds and kind not in shape.kinds and not (kind == "integer" and "number" in shape.kinds):
        raise Misfit(path, f"takes {_wanted(shape)}, not {_show(value)}")
    if isinstance(value, str):
        return _take_text(shape, value, path)
    if isinstance(value, list):
        return _take_list(shape, value, path)
    if isinstance(value, dict):
        return _take_object(shape, value, path)
    if kind in {"integer", "number"}:
        return _take_number(shape, value, path)
    return value


def _take_text(shape: Shape, text: str, path: str) -> Any:
    if shape.choices:
        word = text.strip().lower() if shape.folded else text
        if word not in shape.choices:
            raise Misfit(path, f"takes {_wanted(shape)}, not {_show(text)}{_near(word, shape.choices)}")
        return shape.values(word) if shape.values else word
    _check_length(shape, len(text), "characters", path)
    return text


def _take_list(shape: Shape, items: list[Any], path: str) -> Any:
    if shape.item is None:
        return items
    if shape.kinds == ("array",):
        _check_length(shape, len(items), "items", path)
    return tuple(_take(shape.item, item, f"{path}[{place}]") for place, item in enumerate(items))


def _take_object(shape: Shape, value: dict[str, Any], path: str) -> Any:
    if shape.record is not None:
        return decode(shape.record, value, where=path)
    if shape.entry is not None:
        return {name: _take(shape.entry, part, f"{path}.{name}") for name, part in value.items()}
    return value


def _take_number(shape: Shape, value: Any, path: str) -> Any:
    low = shape.least is not None and value < shape.least
    high = shape.most is not None and value > shape.most
    if low or high or (isinstance(value, float) and not math.isfinite(value)):
        raise Misfit(path, f"takes {_wanted(shape)}, not {_show(value)}")
    return value


def _check_length(shape: Shape, count: int, what: str, path: str) -> None:
    if count < shape.shortest:
        raise Misfit(path, f"takes at least {shape.shortest} {what}, not {count}")
    if shape.longest is not None and count > shape.longest:
        raise Misfit(path, f"takes at most {shape.longest} {what}, not {count}")


def _kind(value: object) -> str:
    return next((name for types, name in _KINDS if isinstance(value, types)), "null")


def _wanted(shape: Shape) -> str:
    """Say in words what a shape takes."""
    if shape.choices:
        return "one of " + ", ".join(shape.choices)
    names = " or ".join(_WORDS[kind] for kind in shape.kinds) or "any value"
    return names + _between(shape.least, shape.most)


def _between(least: float | None, most: float | None) -> str:
    if least is not None and most is not None:
        return f" from {least} to {most}"
    if least is not None:
        return f" from {least} up"
    return f" up to {most}" if most is not None else ""


def _show(value: object) -> str:
    """Name a wrong value so that its sender recognises it; structures by their type alone."""
    if isinstance(value, dict | list):
        return _WORDS[_kind(value)]
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > _SHOWN_CHARS:
        return "a number of that size"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…"


def _unknown(name: str, known: Iterable[str]) -> str:
    names = list(known)
    near = _near(name, names)
    if near or not names:
        return f"has no member {_show(name)}{near}"
    return f"has no member {_show(name)}; its members are " + ", ".join(names)


def _near(word: str, words: Iterable[str]) -> str:
    if len(word) > _SHOWN_CHARS:  # nothing of ours is that long, and comparing costs by length
        return ""
    near = difflib.get_close_matches(word, list(words), n=1)
    return f"; did you mean {_show(near[0])}?" if near else ""


# bool before int, since True is an int to Python and none to JSON.
_KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "boolean"),
    (int, "integer"),
    (float, "number"),
    (str, "string"),
    (list, "array"),
    (dict, "object"),
)

_WORDS = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
}
