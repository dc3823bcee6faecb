"""Bodies: codings, caps, framing, and what tries to get past them."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib

import brotli
import pytest

from blitzweb.errors import FetchFailed
from blitzweb.limits import MIB
from tests.support.covers import covers
from tests.support.fetching import OK, PLAN, answering, fetch
from tests.support.raw_server import RawServer

try:
    from compression import zstd  # type: ignore[import-not-found, unused-ignore]
except ImportError:
    from backports import zstd

DATA = b"blitz" * 20_000


def encoded(coding, body):
    return OK + f"Content-Encoding: {coding}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


@covers("FETCH-04")
@pytest.mark.parametrize(
    ("coding", "encode"),
    [
        ("gzip", gzip.compress),
        ("X-GZip", gzip.compress),
        ("identity, gzip", gzip.compress),
        ("deflate", zlib.compress),
        ("deflate", lambda data: zlib.compress(data, wbits=-15)),
        ("br", brotli.compress),
        ("zstd", zstd.compress),
        ("identity", bytes),
        ("", bytes),
    ],
)
@pytest.mark.parametrize("cap", [len(DATA) + 1, len(DATA), len(DATA) - 1, 1000, 0])
def test_codings_are_decoded_up_to_the_cap(coding, encode, cap):
    with RawServer(answering(encoded(coding, encode(DATA)))) as server:
        response = fetch(server.url, PLAN._replace(max_bytes=cap))
    assert response.body == DATA[:cap]
    assert response.truncated is (cap < len(DATA))


@covers("FETCH-04")
@pytest.mark.parametrize(
    ("coding", "words"),
    [
        ("gzip, gzip", "2 times over"),
        ("gzip\r\nContent-Encoding: br", "2 times over"),
        ("deflate, identity, br, zstd", "3 times over"),
        ("compress", "not asked for"),
        ("x-br", "not asked for"),
        ("gzip;q=1", "not asked for"),
    ],
)
def test_chains_and_unknown_codings_are_refused_with_the_reason(coding, words):
    with RawServer(answering(encoded(coding, b"ok"))) as server, pytest.raises(FetchFailed, match=words) as caught:
        fetch(server.url)
    assert caught.value.phase == "body"


@pytest.mark.parametrize("coding", ["gzip", "deflate", "zstd"])
def test_a_body_that_is_not_what_its_coding_says_is_an_error(coding):
    server = RawServer(answering(encoded(coding, b"\xff\xfeno such thing")))
    with server, pytest.raises(FetchFailed, match="Content-Encoding") as caught:
        fetch(server.url)
    assert caught.value.phase == "body"


@covers("FETCH-04")
@pytest.mark.parametrize("coding", ["gzip", "br", "zstd", "deflate", "identity"])
def test_a_client_that_takes_no_codings_asks_for_none_and_refuses_them(coding):
    with RawServer(answering(encoded(coding, b"ok"))) as server:
        if coding == "identity":
            assert fetch(server.url, PLAN._replace(decode=False)).body == b"ok"
        else:
            with pytest.raises(FetchFailed, match="not asked for"):
                fetch(server.url, PLAN._replace(decode=False))
    assert b"Accept-Encoding: identity\r\n" in server.requests[0]


@covers("FETCH-04", "FETCH-12")
@pytest.mark.parametrize("coding", ["gzip", "br", "zstd", "deflate"])
def test_a_bomb_costs_no_more_than_the_cap(coding):
    packed = BOMBS[coding]()
    with RawServer(answering(encoded(coding, packed))) as server:
        fetch(server.url, PLAN._replace(max_bytes=1000))
        tracemalloc.start()
        response = fetch(server.url, PLAN._replace(max_bytes=2 * MIB))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert (len(response.body), response.truncated) == (2 * MIB, True)
    assert peak < 8 * MIB


BOMBS = {
    "gzip": lambda: gzip.compress(bytes(64 * MIB), 1),
    "deflate": lambda: zlib.compress(bytes(64 * MIB), 1),
    "br": lambda: brotli.compress(bytes(64 * MIB), quality=1),
    "zstd": lambda: zstd.compress(bytes(64 * MIB)),
}


@covers("FETCH-12")
@pytest.mark.parametrize(
    ("coding", "start", "unit"),
    [
        ("deflate", b"\x78\x9c", b"\x00\x00\x00\xff\xff"),  # empty blocks; the decoder keeps them all
        ("gzip", b"", gzip.compress(b"")),  # empty members
        ("zstd", b"", zstd.compress(b"")),  # empty frames
    ],
)
def test_a_coded_body_that_goes_on_for_ever_and_decodes_to_nothing_ends(coding, start, unit):
    def script(connection, _head, closing):
        connection.sendall(OK + f"Content-Encoding: {coding}\r\n\r\n".encode() + start)
        while not closing.is_set():
            connection.sendall(unit * 2000)

    with RawServer(script) as server, pytest.raises(FetchFailed, match="longer than its decoded size"):
        fetch(server.url, seconds=20)


@covers("FETCH-12")
@pytest.mark.parametrize(
    ("body", "words"),
    [
        *((size + b"\r\nhello\r\n0\r\n\r\n", "no proper size") for size in (b"0x5", b"+5", b"0_5", b"-5", b"", b" 5")),
        (b"5\nhello\r\n0\r\n\r\n", "no proper size"),
        (b"5;" + b"x" * 5000 + b"\r\nhello\r\n0\r\n\r\n", "goes on too long"),
        (b"1" * 16 + b"\r\nhello", "no proper size"),
        (b"1\r\nabc\r\n0\r\n\r\n", "longer than its size"),
        (b"5\r\nhel", "before the whole body"),
        (b"5\r\nhello\r\n", "before the whole body"),
        (b"5\r\nhello\r\n0\r\n", "before the whole body"),
        (b"5\r\nhello\r\n0\r\n" + b"X: y\r\n" * 200 + b"\r\n", "trailers do not end"),
    ],
)
def test_chunks_are_read_strictly(body, words):
    head = OK + b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    with RawServer(answering(head + body)) as server, pytest.raises(FetchFailed, match=words) as caught:
        fetch(server.url)
    assert caught.value.phase == "body"


def test_chunks_with_extensions_and_trailers_are_put_together():
    body = b"3;a=b\r\nhel\r\n2 ; c\r\nlo\r\n000\r\nX: y\r\n\r\n"
    with RawServer(answering(OK + b"Transfer-Encoding: chunked\r\n\r\n" + body)) as server:
        assert fetch(server.url).body == b"hello"


@pytest.mark.parametrize("coding", ["", "Content-Encoding: gzip\r\n"])
def test_a_body_that_ends_early_is_an_error(coding):
    response = OK + coding.encode() + b"Content-Length: 900\r\n\r\n" + gzip.compress(b"ok")
    with RawServer(answering(response)) as server, pytest.raises(FetchFailed, match="before the whole body"):
        fetch(server.url)
