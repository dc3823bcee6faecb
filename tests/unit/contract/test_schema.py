from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blitzweb.contract.codec import Misfit, decode, encode
from blitzweb.contract.faults import CODES, REASONS
from blitzweb.contract.methods import METHODS
from blitzweb.contract.openrpc import openrpc_document, schema_document
from blitzweb.contract.schema import inline_schema
from blitzweb.contract.shapes import Member, Shape, members
from blitzweb.contract.toolset import TOOLS, describe
from blitzweb.errors import ProtocolError
from blitzweb.limits import MAX_GROUP_CHARS, MAX_TOOLS_LIST_CHARS
from tests.support.covers import covers

PROTOCOL = Path(__file__).parents[3] / "protocol"
EXAMPLES = json.loads((PROTOCOL / "examples.json").read_text(encoding="utf-8"))
SENT_BY_HOSTS = sorted(
    {method.params for method in METHODS if method.sender == "host"} | {tool.arguments for tool in TOOLS},
    key=lambda cls: cls.__name__,
)


def validator(fragment):
    return jsonschema.Draft202012Validator({**fragment, "$defs": schema_document()["$defs"]})


def walk(node):
    if isinstance(node, dict):
        yield node
        for part in node.values():
            yield from walk(part)
    elif isinstance(node, list):
        for part in node:
            yield from walk(part)


@covers("WIRE-41")
@pytest.mark.parametrize("name", sorted(schema_document()["$defs"]))
def test_every_definition_is_valid_json_schema(name):
    jsonschema.Draft202012Validator.check_schema(schema_document()["$defs"][name])


@covers("WIRE-42")
def test_schemas_are_flat():
    for node in walk(schema_document()):
        assert not node.keys() & {"oneOf", "anyOf", "allOf", "not", "if"}


@covers("WIRE-41")
@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_what_a_tool_lists_is_valid_json_schema(tool):
    told = encode(describe(tool))
    jsonschema.Draft202012Validator.check_schema(told["input_schema"])
    jsonschema.Draft202012Validator.check_schema(told["output_schema"])
    assert not any("$ref" in node for node in walk(told))


@covers("WIRE-30")
def test_the_tools_cost_a_model_little():
    told = [encode(describe(tool)) for tool in TOOLS]
    assert len(json.dumps({"tools": told}, separators=(",", ":"))) <= MAX_TOOLS_LIST_CHARS
    for group in {tool.group for tool in TOOLS}:
        part = [entry for entry in told if entry["group"] == group]
        assert len(json.dumps(part, separators=(",", ":"))) <= MAX_GROUP_CHARS, group


def test_every_method_and_tool_has_its_example():
    assert list(EXAMPLES["methods"]) == [method.name for method in METHODS]
    assert list(EXAMPLES["tools"]) == [tool.name for tool in TOOLS]


@covers("WIRE-41")
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_the_examples_of_methods_fit(method):
    example, ends = EXAMPLES["methods"][method.name], schema_document()["methods"][method.name]
    assert example.keys() == ends.keys() - {"sender"}
    for end in example:
        validator(ends[end]).validate(example[end])
    assert decode(method.params, example["params"], where="params") is not None
    if method.result is not None:
        assert decode(method.result, example["result"], where="result") is not None


@covers("WIRE-41")
@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_the_examples_of_tools_fit(tool):
    example = EXAMPLES["tools"][tool.name]
    told = encode(describe(tool))
    jsonschema.validate(example["arguments"], told["input_schema"], jsonschema.Draft202012Validator)
    jsonschema.validate(example["output"], told["output_schema"], jsonschema.Draft202012Validator)
    assert decode(tool.arguments, example["arguments"], where="arguments") is not None
    assert decode(tool.output, example["output"], where="output") is not None


def test_what_is_sent_to_us_is_closed_and_what_we_send_may_grow():
    definitions = schema_document()["$defs"]
    assert definitions["ToolsCallParams"]["additionalProperties"] is False
    assert definitions["CallContext"]["additionalProperties"] is False
    assert "additionalProperties" not in definitions["ToolsCallResult"]


@covers("WIRE-28")
def test_the_reasons_are_a_closed_list_in_the_schema():
    error = schema_document()["$defs"]["Error"]
    assert error["properties"]["data"]["properties"]["reason"]["enum"] == list(REASONS)
    assert "unknown_tool" in REASONS
    assert -31020 in CODES
    for fault in ProtocolError.__subclasses__():
        if fault.__module__ == "blitzweb.errors":
            validator(error).validate(fault("what happened", advice="what to do").to_object())


@covers("WIRE-38")
def test_the_openrpc_document_is_whole():
    document = openrpc_document()
    names = [method["name"] for method in document["methods"]]
    assert names == [method.name for method in METHODS if method.sender == "host"]
    assert [method["name"] for method in document["x-host-methods"]] == [
        method.name for method in METHODS if method.sender == "daemon"
    ]
    for node in walk(document):
        if "$ref" in node:
            place = document
            for step in node["$ref"].removeprefix("#/").split("/"):
                place = place[step]
    for method in document["methods"]:
        required = [param["required"] for param in method["params"]]
        assert required == sorted(required, reverse=True), "OpenRPC wants required params first"
    for schema in document["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)


def values_of(shape: Shape) -> st.SearchStrategy:
    """Make values that mostly fit a shape: the edges of its limits and a few strangers included."""
    text = st.sampled_from(shape.choices) if shape.choices else st.text(max_size=4)
    edges = [edge for edge in (shape.least, shape.most) if edge is not None]
    whole = st.sampled_from([int(edge) + step for edge in edges for step in (-1, 0, 1)] or [0, 7])
    made = {
        "string": text,
        "integer": whole,
        "number": whole | st.just(0.5),
        "boolean": st.booleans(),
        "array": st.lists(values_of(shape.item), max_size=2) if shape.item else st.just([]),
        "object": objects_of(shape.record) if shape.record else st.just({}),
    }
    fitting = st.one_of([made[kind] for kind in shape.kinds]) if shape.kinds else st.just("anything")
    return fitting | st.sampled_from([None, True, 3, 1.5, "stranger", [], {}])


def objects_of(cls: type) -> st.SearchStrategy:
    def pick(part: Member):
        return st.booleans().flatmap(lambda there: values_of(part.shape) if there else st.just(...))

    entries = {part.name: pick(part) for part in members(cls)} | {"stranger": st.sampled_from([..., ..., ..., 1])}
    return st.fixed_dictionaries(entries).map(
        lambda made: {name: value for name, value in made.items() if value is not ...}
    )


@covers("WIRE-27")
@pytest.mark.parametrize("cls", SENT_BY_HOSTS, ids=lambda cls: cls.__name__)
def test_the_codec_and_the_schema_agree(cls):
    check = jsonschema.Draft202012Validator(inline_schema(cls, closed=True))

    @settings(max_examples=40)
    @given(objects_of(cls))
    def agree(value):
        try:
            decode(cls, value, where="value")
            fits = True
        except Misfit:
            fits = False
        assert fits == check.is_valid(value)

    agree()
