"""A method or a tool for people: what it takes, of which type, with which default and limits, and an example.

Values only.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from typing import Any

from blitzweb.console.catalogue import Entry, Parameter, Schema

Row = tuple[str, str, str, str]
HEADS = ("name", "type", "default", "")

_TYPES = {"string": "text", "boolean": "true or false", "null": "null", "object": "object", "array": "list"}

# Values for the example, by the member's name; else the first choice, the least number, or a word for the type.
_EXAMPLES: dict[str, Any] = {
    "url": "https://example.com/",
    "query": "blitz chess openings",
    "terms": "blitz chess openings",
    "pattern": "opening",
    "ref_id": "web-1",
    "session": "default",
    "protocol_version": 1,
    "name": "web_fetch",
    "settings": {"web": {"allow_domains": ["example.com"]}},
    "messages": [{"number": 1, "role": "user", "text": "hello"}],
}


def parameter_rows(parameters: Sequence[Parameter], depth: int = 0) -> Iterator[Row]:
    """Yield a row for each parameter, and below it, indented, one for each member of an object."""
    for parameter in parameters:
        schema = parameter.schema
        yield (
            "  " * depth + parameter.name,
            type_words(schema),
            "required" if parameter.required else _default(schema),
            str(schema.get("description", "")),
        )
        inner = schema.get("items", schema) if schema.get("type") == "array" else schema
        required = inner.get("required", ())
        members = inner.get("properties", {}).items()
        yield from parameter_rows(
            [Parameter(name=name, schema=part, required=name in required) for name, part in members], depth + 1
        )


def type_words(schema: Schema) -> str:
    """Say in a few words what a schema takes."""
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    kinds = schema.get("type", "any value")
    if isinstance(kinds, list):
        return " or ".join(type_words({**schema, "type": kind}) for kind in kinds)
    if kinds == "array":
        inner = schema.get("items", {})
        return f"list of {type_words(inner)}" + _between(schema, "Items") if inner else "list"
    kind = str(kinds)
    limits = _between(schema, "Length", " characters") if kind == "string" else _range(schema)
    return f"{_TYPES.get(kind, kind)}{limits}"


def example(entry: Entry) -> str:
    """Return a command that calls it, with its required parameters."""
    words = ["blitzweb-rpc", "call", entry.name]
    wanted = [parameter for parameter in entry.parameters if parameter.required]
    values = {parameter.name: _example_value(parameter.name, parameter.schema) for parameter in wanted}
    if any(isinstance(value, dict | list) for value in values.values()):
        words += ["--params", json.dumps(values, ensure_ascii=False)]
    else:
        words += [f"{name}={value if isinstance(value, str) else json.dumps(value)}" for name, value in values.items()]
    return shlex.join(words)


def _example_value(name: str, schema: Schema) -> Any:
    if name in _EXAMPLES:
        return _EXAMPLES[name]
    if schema.get("enum"):
        return schema["enum"][0]
    kinds = schema.get("type", "string")
    kind = kinds[0] if isinstance(kinds, list) else kinds
    if kind in {"integer", "number"}:
        return schema.get("minimum", 1)
    return {"boolean": True, "array": [], "object": {}}.get(kind, "text")


def _default(schema: Schema) -> str:
    return json.dumps(schema["default"], ensure_ascii=False).strip('"') if "default" in schema else ""


def _range(schema: Schema) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is not None and most is not None:
        return f" {least} to {most}"
    if least is not None:
        return f" from {least}"
    return "" if most is None else f" up to {most}"


def _between(schema: Schema, what: str, unit: str = "") -> str:
    least, most = schema.get(f"min{what}"), schema.get(f"max{what}")
    if most is not None:
        return f", {least or 0} to {most}{unit}"
    return "" if least in (None, 1) else f", at least {least}{unit}"
