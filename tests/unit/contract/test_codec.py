from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.contract.calls import ToolsCallParams
from blitzweb.contract.codec import Misfit, decode, encode
from blitzweb.contract.shapes import Folded, Length, Range
from tests.support.covers import covers


class Colour(StrEnum):
    RED = "red"
    GREEN = "green"


@dataclass(frozen=True, slots=True, kw_only=True)
class Inner:
    word: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    text: Annotated[str, Length(1, 5)] = "x"
    whole: Annotated[int, Range(1, 10)] = 1
    number: Annotated[float, Range(0)] = 0.5
    flag: bool = False
    colour: Colour = Colour.RED
    choice: Annotated[Literal["left", "right"], Folded()] = "left"
    words: Annotated[tuple[str, ...], Length(0, 2)] = ()
    either: str | tuple[str, ...] | None = None
    token: str | int | None = None
    free: Any = None
    table: Mapping[str, int] | None = None
    inner: Inner | None = None
    inners: tuple[Inner, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Needy:
    url: str


WRONG = [
    ({"text": 1}, "text", "takes a text, not 1"),
    ({"text": None}, "text", "takes a text, not null"),
    ({"text": ""}, "text", "takes at least 1 characters, not 0"),
    ({"text": "six ch"}, "text", "takes at most 5 characters, not 6"),
    ({"whole": True}, "whole", "takes a whole number from 1 to 10, not true"),
    ({"whole": 1.0}, "whole", "takes a whole number from 1 to 10, not 1.0"),
    ({"whole": "1"}, "whole", 'takes a whole number from 1 to 10, not "1"'),
    ({"whole": 0}, "whole", "takes a whole number from 1 to 10, not 0"),
    ({"whole": 11}, "whole", "takes a whole number from 1 to 10, not 11"),
    ({"whole": 10**400}, "whole", "takes a whole number from 1 to 10, not a number of that size"),
    ({"number": True}, "number", "takes a number from 0 up, not true"),
    ({"number": -0.1}, "number", "takes a number from 0 up, not -0.1"),
    ({"flag": 1}, "flag", "takes true or false, not 1"),
    ({"flag": "yes"}, "flag", 'takes true or false, not "yes"'),
    ({"colour": "blue"}, "colour", 'takes one of red, green, not "blue"'),
    ({"colour": "gren"}, "colour", 'takes one of red, green, not "gren"; did you mean "green"?'),
    ({"colour": " RED "}, "colour", 'takes one of red, green, not " RED "'),
    ({"choice": "up"}, "choice", 'takes one of left, right, not "up"'),
    ({"words": "a"}, "words", 'takes a list, not "a"'),
    ({"words": ["a", 1]}, "words[1]", "takes a text, not 1"),
    ({"words": ["a", "b", "c"]}, "words", "takes at most 2 items, not 3"),
    ({"either": 1}, "either", "takes a text or a list, not 1"),
    ({"either": [1]}, "either[0]", "takes a text, not 1"),
    ({"token": 1.5}, "token", "takes a text or a whole number, not 1.5"),
    ({"table": {"a": "b"}}, "table.a", 'takes a whole number, not "b"'),
    ({"inner": "w"}, "inner", 'takes an object, not "w"'),
    ({"inner": {}}, "inner.word", "is missing; it takes a text"),
    ({"inners": [{"word": "w"}, {"word": 2}]}, "inners[1].word", "takes a text, not 2"),
    ({"inner": {"wrod": "w"}}, "inner", 'has no member "wrod"; did you mean "word"?'),
    ({"text": {"a": 1}}, "text", "takes a text, not an object"),
    ({"text": [1]}, "text", "takes a text, not a list"),
]


@covers("WIRE-27")
@pytest.mark.parametrize(("value", "path", "problem"), WRONG)
def test_a_wrong_value_is_named_with_what_is_allowed(value, path, problem):
    with pytest.raises(Misfit) as caught:
        decode(Sample, value, where="params")
    assert (caught.value.path, caught.value.problem) == (f"params.{path}".replace("params.[", "params["), problem)


@covers("WIRE-27")
@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "params is an object, not a list"),
        (None, "params is an object, not null"),
        ({}, "params.url is missing; it takes a text"),
        ({"url": "u", "ulr": 1}, 'params has no member "ulr"; did you mean "url"?'),
        ({"url": "u", "quite_other": 1}, 'params has no member "quite_other"; its members are url'),
    ],
)
def test_an_object_is_checked_as_a_whole(value, message):
    with pytest.raises(Misfit) as caught:
        decode(Needy, value, where="params")
    assert str(caught.value) == message


def test_a_long_wrong_value_is_clipped_in_the_message():
    with pytest.raises(Misfit) as caught:
        decode(Sample, {"colour": "x" * 1000}, where="params")
    assert len(caught.value.problem) < 150


def test_a_name_of_a_mebibyte_is_refused_at_once():
    started = time.monotonic()
    with pytest.raises(Misfit):
        decode(Sample, {"tex" * 2**19: 1}, where="params")
    assert time.monotonic() - started < 0.1


def test_what_is_absent_gets_its_default():
    assert decode(Sample, {}, where="params") == Sample()


def test_a_folded_choice_is_trimmed_and_lower_cased():
    assert decode(Sample, {"choice": " Right\n"}, where="params").choice == "right"


def test_enums_and_lists_become_values_of_python():
    sample = decode(Sample, {"colour": "green", "words": ["a"], "inner": {"word": "w"}, "number": 2}, where="params")
    assert sample == Sample(colour=Colour.GREEN, words=("a",), inner=Inner(word="w"), number=2)


@covers("WIRE-40")
def test_encoding_leaves_out_what_is_none_and_nothing_else():
    assert encode(Sample()) == {
        "text": "x",
        "whole": 1,
        "number": 0.5,
        "flag": False,
        "colour": "red",
        "choice": "left",
        "words": [],
    }


def test_a_context_arrives_as_the_policy_knows_it():
    params = decode(
        ToolsCallParams,
        {"name": "web_fetch", "context": {"mode": "plan", "grants": ["https://a.example/"], "tools": []}},
        where="params",
    )
    assert (params.context.mode.value, params.context.grants, params.context.tools) == (
        "plan",
        ("https://a.example/",),
        (),
    )
    assert params.context.session == "default"


words = st.text(max_size=5)
samples = st.builds(
    Sample,
    text=st.text(min_size=1, max_size=5),
    whole=st.integers(1, 10),
    number=st.floats(0, allow_nan=False, allow_infinity=False) | st.integers(0, 9),
    flag=st.booleans(),
    colour=st.sampled_from(Colour),
    choice=st.sampled_from(["left", "right"]),
    words=st.lists(words, max_size=2).map(tuple),
    either=st.none() | words | st.lists(words).map(tuple),
    token=st.none() | words | st.integers(),
    table=st.none() | st.dictionaries(words, st.integers()),
    inner=st.none() | st.builds(Inner, word=words),
    inners=st.none() | st.lists(st.builds(Inner, word=words)).map(tuple),
)


@given(samples)
def test_decoding_undoes_encoding(sample):
    assert decode(Sample, encode(sample), where="params") == sample


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)
members = st.sampled_from(["text", "whole", "number", "flag", "colour", "words", "either", "table", "inner", "inners"])


@given(st.dictionaries(members, json_values, max_size=4))
def test_no_json_makes_the_codec_fail_otherwise(value):
    with contextlib.suppress(Misfit):
        sample = decode(Sample, value, where="params")
        assert decode(Sample, encode(sample), where="params") == sample
