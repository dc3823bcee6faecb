"""JSON is indented, and nothing in it changes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.content.convert import convert
from blitzweb.content.json_text import pretty
from blitzweb.limits import MAX_CONTENT_BYTES
from tests.support.content import URL
from tests.support.covers import covers

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@covers("CONTENT-09")
@given(JSON, st.booleans())
def test_it_reads_as_the_same(value: object, ascii_only: bool) -> None:  # noqa: FBT001
    indented = pretty(json.dumps(value, ensure_ascii=ascii_only), 1_000_000)
    assert indented is not None
    assert json.loads(indented) == value


@given(JSON)
def test_it_looks_as_the_standard_library_writes_it(value: object) -> None:
    assert pretty(json.dumps(value, ensure_ascii=False), 1_000_000) == json.dumps(value, ensure_ascii=False, indent=2)


@covers("CONTENT-09")
def test_numbers_keys_and_duplicates_stay() -> None:
    digits = "9" * 5_000
    assert pretty(f'{{"a":1.50e400,"a":{digits}}}', 10_000) == f'{{\n  "a": 1.50e400,\n  "a": {digits}\n}}'


@pytest.mark.parametrize("text", ["", "{", "{'a': 1}", "[1,]", "[" * 100_000, '{"a": 1} x'])
def test_what_is_no_json_is_not_touched(text: str) -> None:
    assert pretty(text, 1_000_000) is None
    assert convert(text.encode(), media_type="application/json", charset=None, url=URL).content == text


@covers("CONTENT-09")
def test_beyond_the_cap_it_stays_as_it_was() -> None:
    text = json.dumps(list(range(MAX_CONTENT_BYTES // 5)), separators=(",", ":"))
    assert convert(text.encode(), media_type="application/json", charset=None, url=URL).content == text


def test_letters_stand_for_their_escapes() -> None:
    content = convert(b'["\\u65e5","\\ud800","\\u200b"]', media_type="application/json", charset=None, url=URL).content
    assert content == '[\n  "日",\n  "\ufffd",\n  ""\n]'
