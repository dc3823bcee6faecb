"""The grammar of response heads, without a socket."""

from __future__ import annotations

import http.client
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.limits import MAX_HEADER_BYTES
from blitzweb.net.failures import MalformedResponse
from blitzweb.net.head import Head, read_head
from tests.support.covers import covers

OK = b"HTTP/1.1 200 OK\r\n"


def read(head: bytes, max_bytes: int = MAX_HEADER_BYTES) -> Head:
    return read_head(io.BytesIO(head).readline, max_bytes)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (OK + b"\r\n", (1, 200, False, None, True)),
        (OK + b"Content-Length: 5\r\n\r\n", (1, 200, False, 5, False)),
        (OK + b"content-length:5 \r\n\r\n", (1, 200, False, 5, False)),
        (OK + b"Content-Length: 5\r\nConnection: Foo, CLOSE\r\n\r\n", (1, 200, False, 5, True)),
        (OK + b"Content-Length: 5\r\nConnection: closed\r\n\r\n", (1, 200, False, 5, False)),
        (OK + b"Transfer-Encoding: Chunked\r\n\r\n", (1, 200, True, None, False)),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\n", (0, 200, False, 5, True)),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 5\r\nConnection: keep-alive\r\n\r\n", (0, 200, False, 5, False)),
        (b"HTTP/1.1 404\r\nContent-Length: 0\r\n\r\n", (1, 404, False, 0, False)),
        (b"HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n", (1, 204, False, 0, False)),
        (b"HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", (1, 304, False, 0, False)),
        (b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + OK + b"\r\n", (1, 200, False, None, True)),
        (b"HTTP/1.1 100 Continue\r\n\r\n" * 8 + OK + b"\r\n", (1, 200, False, None, True)),
    ],
)
def test_what_is_read_of_a_head(head, expected):
    found = read(head)
    assert (found.minor, found.status, found.chunked, found.length, found.will_close) == expected


def test_values_are_trimmed_and_kept_apart():
    headers = read(OK + b"Location: \t/a b \r\nX-A: 1\r\nx-a:\xe9\r\nEmpty:\r\n\r\n").headers
    assert headers.getlist("location") == ["/a b"]
    assert headers.getlist("X-A") == ["1", "é"]
    assert headers.getlist("empty") == [""]


@covers("FETCH-05", "FETCH-12")
@pytest.mark.parametrize(
    ("head", "words"),
    [
        *(
            (line + b"\r\n\r\n", "status line")
            for line in [
                *(b"<html>hello", b"", b"SSH-2.0-OpenSSH_9.2", b" HTTP/1.1 200 OK", b"http/1.1 200 OK"),
                *(b"HTTP/0.9 200 OK", b"HTTP/2.0 200 OK", b"HTTP/2 200", b"HTTP/1.2 200 OK", b"HTTP/1.1.1 200 OK"),
                *(b"HTTP/1.1 20 OK", b"HTTP/1.1 2000 OK", b"HTTP/1.1 +200 OK", b"HTTP/1.1 2_0 OK", b"HTTP/1.1  200 OK"),
                *(b"HTTP/1.1 099 OK", b"HTTP/1.1 200\tOK", b"HTTP/1.1 200 a\x00b", b"HTTP/1.1 200 OK\r"),
            ]
        ),
        (b"HTTP/1.1 200 OK\n\n", "status line"),
        (b"HTTP/1.1 200 O", "status line"),
        (b"HTTP/1.1 101 Switching Protocols\r\n\r\n", "101 came unasked"),
        (b"HTTP/1.1 102 Processing\r\n\r\n" + OK + b"\r\n", "102 came unasked"),
        (b"HTTP/1.1 100 Continue\r\n\r\n" * 9 + OK + b"\r\n", "more than 8 interim"),
        (OK + b"X: y\r\n" * 101 + b"\r\n", "more than 100"),
        (OK + b"X: " + b"y" * 70_000 + b"\r\n\r\n", "longer than 64 KiB"),
        (OK + (b"X: " + b"y" * 60_000 + b"\r\n") * 99 + b"\r\n", "longer than 64 KiB"),
        ((b"HTTP/1.1 103 Hints\r\nX: " + b"y" * 30_000 + b"\r\n\r\n") * 3 + OK + b"\r\n", "longer than 64 KiB"),
        (OK + b"X: y", "ended within"),
        (OK, "ended within"),
        (OK + b"X: y\n\r\n", "LF alone"),
        (OK + b"X: a\r\n b\r\n\r\n", "folded"),
        (OK + b" X: a\r\n\r\n", "folded"),
        (OK + b"X: a\r\n\tb: c\r\n\r\n", "folded"),
        (OK + b"X: a\x00b\r\n\r\n", 'header "X" holds a NUL'),
        (OK + b"X: a\rb\r\n\r\n", "control character"),
        (OK + b"X: a\x1b[2Jb\r\n\r\n", "control character"),
        (OK + b"A" * 30_000 + b": \x00\r\n\r\n", "…"),
        (OK + b"X : a\r\n\r\n", "no header"),
        (OK + b"X\r\n\r\n", "no header"),
        (OK + b": a\r\n\r\n", "no header"),
        (OK + b"X\xe9: a\r\n\r\n", "no header"),
        *(
            (OK + b"Content-Length: " + value + b"\r\n\r\n", "in doubt")
            for value in (b"+5", b"-1", b"2, 5", b"5, 5", b"0x5", b"5_0", b"", b"5.0", b"9" * 19, b"\xb2")
        ),
        (OK + b"Content-Length: 5\r\nContent-Length: 5\r\n\r\n", "in doubt"),
        *(
            (OK + b"Transfer-Encoding: " + value + b"\r\n\r\n", "not known")
            for value in (b"xchunked", b"gzip, chunked", b"chunked, chunked", b"chunked, identity", b"identity", b"")
        ),
        (OK + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", "not known"),
        (OK + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n", "at once"),
        (b"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "HTTP/1.0"),
    ],
)
def test_what_is_refused_and_why(head, words):
    with pytest.raises(MalformedResponse) as caught:
        read(head)
    assert words in str(caught.value)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300


def test_a_connection_that_ends_before_anything_came_is_told_apart():
    with pytest.raises(http.client.RemoteDisconnected):
        read(b"")


@covers("FETCH-05")
def test_the_limit_is_exact_and_a_client_may_set_a_lower_one():
    head = OK + b"X: " + b"y" * 100 + b"\r\n\r\n"
    assert read(head, len(head)).status == 200
    with pytest.raises(MalformedResponse, match="longer"):
        read(head, len(head) - 1)


@given(st.binary(max_size=300), st.sampled_from([b"", OK, OK + b"X: "]))
def test_whatever_comes_is_a_head_or_a_refusal(tail, start):
    try:
        found = read(start + tail)
    except (MalformedResponse, http.client.RemoteDisconnected):
        return
    for name, value in found.headers.iteritems():
        assert not set(name + value) & set("\0\r\n")
