"""JSON Schema 2020-12 from the contract's dataclasses: flat, without oneOf (WIRE-41, WIRE-42).

What the host or a model sends is closed (`additionalProperties: false`); what the daemon sends may grow.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

from blitzweb.contract.codec import encode
from blitzweb.contract.shapes import Member, Shape, members

Schema = dict[str, Any]
Refer = Callable[[type[Any]], Schema]


def inline_schema(cls: type[Any], *, closed: bool) -> Schema:
    """Return the schema of a dataclass with everything in it, for those who resolve no references."""
    return _record(cls, closed=closed, refer=lambda inner: inline_schema(inner, closed=closed), lean=True)


def outline_schema(cls: type[Any]) -> Schema:
    """Return only the names and types of a dataclass's members; the whole is in protocol/schema.json (WIRE-30)."""
    return {"type": "object", "properties": {part.name: _kinds(part.shape) for part in members(cls)}}


def definitions(roots: Iterable[tuple[type[Any], bool]], *, prefix: str) -> dict[str, Schema]:
    """Return the schemas of dataclasses and of all that they hold, by class name.

    Args:
        roots: each class, and whether it is closed; what a closed one holds is closed too.
        prefix: where the definitions will stand, such as `#/$defs/`.
    """
    found: dict[str, Schema] = {}
    for cls, closed in sorted(roots, key=lambda root: not root[1]):
        _define(cls, closed=closed, prefix=prefix, found=found)
    return dict(sorted(found.items()))


def reference(cls: type[Any], prefix: str) -> Schema:
    """Return a reference to a class's definition."""
    return {"$ref": prefix + cls.__name__}


def member_schema(member: Member, refer: Refer, *, closed: bool, lean: bool) -> Schema:
    """Return the schema of one member, with its description and its default.

    Args:
        member: what is described.
        refer: how to name the schema of a dataclass.
        closed: whether it is part of what a host or a model sends.
        lean: leave out the defaults that a model would guess; generators of types need them all.
    """
    schema = _value(member.shape, refer)
    if member.about:
        schema["description"] = member.about
    if lean:
        if closed and isinstance(member.default, str | int | float) and member.default:
            schema["default"] = member.default
    elif not member.required and member.default is not None:
        schema["default"] = {} if member.shape.record is not None else encode(member.default)
    return schema


def _define(cls: type[Any], *, closed: bool, prefix: str, found: dict[str, Schema]) -> None:
    if cls.__name__ in found:
        return
    found[cls.__name__] = {}  # taken, before what it holds is looked at

    def refer(inner: type[Any]) -> Schema:
        _define(inner, closed=closed, prefix=prefix, found=found)
        return reference(inner, prefix)

    about = {"description": inspect.cleandoc(cls.__doc__ or "").split("\n\n")[0]}
    found[cls.__name__] = about | _record(cls, closed=closed, refer=refer, lean=False)


def _record(cls: type[Any], *, closed: bool, refer: Refer, lean: bool) -> Schema:
    parts = members(cls)
    schema: Schema = {"type": "object"}
    schema["properties"] = {part.name: member_schema(part, refer, closed=closed, lean=lean) for part in parts}
    if required := [part.name for part in parts if part.required]:
        schema["required"] = required
    if closed:
        schema["additionalProperties"] = False
    return schema


def _value(shape: Shape, refer: Refer) -> Schema:
    if shape.record is not None:
        return refer(shape.record)
    schema = _kinds(shape)
    if shape.choices:
        schema["enum"] = list(shape.choices)
    if shape.item is not None:
        schema["items"] = _value(shape.item, refer)
    if shape.entry is not None and shape.entry != Shape():
        schema["additionalProperties"] = _value(shape.entry, refer)
    return schema | _limits(shape)


def _kinds(shape: Shape) -> Schema:
    if not shape.kinds:
        return {}
    return {"type": shape.kinds[0] if len(shape.kinds) == 1 else list(shape.kinds)}


def _limits(shape: Shape) -> Schema:
    what = "Items" if "array" in shape.kinds else "Length"
    limits = {
        "minimum": shape.least,
        "maximum": shape.most,
        f"min{what}": shape.shortest or None,
        f"max{what}": shape.longest,
    }
    return {name: limit for name, limit in limits.items() if limit is not None}
