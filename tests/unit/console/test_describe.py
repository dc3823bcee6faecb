from __future__ import annotations

import shlex

import pytest

from blitzweb.console.catalogue import Entry, Parameter, ask_catalogue
from blitzweb.console.describe import example, parameter_rows, type_words
from blitzweb.console.words import build_call, read_pairs
from blitzweb.contract.codec import decode
from blitzweb.contract.methods import METHODS
from blitzweb.contract.toolset import TOOLS
from blitzweb.wire.encoding import decode as decode_json
from tests.support.catalogue import CatalogueClient

CATALOGUE = ask_catalogue(CatalogueClient(), {})


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({}, "any value"),
        ({"type": "string"}, "text"),
        ({"type": "string", "enum": ["a", "b"]}, "a | b"),
        ({"type": "string", "maxLength": 9}, "text, 0 to 9 characters"),
        ({"type": "string", "minLength": 1, "maxLength": 9}, "text, 1 to 9 characters"),
        ({"type": "string", "minLength": 1}, "text"),
        ({"type": "string", "minLength": 3}, "text, at least 3 characters"),
        ({"type": "integer", "minimum": 0}, "integer from 0"),
        ({"type": "integer", "minimum": 1, "maximum": 20}, "integer 1 to 20"),
        ({"type": "number", "maximum": 5}, "number up to 5"),
        ({"type": "boolean"}, "true or false"),
        ({"type": ["string", "integer"]}, "text or integer"),
        ({"type": "array"}, "list"),
        ({"type": "array", "items": {"type": "string"}, "maxItems": 3}, "list of text, 0 to 3"),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, "list of a | b"),
    ],
)
def test_a_type_is_said_in_words(schema, words) -> None:
    assert type_words(schema) == words


def test_a_row_tells_default_and_need_and_objects_show_their_members() -> None:
    inner = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}
    rows = list(
        parameter_rows(
            [
                Parameter(name="a", schema={"type": "string", "description": "about"}, required=True),
                Parameter(name="b", schema={"type": "string", "default": "text"}),
                Parameter(name="o", schema=inner),
                Parameter(name="l", schema={"type": "array", "items": inner}),
            ]
        )
    )
    assert rows == [
        ("a", "text", "required", "about"),
        ("b", "text", "text", ""),
        ("o", "object", "", ""),
        ("  x", "integer", "required", ""),
        ("l", "list of object", "", ""),
        ("  x", "integer", "required", ""),
    ]


SHAPES = {tool.name: tool.arguments for tool in TOOLS} | {method.name: method.params for method in METHODS}


@pytest.mark.parametrize("entry", CATALOGUE.entries.values(), ids=lambda entry: entry.name)
def test_every_example_is_a_call_that_the_contract_takes(entry: Entry) -> None:
    program, command, name, *words = shlex.split(example(entry))
    assert (program, command, name) == ("blitzweb-rpc", "call", entry.name)
    given = decode_json(words[1].encode()) if words[:1] == ["--params"] else read_pairs(words)
    method, params = build_call(name, given, context={})
    decode(SHAPES[name], params["arguments"] if method != name else params, where="it")
