"""The protocol's types for Rust, with serde, formatted as rustfmt would.

An optional member is an `Option`, unless absence means the type's own default. An enum that the daemon sends takes
words that are newer than the client as `Unknown`, which cannot be sent.
"""

from __future__ import annotations

from collections.abc import Iterator

from scripts.codegen.model import Enum, Field, Model, Record, Type, camel, records_first, words

_HEAD = """\
//! What is sent: written by scripts/schema; do not edit.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
"""
_TAIL = """\
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
"""
_NEWER = """\
    /// A word that is newer than this client; it cannot be sent.
    #[serde(other, skip_serializing)]
    Unknown,
"""
_PLAIN = {
    "string": "String",
    "integer": "i64",
    "number": "f64",
    "boolean": "bool",
    "object": "Map<String, Value>",
    "any": "Value",
}
_KEYWORDS = {"type", "ref"}


def rust_types(model: Model) -> str:
    """Return types.rs."""
    version = f"/// The version that these types speak.\npub const PROTOCOL_VERSION: i64 = {model.version};\n"
    methods = _names("methods", "The names of the methods, of both sides.", [method.name for method in model.methods])
    tools = _names("tools", "The names of the tools; `tools/list` tells which are on offer.", list(model.tools))
    blocks = [_HEAD, version, methods, tools]
    defaults = _with_default(model)
    for record, enums in records_first(model):
        blocks += [_struct(record, defaults), *(_enumeration(enum) for enum in enums)]
        if record.closed and record.name not in defaults:
            blocks.append(_constructor(record))
    return "\n".join([*blocks, _TAIL])


def _names(module: str, about: str, names: list[str]) -> str:
    lines = (f'    pub const {"_".join(words(name)).upper()}: &str = "{name}";\n' for name in names)
    return f"/// {about}\npub mod {module} {{\n{''.join(lines)}}}\n"


def _with_default(model: Model) -> set[str]:
    """Return the records that can derive Default: those that hold no enum, at any depth, which has to be given."""
    records = {record.name: record for record in model.records}

    def has_default(kind: Type) -> bool:
        if kind.kind == "record":
            return all(has_default(part.type) or not part.required for part in records[kind.name].fields)
        return kind.kind != "enum"

    return {name for name in records if has_default(Type("record", name))}


def _struct(record: Record, defaults: set[str]) -> str:
    derived = "Clone, Debug, " + ("Default, " if record.name in defaults else "") + "PartialEq, Serialize, Deserialize"
    fields = "".join(f"    {line}\n" for part in record.fields for line in _field(part))
    return f"/// {record.about}\n#[derive({derived})]\npub struct {record.name} {{\n{fields}}}\n"


def _field(part: Field) -> Iterator[str]:
    if part.about:
        yield f"/// {part.about}"
    if not part.required:
        check = "is_default" if part.zero_by_default else "Option::is_none"
        yield f'#[serde(default, skip_serializing_if = "{check}")]'
    yield f"pub {_identifier(part.name)}: {_field_type(part)},"


def _field_type(part: Field) -> str:
    kind = _type(part.type)
    return kind if part.required or part.zero_by_default else f"Option<{kind}>"


def _identifier(name: str) -> str:
    return f"r#{name}" if name in _KEYWORDS else name


def _type(kind: Type) -> str:
    if kind.kind in {"record", "enum"}:
        return kind.name
    if kind.item is not None:
        item = _type(kind.item)
        return f"Vec<{item}>" if kind.kind == "list" else f"BTreeMap<String, {item}>"
    return _PLAIN[kind.kind]


def _enumeration(enum: Enum) -> str:
    variants = "".join(f'    #[serde(rename = "{value}")]\n    {camel(value)},\n' for value in enum.values)
    derived = "Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize"
    return f"/// One word of a closed list.\n#[derive({derived})]\npub enum {enum.name} {{\n{variants}{_NEWER}}}\n"


def _constructor(record: Record) -> str:
    """Return `new`, which takes what has to be given, for a record with too many members to name them all."""
    needed = [part for part in record.fields if part.required]
    given = ", ".join(f"{_identifier(part.name)}: {_type(part.type)}" for part in needed)
    rest = "".join(
        f"            {_identifier(part.name)}{'' if part.required else ': Default::default()'},\n"
        for part in record.fields
    )
    about = "    /// Returns one with nothing but what is required.\n"
    signature = f"    pub fn new({given}) -> Self {{\n        Self {{\n{rest}        }}\n    }}\n"
    return f"impl {record.name} {{\n{about}{signature}}}\n"
