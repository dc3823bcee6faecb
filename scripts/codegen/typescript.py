"""The protocol's types for TypeScript: interfaces, and two maps of what goes where. No code."""

from __future__ import annotations

from collections.abc import Iterable

from scripts.codegen.model import Enum, Method, Model, Record, Type, records_first

_HEAD = """\
// What is sent: written by scripts/schema; do not edit.

/** The version that these types speak; `initialize` is given it. */
export type ProtocolVersion = {version};
"""
_PLAIN = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "object": "Record<string, unknown>",
    "array": "unknown[]",
}


def typescript_types(model: Model) -> str:
    """Return types.ts."""
    blocks = [_HEAD.format(version=model.version), _methods(model), _notifications(model), _tools(model)]
    for record, enums in records_first(model):
        blocks += [_interface(record), *(_union(enum) for enum in enums)]
    return "\n".join(blocks)


def _interface(record: Record) -> str:
    lines = []
    for part in record.fields:
        if part.about:
            lines.append(f"  /** {part.about} */\n")
        lines.append(f"  {part.name}{'' if part.required else '?'}: {_type(part.type)};\n")
    return f"/** {record.about} */\nexport interface {record.name} {{\n{''.join(lines)}}}\n"


def _union(enum: Enum) -> str:
    return f"export type {enum.name} =\n" + "\n".join(f'  | "{value}"' for value in enum.values) + ";\n"


def _type(kind: Type | None) -> str:
    if kind is None:
        return "null"
    if kind.kind in {"record", "enum"}:
        return kind.name
    if kind.kind == "list":
        return f"{_type(kind.item)}[]"
    if kind.kind == "map":
        return f"Record<string, {_type(kind.item)}>"
    if kind.kind == "any":
        return " | ".join(dict.fromkeys(_PLAIN[name] for name in kind.union)) or "unknown"
    return _PLAIN[kind.kind]


def _methods(model: Model) -> str:
    about = "Every request: who sends it, what it takes, what answers it."
    rows = (
        f'"{method.name}": {{ sender: "{method.sender}"; {_params(method)}; result: {_type(method.result)} }}'
        for method in model.methods
        if not method.notification
    )
    return _map("Requests", about, rows)


def _notifications(model: Model) -> str:
    rows = (
        f'"{method.name}": {{ sender: "{method.sender}"; {_params(method)} }}'
        for method in model.methods
        if method.notification
    )
    return _map("Notifications", "Every notification.", rows)


def _tools(model: Model) -> str:
    about = "Every tool: the `arguments` of tools/call, and the `output` of its result."
    ends = model.tools.items()
    return _map("Tools", about, (f"{name}: {{ arguments: {given}; output: {got} }}" for name, (given, got) in ends))


def _params(method: Method) -> str:
    return f"params: {'Record<string, never>' if method.params is None else _type(method.params)}"


def _map(name: str, about: str, rows: Iterable[str]) -> str:
    return f"/** {about} */\nexport interface {name} {{\n" + "".join(f"  {row};\n" for row in rows) + "}\n"
