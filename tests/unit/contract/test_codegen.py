"""The rules by which a schema becomes types of other languages, on a schema small enough to see."""

from __future__ import annotations

import pytest

from scripts.codegen.go import go_types
from scripts.codegen.model import read_model
from scripts.codegen.rust import rust_types
from scripts.codegen.typescript import typescript_types


def types_of(schema, *, required=False, closed=True):
    """Return the line of a member `some_url` in each language."""
    record = {"type": "object", "properties": {"some_url": schema, "other": {"type": "string"}}}
    record |= {"required": ["some_url"]} if required else {}
    record |= {"additionalProperties": False} if closed else {}
    inner = {"type": "object", "properties": {"name": {"type": "string"}}}
    definitions = {"Thing": record, "Inner": inner, "Nothing": {"type": "object", "properties": {}}}
    model = read_model({"version": 1, "$defs": definitions} | METHODS)
    line = lambda text, start: next(line for line in text.splitlines() if line.strip().startswith(start))  # noqa: E731
    go = line(go_types(model), "SomeURL").split()[1:3]
    rust = rust_types(model).splitlines()
    place = next(i for i, text in enumerate(rust) if "pub some_url:" in text)
    attribute = rust[place - 1].strip() if "serde" in rust[place - 1] else ""
    return " ".join(go), attribute, rust[place].strip(), line(typescript_types(model), "some_url").strip()


METHODS = {
    "methods": {"do/it": {"sender": "host", "params": {"$ref": "#/$defs/Thing"}, "result": {"type": "null"}}},
    "tools": {"tool_a": {"arguments": {"$ref": "#/$defs/Thing"}, "output": {"$ref": "#/$defs/Inner"}}},
}
NONE = '#[serde(default, skip_serializing_if = "Option::is_none")]'
DEFAULT = '#[serde(default, skip_serializing_if = "is_default")]'
TAG = '`json:"some_url,omitzero"`'


@pytest.mark.parametrize(
    ("schema", "go", "attribute", "rust", "typescript"),
    [
        # Absent is not the same as empty, so the two are told apart.
        ({"type": "string"}, "*string", NONE, "Option<String>", "string"),
        ({"type": "boolean"}, "*bool", NONE, "Option<bool>", "boolean"),
        ({"type": "number", "minimum": 0}, "*float64", NONE, "Option<f64>", "number"),
        ({"$ref": "#/$defs/Inner"}, "*Inner", NONE, "Option<Inner>", "Inner"),
        # Zero may not be sent, or absent means it: the zero value stands for absence.
        ({"type": "string", "minLength": 1}, "string", NONE, "Option<String>", "string"),
        ({"type": "integer", "minimum": 1}, "int", NONE, "Option<i64>", "number"),
        ({"type": "boolean", "default": False}, "bool", DEFAULT, "bool", "boolean"),
        ({"$ref": "#/$defs/Inner", "default": {}}, "Inner", DEFAULT, "Inner", "Inner"),
        ({"type": "integer", "minimum": 0, "default": 0}, "int", DEFAULT, "i64", "number"),
        # A list that is absent and an empty one differ without a pointer.
        ({"type": "array", "items": {"type": "integer"}}, "[]int", NONE, "Option<Vec<i64>>", "number[]"),
        # A default that is not zero is the daemon's to fill in.
        ({"type": "string", "default": "x"}, "string", NONE, "Option<String>", "string"),
        ({"type": "boolean", "default": True}, "*bool", NONE, "Option<bool>", "boolean"),
        # What has no fixed type.
        ({"type": ["string", "integer"]}, "any", NONE, "Option<Value>", "string | number"),
        ({"type": "object"}, "any", NONE, "Option<Map<String, Value>>", "Record<string, unknown>"),
    ],
)
def test_an_optional_member(schema, go, attribute, rust, typescript) -> None:
    wanted = (f"{go} {TAG}", attribute, f"pub some_url: {rust},", f"some_url?: {typescript};")
    assert types_of(schema) == wanted


def test_a_required_member_is_never_left_out() -> None:
    wanted = ('string `json:"some_url"`', "", "pub some_url: String,", "some_url: string;")
    assert types_of({"type": "string"}, required=True) == wanted


def test_what_the_daemon_sends_stays_json_where_it_is_free() -> None:
    assert types_of({"type": "object"}, closed=False)[0].startswith("json.RawMessage")
    assert types_of({"type": "string"}, closed=False)[0].startswith("string")


def test_the_same_words_are_the_same_enum() -> None:
    words = {"type": "string", "enum": ["on", "half-on"]}
    record = {"type": "object", "properties": {"state": words, "states": {"type": "array", "items": words}}}
    definitions = {"Nothing": {"type": "object", "properties": {}}, "ThingParams": record}
    model = read_model({"version": 1, "$defs": definitions} | METHODS)
    assert [(enum.name, enum.values) for enum in model.enums] == [("ThingState", ("on", "half-on"))]
    assert 'ThingStateHalfOn ThingState = "half-on"' in go_types(model)
    assert "pub states: Option<Vec<ThingState>>," in rust_types(model)
