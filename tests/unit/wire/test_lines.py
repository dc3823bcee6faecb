"""Lines come out whole however the bytes come in; nothing that a sender does makes the buffer grow or the rhythm go."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.errors import ParseFailed
from blitzweb.limits import MAX_LINE_BYTES
from blitzweb.wire.lines import LineSplitter
from tests.support.covers import covers


def split(*chunks: bytes, limit: int = 16) -> list[bytes | str]:
    """Feed the chunks; errors as their messages' first words."""
    splitter = LineSplitter(limit)
    found = [line for chunk in chunks for line in splitter.feed(chunk)] + splitter.close()
    return [line.message.split(" and ")[0] if isinstance(line, ParseFailed) else line for line in found]


OVER_LONG = "a line is longer than 16 bytes"
FRAMED = "this looks like Content-Length framing,"


@covers("WIRE-01", "WIRE-03", "WIRE-11")
@pytest.mark.parametrize(
    ("chunks", "lines"),
    [
        ((b"a\nb\n",), [b"a", b"b"]),
        ((b"a", b"b\nc", b"\n"), [b"ab", b"c"]),
        ((b"a\r\n\r\n \t\n\nb\n",), [b"a", b"b"]),
        ((b"a\rb\n",), [b"a\rb"]),
        ((b"a", b"\r", b"\n"), [b"a"]),
        ((b"unfinished",), [b"unfinished"]),
        ((), []),
        ((b"x" * 16 + b"\n",), [b"x" * 16]),
        ((b"x" * 16 + b"\r\n",), [b"x" * 16]),
        ((b"x" * 16, b"\r", b"\n"), [b"x" * 16]),
        ((b"x" * 16 + b"\ry\n", b"next\n"), [OVER_LONG, b"next"]),
        ((b"x" * 17 + b"\nnext\n",), [OVER_LONG, b"next"]),
        ((b"x" * 10, b"x" * 10, b"x" * 1000, b"x\nnext\n"), [OVER_LONG, b"next"]),
        ((b"x" * 17, b"\n", b"x" * 17, b"\n"), [OVER_LONG, OVER_LONG]),
        ((b"x" * 17,), [OVER_LONG]),
    ],
)
def test_lines(chunks: tuple[bytes, ...], lines: list[bytes | str]) -> None:
    assert split(*chunks) == lines


@covers("WIRE-11")
def test_framing_is_one_error_and_lines_still_count() -> None:
    body = b'{"id":1}'
    framed = b"Content-Length: 8\r\nContent-Type: application/x\r\n\r\n" + body
    assert split(framed * 3 + b"\n", b'{"id":2}\n', limit=100) == [FRAMED, body, b'{"id":2}']


@covers("WIRE-11")
def test_a_header_inside_json_is_no_framing() -> None:
    line = b'{"text":"Content-Length: 5"}'
    assert split(line + b"\n", line + b"\n", limit=100) == [line, line]


@covers("WIRE-03")
def test_the_limit_of_the_wire_is_4_mib() -> None:
    splitter = LineSplitter()
    assert splitter.feed(b"x" * MAX_LINE_BYTES + b"\n") == [b"x" * 4194304]
    (error,) = splitter.feed(b"x" * (MAX_LINE_BYTES + 1))
    assert isinstance(error, ParseFailed)


@covers("WIRE-03")
def test_an_over_long_line_is_not_kept() -> None:
    splitter = LineSplitter(16)
    for _ in range(100):
        splitter.feed(b"x" * 1000)
    assert len(splitter._line) == 0


@given(st.binary(max_size=200), st.lists(st.integers(0, 200), max_size=8))
def test_where_chunks_are_cut_changes_nothing(data: bytes, cuts: list[int]) -> None:
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    chunks = [data[start:end] for start, end in pairwise(edges)]
    assert split(*chunks) == split(data)


@given(st.lists(st.binary(min_size=1, max_size=16).filter(lambda line: line.strip() and b"\n" not in line)))
def test_every_line_within_the_limit_comes_out(lines: list[bytes]) -> None:
    wanted = [line.removesuffix(b"\r") for line in lines]
    assert split(b"".join(line + b"\n" for line in lines)) == [line for line in wanted if line.strip()]
