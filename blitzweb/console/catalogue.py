"""What a daemon can do, as it says itself: its methods (`rpc.discover`) and its tools on offer (`tools/list`)."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from blitzweb.console.client import Client
from blitzweb.errors import UsageError

Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One argument of a tool, or one member of a method's params."""

    name: str
    schema: Schema
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One method or tool."""

    name: str
    kind: Literal["method", "notification", "tool"]
    about: str
    title: str = ""
    group: str = ""
    hints: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    answer: tuple[Parameter, ...] = ()


class Catalogue:
    """The entries in the daemon's order, methods first."""

    def __init__(self, entries: Iterator[Entry]) -> None:
        self.entries = {entry.name: entry for entry in entries}

    def find(self, name: str) -> Entry:
        """Return an entry.

        Raises:
            UsageError: there is none; suggests the near one.
        """
        if name in self.entries:
            return self.entries[name]
        near = difflib.get_close_matches(name[:80], self.entries, n=1)
        advice = f"did you mean {near[0]}?" if near else "`blitzweb-rpc methods` lists them"
        raise UsageError(f'there is no method "{name}", and no such tool on offer', advice=advice)


def ask_catalogue(client: Client, context: Mapping[str, str]) -> Catalogue:
    """Ask a daemon for its catalogue; the tools are those of the given context."""
    document = client.call("rpc.discover")
    tools = client.call("tools/list", {"context": dict(context)} if context else {})
    return Catalogue(_entries(document, tools))


def _entries(document: Mapping[str, Any], tools: Mapping[str, Any]) -> Iterator[Entry]:
    schemas = document.get("components", {}).get("schemas", {})
    for method in document.get("methods", ()):
        yield _method(method, schemas)
    for tool in tools.get("tools", ()):
        yield _tool(tool)


def _method(method: Mapping[str, Any], schemas: Mapping[str, Schema]) -> Entry:
    result = _resolve(method.get("result", {}).get("schema", {}), schemas)
    return Entry(
        name=method["name"],
        kind="method" if "result" in method else "notification",
        about=method.get("summary", ""),
        parameters=tuple(
            Parameter(
                name=param["name"], schema=_resolve(param["schema"], schemas), required=param.get("required", False)
            )
            for param in method.get("params", ())
        ),
        answer=tuple(_properties(result)),
    )


def _tool(tool: Mapping[str, Any]) -> Entry:
    annotations = tool.get("annotations", {})
    return Entry(
        name=tool["name"],
        kind="tool",
        about=tool.get("description", ""),
        title=tool.get("title", ""),
        group=tool.get("group", ""),
        hints=tuple(text for name, text in _HINTS.items() if annotations.get(name)),
        parameters=tuple(_properties(tool.get("input_schema", {}))),
        answer=tuple(_properties(tool.get("output_schema", {}))),
    )


def _properties(schema: Schema) -> Iterator[Parameter]:
    for name, part in schema.get("properties", {}).items():
        yield Parameter(name=name, schema=part, required=name in schema.get("required", ()))


def _resolve(schema: Schema, schemas: Mapping[str, Schema], depth: int = 4) -> Schema:
    """Put what a `$ref` names in its place, so that nobody else needs to know of it; `depth` ends a cycle."""
    if "$ref" in schema and depth:
        named = schemas.get(str(schema["$ref"]).rpartition("/")[2], {})
        own = {name: part for name, part in schema.items() if name != "$ref"}
        return {**_resolve(named, schemas, depth - 1), **own}
    resolved = dict(schema)
    if isinstance(schema.get("items"), Mapping):
        resolved["items"] = _resolve(schema["items"], schemas, depth)
    if isinstance(schema.get("properties"), Mapping):
        resolved["properties"] = {name: _resolve(part, schemas, depth) for name, part in schema["properties"].items()}
    return resolved


_HINTS = {"read_only": "changes nothing", "open_world": "reaches the web", "may_ask": "may ask for approval"}
