"""One exchange in plain HTTP: written anew in both directions, so that nothing odd gets through."""

from __future__ import annotations

from itertools import pairwise

import h11
import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.egress.exchange import Exchange
from blitzweb.egress.head import Malformed, read_head
from blitzweb.egress.target import Target
from blitzweb.limits import MAX_HEADER_BYTES, MAX_INTERIM_RESPONSES
from tests.support.covers import covers

TARGET = Target("a.example", 8080, "a.example:8080", "/x?y")
OK = b"HTTP/1.1 200 OK\r\n"


def begin(
    *lines: str, method: str = "GET", minor: int = 1, body: bytes = b"", host: str = "b.example"
) -> tuple[Exchange, bytes]:
    """Return an exchange and what the origin got first."""
    text = [f"{method} http://a.example:8080/x?y HTTP/1.{minor}", f"Host: {host}", *lines, "", ""]
    raw = "\r\n".join(text).encode("latin-1")
    exchange = Exchange(read_head(raw), TARGET)
    return exchange, exchange.begin(body)


def answered(raw: bytes, *lines: str, method: str = "GET", minor: int = 1, end: bool = False) -> tuple[bytes, Exchange]:
    """Return what a client gets for an origin's bytes."""
    exchange, _ = begin(*lines, method=method, minor=minor)
    got = exchange.from_origin(raw)
    return got + (exchange.from_origin(b"") if end else b""), exchange


def read_answer(got: bytes, method: bytes = b"GET") -> tuple[h11.Response, bytes, bool]:
    """Read what a client got; the answer, its body, and whether it ended as it should."""
    client = h11.Connection(h11.CLIENT)
    client.send(h11.Request(method=method, target="/", headers=[("Host", "a")]))
    client.send(h11.EndOfMessage())
    client.receive_data(got)
    response, body = client.next_event(), b""
    while isinstance(response, h11.InformationalResponse):
        response = client.next_event()
    while isinstance(event := client.next_event(), h11.Data):
        body += event.data
    return response, body, isinstance(event, h11.EndOfMessage)


# --- requests --------------------------------------------------------------------------------------------------------


@covers("EGRESS-05")
def test_the_origin_gets_path_and_host_from_the_request_line():
    _, sent = begin("Accept: */*", "Cookie: a=b; c")
    assert sent == b"GET /x?y HTTP/1.1\r\nHost: a.example:8080\r\nAccept: */*\r\nCookie: a=b; c\r\n\r\n"


@covers("EGRESS-05")
def test_what_is_for_the_proxy_stays_here():
    _, sent = begin(
        "Proxy-Authorization: Basic c2VjcmV0",
        "Proxy-Connection: keep-alive",
        "Connection: keep-alive, X-Private, host, Upgrade",
        "Keep-Alive: 5",
        "X-Private: 1",
        "TE: trailers",
        "Trailer: X",
        "Upgrade: websocket",
        "HTTP2-Settings: AAMAAABk",
        "X-Public: 2",
    )
    assert sent == b"GET /x?y HTTP/1.1\r\nHost: a.example:8080\r\nX-Public: 2\r\n\r\n"


@covers("EGRESS-05")
def test_no_connection_header_takes_the_framing_away():
    _, sent = begin("Connection: content-length, transfer-encoding", "Content-Length: 2", method="POST", body=b"ok")
    assert sent.endswith(b"Content-Length: 2\r\n\r\nok")


@covers("EGRESS-05")
def test_a_request_without_a_host_or_with_two_is_none():
    with pytest.raises(Malformed):
        read_head(b"GET http://a.example/ HTTP/1.1\r\n\r\n")
    with pytest.raises(Malformed):
        begin("Host: a.example")


@covers("EGRESS-05")
@pytest.mark.parametrize(
    "chunks",
    [
        b"-5\r\nhello\r\n0\r\n\r\n",
        b"+5\r\nhello\r\n0\r\n\r\n",
        b"0x5\r\nhello\r\n0\r\n\r\n",
        b" 5\r\nhello\r\n0\r\n\r\n",
        b"5 5\r\nhello\r\n0\r\n\r\n",
        b"g\r\nhello\r\n0\r\n\r\n",
        b"\r\nhello\r\n0\r\n\r\n",
        b"5\r\nhelloXX0\r\n\r\n",
        b"5\r\nhello0\r\n\r\n",
        b"fffffffffffffffffffff\r\nhello",
        b"5;" + b"x" * MAX_HEADER_BYTES,
        b"5\r\nhello\r\n0\r\nno header\r\n\r\n",
        b"5\r\nhello\r\n0\r\n" + b"X: y\r\n" * MAX_HEADER_BYTES,
    ],
)
def test_odd_chunks_are_refused(chunks):
    with pytest.raises(Malformed):
        begin("Transfer-Encoding: chunked", method="POST", body=chunks)


@covers("EGRESS-05")
def test_a_line_feed_alone_ends_no_chunk():
    exchange, sent = begin("Transfer-Encoding: chunked", method="POST", body=b"5\nhello\n0\n\n")
    assert sent.endswith(b"\r\n\r\n")
    assert not exchange.asked


@covers("EGRESS-05")
def test_what_follows_a_request_is_never_sent_with_it():
    smuggled = b"GET http://b.example/admin HTTP/1.1\r\nHost: b.example\r\n\r\n"
    exchange, sent = begin("Content-Length: 2", method="POST", body=b"ok" + smuggled)
    assert sent.endswith(b"\r\n\r\nok")
    assert (exchange.asked, exchange.rest) == (True, smuggled)
    exchange, sent = begin(
        "Transfer-Encoding: chunked", method="POST", body=b"2;x=y\r\nok\r\n0\r\nX: y\r\n\r\n" + smuggled
    )
    assert sent.endswith(b"\r\n\r\n2\r\nok\r\n0\r\n\r\n")
    assert exchange.rest == smuggled
    exchange, sent = begin(body=smuggled)
    assert sent.count(b"HTTP/1.1") == 1
    assert exchange.rest == smuggled


@given(body=st.binary(max_size=300), cuts=st.lists(st.integers(0, 700), max_size=6), chunk=st.integers(1, 50))
def test_a_body_arrives_as_it_was_sent_in_whatever_pieces(body, cuts, chunk):
    pieces = [body[at : at + chunk] for at in range(0, len(body), chunk)]
    framed = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"
    for header, data in (("Transfer-Encoding: chunked", framed), (f"Content-Length: {len(body)}", body)):
        exchange, sent = begin(header, method="POST")
        edges = [0, *sorted(cuts), len(data)]
        sent += b"".join(exchange.from_client(data[begin:end]) for begin, end in pairwise(edges) if data[begin:end])
        origin, got = h11.Connection(h11.SERVER), b""
        origin.receive_data(sent)
        request = origin.next_event()
        while isinstance(event := origin.next_event(), h11.Data):
            got += event.data
        assert isinstance(event, h11.EndOfMessage)
        assert (request.method, got, exchange.asked) == (b"POST", body, True)


# --- answers ---------------------------------------------------------------------------------------------------------


@covers("EGRESS-05")
def test_no_answer_can_be_taken_for_ours():
    got, _ = answered(
        OK + b"X-Blitzweb-Refused: deny-rule\r\nx-BLITZWEB-failed: dns\r\nProxy-Authenticate: Basic realm=x\r\n"
        b"Connection: X-Private\r\nX-Private: 1\r\nSet-Cookie: a\r\nSet-Cookie: b\r\nContent-Length: 2\r\n\r\nok"
    )
    assert got == OK + b"Set-Cookie: a\r\nSet-Cookie: b\r\nContent-Length: 2\r\n\r\nok"


@covers("EGRESS-05")
@pytest.mark.parametrize(
    "raw",
    [
        b"HTTP/1.1 407 Who are you\r\nProxy-Authenticate: Basic realm=blitzweb\r\nContent-Length: 0\r\n\r\n",
        OK + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n",
        OK + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n",
        OK + b"Content-Length: -1\r\n\r\n",
        OK + b"Transfer-Encoding: gzip\r\n\r\n",
        OK + b"X: a\x00b\r\n\r\n",
        OK + b"X y: a\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        b"HTTP/1.1 102 Processing\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n" * (MAX_INTERIM_RESPONSES + 1),
        b"HTTP/1.1 99 Low\r\n\r\n",
        b"HTTP/2 200 OK\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.6\r\n\r\n",
        b"\x15\x03\x01\x00\x02\x02\x46\r\n\r\n",
        OK + b"X: " + b"y" * 2 * MAX_HEADER_BYTES,
    ],
)
def test_answers_that_are_none_are_not_passed_on(raw):
    exchange, _ = begin()
    with pytest.raises(Malformed):
        exchange.from_origin(raw)
    assert not exchange.answering


@pytest.mark.parametrize(
    ("raw", "method", "body", "keeps"),
    [
        (OK + b"Content-Length: 2\r\n\r\nok", "GET", b"ok", True),
        (OK + b"Content-Length: 2\r\n\r\n", "HEAD", b"", True),
        (OK + b"Content-Length: 0\r\n\r\n", "POST", b"", True),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n2;x\r\nok\r\n0\r\nX: y\r\n\r\n", "GET", b"ok", True),
        (b"HTTP/1.1 204 No\r\n\r\n", "GET", b"", True),
        (b"HTTP/1.1 304 Same\r\nContent-Length: 7\r\n\r\n", "GET", b"", True),
        (OK + b"Connection: close\r\nContent-Length: 2\r\n\r\nok", "GET", b"ok", False),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", "GET", b"ok", False),
        (b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok", "GET", b"ok", False),
        (b"HTTP/1.1 100 Continue\r\n\r\n" + OK + b"Content-Length: 2\r\n\r\nok", "POST", b"ok", True),
        (b"HTTP/1.1 103 Early\r\nLink: </a>\r\n\r\n" + OK + b"Content-Length: 2\r\n\r\nok", "GET", b"ok", True),
        (OK + b"Content-Length: 2\r\n\r\nok" + OK, "GET", b"ok", False),  # an answer that nobody asked for
    ],
)
def test_answers_and_whether_their_connections_are_kept(raw, method, body, keeps):
    got, exchange = answered(raw, *(["Content-Length: 0"] if method == "POST" else []), method=method)
    assert read_answer(got, method.encode())[1:] == (body, True)
    assert (exchange.answered, exchange.reusable) == (True, keeps)
    if not keeps and exchange.answered and not raw.endswith(OK):
        assert b"onnection: close\r\n" in got


@pytest.mark.parametrize("end", ["HTTP/1.1", "HTTP/1.0"])
def test_a_body_that_ends_with_its_connection_gets_an_end_that_can_be_told_from_a_break(end):
    got, exchange = answered(f"{end} 200 OK\r\n\r\nsome".encode(), end=True)
    response, body, ended = read_answer(got)
    assert (body, ended, exchange.reusable) == (b"some", True, False)
    assert (b"transfer-encoding", b"chunked") in response.headers


def test_a_client_of_http_1_0_gets_no_chunks_and_no_interim_answers():
    raw = b"HTTP/1.1 103 Early\r\n\r\n" + OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
    got, exchange = answered(raw, minor=0)
    assert got == OK + b"Connection: close\r\n\r\nok"
    assert not exchange.reusable


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"HTTP/1.1 200",
        OK + b"Content-Length: 5\r\n\r\nok",
        OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nok",
        OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n",
    ],
)
def test_an_answer_that_breaks_off_is_none(raw):
    exchange, _ = begin()
    exchange.from_origin(raw) if raw else None
    with pytest.raises(Malformed):
        exchange.from_origin(b"")
    assert not exchange.answered


def test_an_answer_before_the_request_is_whole_ends_the_connection():
    exchange, _ = begin("Content-Length: 5", method="POST", body=b"he")
    got = exchange.from_origin(b"HTTP/1.1 413 Too much\r\nContent-Length: 0\r\n\r\n")
    assert read_answer(got, b"POST")[2]
    assert (exchange.answered, exchange.asked, exchange.reusable) == (True, False, False)


@given(body=st.binary(max_size=300), cuts=st.lists(st.integers(0, 700), max_size=6))
def test_an_answer_arrives_as_it_was_sent_in_whatever_pieces(body, cuts):
    for raw in (
        OK + b"Content-Length: %d\r\n\r\n%s" % (len(body), body),
        OK
        + b"Transfer-Encoding: chunked\r\n\r\n"
        + (b"%x\r\n%s\r\n" % (len(body), body) if body else b"")
        + b"0\r\n\r\n",
    ):
        exchange, _ = begin()
        edges = [0, *sorted(cuts), len(raw)]
        got = b"".join(exchange.from_origin(raw[begin:end]) for begin, end in pairwise(edges) if raw[begin:end])
        assert read_answer(got)[1:] == (body, True)
        assert exchange.reusable
