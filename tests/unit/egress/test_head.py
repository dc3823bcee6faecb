"""Heads of requests: one strict grammar, whatever pieces they come in."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.egress.head import Head, HeadReader, Malformed, read_head
from blitzweb.limits import MAX_HEADER_BYTES, MAX_HEADER_LINES
from tests.support.covers import covers

LINE = b"GET http://a.example/ HTTP/1.1\r\n"
HOST = b"Host: a.example\r\n"
GOOD = LINE + HOST + b"X-A: 1\r\nx-a:  2 \t\r\nEmpty:\r\n\r\n"


def test_a_head_is_read_whole():
    head = read_head(GOOD)
    assert (head.method, head.target, head.minor) == ("GET", "http://a.example/", 1)
    assert head.headers == (
        (b"host", b"Host", b"a.example"),
        (b"x-a", b"X-A", b"1"),
        (b"x-a", b"x-a", b"2"),
        (b"empty", b"Empty", b""),
    )
    assert head.values(b"x-a") == [b"1", b"2"]
    assert head.framing == (False, None)
    assert read_head(LINE + HOST + b"Content-Length: 07\r\n\r\n").framing == (False, 7)
    assert read_head(LINE + HOST + b"transfer-encoding: Chunked\r\n\r\n").framing == (True, None)


@covers("EGRESS-05")
@pytest.mark.parametrize(
    "raw",
    [
        b"\r\n" + GOOD,
        b"GET  http://a.example/ HTTP/1.1\r\n\r\n",
        b"GET http://a.example/ HTTP/1.1 \r\nHost: h\r\n\r\n",
        b"GET http://a.example/\r\n\r\n",
        b"GET http://a.example/ HTTP/2.0\r\n\r\n",
        b"GET http://a.example/ http/1.1\r\n\r\n",
        b"GET http://a.example/a b HTTP/1.1\r\n\r\n",
        b"GET http://a.example/\xe4 HTTP/1.1\r\n\r\n",
        b"GET http://a.example/\x00 HTTP/1.1\r\n\r\n",
        b"GE(T http://a.example/ HTTP/1.1\r\n\r\n",
        b"G" * 33 + b" http://a.example/ HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        LINE.replace(b"\r\n", b"\n") + HOST + b"\r\n",
        LINE + HOST.replace(b"\r\n", b"\n") + b"\r\n",
        LINE + b"Host: a\rX: b\r\n\r\n",
        LINE + HOST + b"\n",
        LINE + HOST + b"X: a\x00b\r\n\r\n",
        LINE + HOST + b"X: a\x0bb\r\n\r\n",
        LINE + HOST + b"X: a\x7fb\r\n\r\n",
        LINE + HOST + b"X : a\r\n\r\n",
        LINE + HOST + b" X: a\r\n\r\n",
        LINE + HOST + b"X: a\r\n b\r\n\r\n",
        LINE + HOST + b"X: a\r\n\tb\r\n\r\n",
        LINE + HOST + b"no colon\r\n\r\n",
        LINE + HOST + b": nameless\r\n\r\n",
        LINE + HOST + b"X\xe4: a\r\n\r\n",
        LINE + b"\r\n",
        LINE + HOST + HOST + b"\r\n",
        LINE + HOST + b"X: y\r\n" * (MAX_HEADER_LINES + 1) + b"\r\n",
    ],
)
def test_what_is_no_head_is_refused(raw):
    with pytest.raises(Malformed):
        HeadReader(read_head).feed(raw)


@covers("EGRESS-05")
@pytest.mark.parametrize(
    "framing",
    [
        b"Content-Length: 1\r\nContent-Length: 1\r\n",
        b"Content-Length: 1\r\nContent-Length: 2\r\n",
        b"Content-Length: 1, 1\r\n",
        b"Content-Length: +1\r\n",
        b"Content-Length: -1\r\n",
        b"Content-Length: 0x1\r\n",
        b"Content-Length: 1 1\r\n",
        b"Content-Length:\r\n",
        b"Content-Length: 9999999999999999999\r\n",
        b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: chunked\r\nContent-Length: 0\r\n",
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: chunked, chunked\r\n",
        b"Transfer-Encoding: identity\r\n",
        b"Transfer-Encoding: gzip, chunked\r\n",
        b"Transfer-Encoding: xchunked\r\n",
        b"Transfer-Encoding: chunked;q=1\r\n",
        b"Transfer-Encoding: \x0bchunked\r\n",
        b"Transfer-Encoding:\r\n",
    ],
)
def test_a_body_that_may_end_in_two_places_is_refused(framing):
    with pytest.raises(Malformed):
        read_head(LINE + HOST + framing + b"\r\n")


def test_chunks_are_not_for_http_1_0():
    with pytest.raises(Malformed):
        read_head(b"POST http://a.example/ HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n")


@covers("EGRESS-05")
def test_a_head_that_does_not_end_is_refused_at_the_limit():
    reader, fed = HeadReader(read_head), 0
    with pytest.raises(Malformed, match="longer than 64 KiB"):  # noqa: PT012
        while fed < 2 * MAX_HEADER_BYTES:
            assert reader.feed(b"x" * 1000) is None
            fed += 1000
    assert fed <= MAX_HEADER_BYTES


def test_a_head_that_ends_beyond_the_limit_is_refused_too():
    with pytest.raises(Malformed, match="longer than"):
        HeadReader(read_head).feed(LINE + b"X: " + b"y" * MAX_HEADER_BYTES + b"\r\n\r\n")


def test_what_follows_a_head_does_not_count_to_its_limit():
    head, rest = HeadReader(read_head).feed(GOOD + b"z" * MAX_HEADER_BYTES)
    assert (head, len(rest)) == (read_head(GOOD), MAX_HEADER_BYTES)


@given(cuts=st.lists(st.integers(0, len(GOOD) + 5), max_size=8))
def test_the_pieces_that_a_head_comes_in_do_not_matter(cuts):
    data = GOOD + b"after"
    reader, got = HeadReader(read_head), None
    edges = [0, *sorted(cuts), len(data)]
    for begin, end in pairwise(edges):
        if got is None:
            got = reader.feed(data[begin:end])
        else:
            got = (got[0], got[1] + data[begin:end])
    assert got == (read_head(GOOD), b"after")


@given(st.binary(max_size=200))
def test_no_bytes_make_it_fail_otherwise(data):
    try:
        got = HeadReader(read_head).feed(LINE + HOST + data + b"\r\n\r\n")
    except Malformed:
        return
    assert got is not None
    head, rest = got
    assert isinstance(head, Head)
    assert (LINE + HOST + data + b"\r\n\r\n").endswith(rest)
    assert not any(set(name + value) & {*range(9), *range(10, 32), 127} for _, name, value in head.headers)
