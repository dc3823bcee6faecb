"""JSON text both ways, strictly."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.errors import ParseFailed
from blitzweb.limits import MAX_JSON_DEPTH
from blitzweb.wire.encoding import NotEncodable, decode, encode
from tests.support.covers import covers

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda values: st.lists(values) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), values),
)


@given(JSON_VALUES)
def test_what_is_encoded_decodes_to_the_same_on_one_line(value: object) -> None:
    line = encode(value)
    assert b"\n" not in line
    assert b"\r" not in line
    assert decode(line) == value


@given(st.text(st.characters(categories=["Cs"]) | st.characters()))
def test_any_text_encodes_to_utf8_without_surrogates(text: str) -> None:
    decoded = json.loads(encode({"text": text}).decode("utf-8"))["text"]
    assert not any("\ud800" <= character <= "\udfff" for character in decoded)
    assert [c for c in decoded if c != "\ufffd" and ord(c) < 0x10000] == [
        c for c in text if c != "\ufffd" and ord(c) < 0x10000 and not "\ud800" <= c <= "\udfff"
    ]


@covers("WIRE-10")
def test_lone_surrogates_are_replaced_and_pairs_joined() -> None:
    assert encode("a\ud800b\udc00c\ud83d\ude00") == '"a\ufffdb\ufffdc😀"'.encode()


def test_line_separators_and_controls_stay_inside_the_line() -> None:
    assert encode("\u2028\x00\n") == '"\u2028\\u0000\\n"'.encode()


@covers("WIRE-10")
@pytest.mark.parametrize("value", [float("nan"), float("inf"), [-float("inf")], object(), {"x": {1, 2}}, b"bytes"])
def test_what_json_cannot_carry_is_refused(value: object) -> None:
    with pytest.raises(NotEncodable, match="not JSON"):
        encode(value)


def test_cycles_and_bottomless_nesting_are_refused() -> None:
    cycle: list[object] = []
    cycle.append(cycle)
    deep: list[object] = []
    for _ in range(200_000):
        deep = [deep]
    for value in (cycle, deep):
        with pytest.raises(NotEncodable):
            encode(value)
    while deep:  # or taking it apart would be as deep
        deep = deep.pop()  # type: ignore[assignment]


@covers("WIRE-02")
@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b"{", "not JSON"),
        (b"nope", "not JSON"),
        (b'{"a":1}{"b":2}', "not JSON"),
        (b"\xef\xbb\xbf{}", "not JSON"),
        (b"NaN", "NaN is not JSON"),
        (b'{"a":[Infinity]}', "Infinity is not JSON"),
        (b"-Infinity", "-Infinity is not JSON"),
        (b"1e999", "1e999 does not fit a double"),
        (b"-1e999", "-1e999 does not fit a double"),
        (b"9" * 5000, "not JSON"),
        (b'"\xff"', "not UTF-8: byte 1 is 0xff"),
        (b'"\xed\xa0\x80"', "not UTF-8"),
        (b'"\xc0\x80"', "not UTF-8"),
        (b"[" * 200_000 + b"]" * 200_000, "nested deeper than 128"),
        (b'{"a":' * 200_000 + b"1" + b"}" * 200_000, "nested deeper than 128"),
        (b"[" * 200_000, "nested deeper than 128"),
    ],
    ids=lambda value: value[:20] if isinstance(value, bytes) else value,
)
def test_what_is_no_json_is_refused(line: bytes, fault: str) -> None:
    with pytest.raises(ParseFailed, match=fault):
        decode(line)


@covers("WIRE-02")
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_the_depth_is_counted_exactly(opening: str, closing: str) -> None:
    def nested(depth: int) -> bytes:
        return (opening * depth + "1" + closing * depth).encode()

    decode(nested(MAX_JSON_DEPTH))
    with pytest.raises(ParseFailed, match="deeper"):
        decode(nested(MAX_JSON_DEPTH + 1))


def test_brackets_in_texts_and_side_by_side_are_not_depth() -> None:
    wide = [[] for _ in range(1000)] + ["[" * 1000]
    assert decode(encode(wide)) == wide


def test_a_duplicate_member_is_the_last_one() -> None:
    assert decode(b'{"a":1,"a":2}') == {"a": 2}
