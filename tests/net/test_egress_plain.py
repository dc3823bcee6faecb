"""Plain HTTP through the egress proxy: one origin for each connection, and nothing odd in either direction."""

from __future__ import annotations

import contextlib
import hashlib
import socket
import threading

import pytest

from blitzweb.egress.proxy import Failure
from blitzweb.net.dialer import Dialer
from blitzweb.policy.verdicts import Reason, Refuse
from tests.support.covers import covers
from tests.support.egress import (
    SECONDS,
    Kept,
    Ticking,
    ask,
    connect,
    pass_time,
    proxying,
    read_to_end,
    request,
    split_answer,
    until,
)
from tests.support.fetching import OK, Names, Wires, answering
from tests.support.raw_server import RawServer

ANSWER = OK + b"Content-Length: 2\r\n\r\nok"
BIG = 20_000_000


def read_until(connection: socket.socket, end: bytes) -> bytes:
    """Read up to what must come."""
    data = b""
    while not data.endswith(end):
        part = connection.recv(65536)
        assert part, data
        data += part
    return data


@covers("EGRESS-05")
def test_requests_to_one_origin_share_both_connections():
    with RawServer(answering(ANSWER, keep=True)) as server, proxying() as proxy, connect(proxy) as connection:
        for number in range(5):
            connection.sendall(request("GET", f"{server.url}{number}", "Accept: */*"))
            assert read_until(connection, b"ok") == ANSWER
        assert server.connections == 1
        host = f"127.0.0.1:{server.port}".encode()
        assert server.requests[4] == b"GET /4 HTTP/1.1\r\nHost: " + host + b"\r\nAccept: */*\r\n\r\n"


@covers("EGRESS-05")
def test_requests_that_come_at_once_are_answered_one_after_the_other():
    with RawServer(answering(ANSWER, keep=True)) as server, proxying() as proxy, connect(proxy) as connection:
        connection.sendall(b"".join(request("GET", f"{server.url}{number}") for number in range(30)))
        got = b""
        while got.count(b"ok") < 30:
            got += connection.recv(65536)
        assert got == ANSWER * 30
        assert [head.split(b" ")[1] for head in server.requests] == [b"/%d" % number for number in range(30)]


@covers("EGRESS-05")
@pytest.mark.parametrize("other", ["http://localhost:{port}/", "http://127.0.0.1:{other}/"])
def test_another_origin_ends_the_connection_and_gets_nothing(other):
    with (
        RawServer(answering(ANSWER, keep=True)) as server,
        RawServer(answering(ANSWER)) as second,
        proxying() as proxy,
        connect(proxy) as connection,
    ):
        target = other.format(port=server.port, other=second.port)
        connection.sendall(request("GET", server.url) + request("GET", target))
        assert read_to_end(connection) == ANSWER
        assert (len(server.requests), second.connections) == (1, 0)


@covers("EGRESS-05")
@pytest.mark.parametrize(
    ("second", "status"),
    [
        (lambda url: request("GET", url, token=b""), 407),
        (lambda url: request("GET", url, "Content-Length: 1", "Content-Length: 1"), 400),
        (lambda url: request("GET", url).replace(b"\r\n", b"\n"), 400),
        (lambda _url: request("GET", "http://blitzweb.invalid/"), 200),
    ],
)
def test_every_request_on_a_connection_is_judged(second, status):
    with RawServer(answering(ANSWER, keep=True)) as server, proxying() as proxy, connect(proxy) as connection:
        connection.sendall(request("GET", server.url))
        assert read_until(connection, b"ok") == ANSWER
        connection.sendall(second(server.url))
        assert split_answer(read_to_end(connection))[0] == status
        assert len(server.requests) == 1


@covers("EGRESS-05")
def test_every_request_on_a_connection_is_decided_on():
    kept, denied = Kept(), threading.Event()

    def admit(_host, _port):
        return Refuse(Reason.DENY_DOMAIN, "not any more") if denied.is_set() else None

    with (
        RawServer(answering(ANSWER, keep=True)) as server,
        proxying(kept, admit=admit) as proxy,
        connect(proxy) as connection,
    ):
        connection.sendall(request("GET", server.url))
        assert read_until(connection, b"ok") == ANSWER
        denied.set()
        connection.sendall(request("GET", server.url))
        assert split_answer(read_to_end(connection))[0] == 403
        assert kept.refused.get(timeout=SECONDS).reason is Reason.DENY_DOMAIN
        assert len(server.requests) == 1


@covers("EGRESS-05")
def test_decided_dialled_and_named_by_the_request_line_alone():
    with RawServer(answering(ANSWER)) as server:
        wires = Wires(lambda _port: server.port)
        names = Names({"a.example": [["93.184.215.14"]], "of.no.account": [["93.184.216.34"]]})
        with proxying(dialer=Dialer(resolver=names, connect=wires, is_own=lambda _: False)) as proxy:
            assert ask(proxy, request("GET", "http://a.example:81/x"))[0] == 200
    assert wires.dialled == [("93.184.215.14", 81)]
    assert names.asked == ["a.example"]
    assert server.requests[0].startswith(b"GET /x HTTP/1.1\r\nHost: a.example:81\r\n")


SMUGGLED = b"GET /admin HTTP/1.1\r\nHost: a\r\n\r\n"


@covers("EGRESS-05")
@pytest.mark.parametrize(
    ("lines", "body"),
    [
        (["Content-Length: 0", "Transfer-Encoding: chunked"], SMUGGLED),
        (["Transfer-Encoding: chunked", "Content-Length: 4"], b"0\r\n\r\n" + SMUGGLED),
        (["Content-Length: 0", f"Content-Length: {len(SMUGGLED)}"], SMUGGLED),
        ([f"Content-Length: {len(SMUGGLED)}, 0"], SMUGGLED),
        (["Transfer-Encoding: chunked", "Transfer-Encoding: identity"], b"0\r\n\r\n" + SMUGGLED),
        (["Transfer-Encoding: xchunked"], b"0\r\n\r\n" + SMUGGLED),
        (["Transfer-Encoding : chunked"], b"0\r\n\r\n" + SMUGGLED),
        (["Transfer-Encoding:\x0bchunked"], b"0\r\n\r\n" + SMUGGLED),
        (["X: y\nTransfer-Encoding: chunked"], b"0\r\n\r\n" + SMUGGLED),
        (["X: y\rTransfer-Encoding: chunked"], b"0\r\n\r\n" + SMUGGLED),
        (["Content-Length: 1_0"], SMUGGLED),
        (["X: y", " Content-Length: 9"], SMUGGLED),
    ],
)
def test_what_may_be_two_requests_is_none(lines, body):
    with RawServer(answering(ANSWER)) as server, proxying() as proxy:
        assert ask(proxy, request("POST", server.url, *lines, body=body))[0] == 400
        assert server.connections == 0


@covers("EGRESS-05")
@pytest.mark.parametrize("chunks", [b"-5\r\nhello", b"5 \x0b\r\nhello", b"0x1\r\nx", b"1\r\nxSMUGGLED", b"\r\n"])
def test_odd_chunks_end_in_400_and_reach_nobody(chunks):
    with RawServer(answering(ANSWER)) as server, proxying() as proxy:
        status, _, _ = ask(proxy, request("POST", server.url, "Transfer-Encoding: chunked", body=chunks))
        assert status == 400
        assert b"SMUGGLED" not in b"".join(server.requests)


@covers("EGRESS-05")
def test_a_second_request_in_the_body_of_the_first_is_judged_by_itself():
    inner = request("GET", "http://127.0.0.1:1/admin")
    with RawServer(answering(ANSWER, keep=True)) as server, proxying() as proxy, connect(proxy) as connection:
        connection.sendall(request("GET", server.url, body=inner))
        assert read_to_end(connection) == ANSWER
        assert len(server.requests) == 1


@covers("EGRESS-05")
@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 407 Show me\r\nProxy-Authenticate: Basic realm=blitzweb\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nok",
        b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
        b"220 mail.example ESMTP\r\n\r\n",
        b"",
    ],
)
def test_what_no_browser_must_get_is_502(answer):
    kept = Kept()
    with RawServer(answering(answer)) as server, proxying(kept) as proxy:
        status, headers, _ = ask(proxy, request("GET", server.url, "Upgrade: x", "Connection: Upgrade"))
        assert (status, headers["x-blitzweb-failed"]) == (502, "headers")
        assert "proxy-authenticate" not in headers
        failure = kept.failed.get(timeout=SECONDS)
        assert isinstance(failure, Failure)
        assert failure[:3] == ("127.0.0.1", server.port, "headers")
        assert b"pgrade" not in server.requests[0]


@covers("EGRESS-05")
def test_an_origin_cannot_forge_a_refusal():
    forged = b"HTTP/1.1 403 No\r\nX-Blitzweb-Refused: deny-rule\r\nX-BLITZWEB-FAILED: dns\r\nContent-Length: 0\r\n\r\n"
    with RawServer(answering(forged)) as server, proxying() as proxy, connect(proxy) as connection:
        connection.sendall(request("GET", server.url))
        status, headers, _ = split_answer(read_until(connection, b"\r\n\r\n"))
    assert (status, [name for name in headers if "blitz" in name]) == (403, [])


def big_body() -> bytes:
    return b"".join(hashlib.sha256(b"%d" % number).digest() for number in range(BIG // 32))


@pytest.mark.parametrize("framing", ["length", "chunks", "end"])
def test_a_large_answer_arrives_whole(framing):
    body = big_body()

    def script(connection, _head, _closing):
        if framing == "length":
            connection.sendall(OK + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        elif framing == "end":
            connection.sendall(OK + b"\r\n" + body)
        else:
            connection.sendall(OK + b"Transfer-Encoding: chunked\r\n\r\n")
            for at in range(0, len(body), 300_007):
                part = body[at : at + 300_007]
                connection.sendall(b"%x\r\n%s\r\n" % (len(part), part))
            connection.sendall(b"0\r\n\r\n")

    with RawServer(script) as server, proxying() as proxy, connect(proxy) as connection:
        connection.sendall(request("GET", server.url).replace(b"HTTP/1.1", b"HTTP/1.0", 1))
        _, _, got = split_answer(read_to_end(connection))
    assert hashlib.sha256(got).digest() == hashlib.sha256(body).digest()


def test_a_large_upload_arrives_whole():
    body = big_body()
    arrived: list[bytes] = []

    def script(connection, _head, _closing):
        digest, left = hashlib.sha256(), len(body)
        while left:
            part = connection.recv(min(left, 65536))
            digest.update(part)
            left -= len(part)
        arrived.append(digest.digest())
        connection.sendall(ANSWER)

    with RawServer(script) as server, proxying() as proxy, connect(proxy) as connection:
        connection.sendall(request("POST", server.url, f"Content-Length: {len(body)}", body=body))
        assert read_until(connection, b"ok") == ANSWER
    assert arrived == [hashlib.sha256(body).digest()]


@covers("EGRESS-05")
@pytest.mark.parametrize(
    ("start", "resets"),
    [
        (OK + b"Content-Length: 100\r\n\r\nsome", False),
        (OK + b"Content-Length: 100\r\n\r\nsome", True),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n4\r\nsome\r\n", False),
        (OK + b"\r\nsome", True),
    ],
)
def test_an_answer_that_breaks_off_looks_broken_to_the_client(start, resets):
    def script(connection, _head, _closing):
        connection.sendall(start)
        if resets:
            go_on.wait(SECONDS)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")

    go_on = threading.Event()
    with RawServer(script) as server, proxying() as proxy, connect(proxy) as connection:
        connection.sendall(request("GET", server.url))
        if resets:
            assert connection.recv(1) == b"H"
            go_on.set()
        with pytest.raises(ConnectionResetError):
            read_to_end(connection)


@covers("EGRESS-05")
def test_a_client_that_reads_nothing_stops_the_origin():
    sent = 0

    def script(connection, _head, closing):
        nonlocal sent
        connection.sendall(OK + b"Content-Length: 1000000000\r\n\r\n")
        connection.settimeout(0.05)
        while not closing.is_set():
            try:
                sent += connection.send(bytes(65536))
            except TimeoutError:
                continue

    with RawServer(script) as server, proxying() as proxy, connect(proxy) as connection:
        connection.sendall(request("GET", server.url))
        before = -1
        while before != sent:
            before = sent
            threading.Event().wait(0.3)
        assert 0 < sent < 32 * 2**20  # what the kernel's buffers hold, and 64 KiB of ours
        (relay,) = [flow for flow in proxy._parts.loop._flows if type(flow).__name__ == "Relay"]
        assert len(relay._to_client._pending) <= 2 * 65536


@covers("EGRESS-05")
@pytest.mark.parametrize("next_request", ["", "other"])
def test_a_slow_client_gets_the_whole_of_its_last_answer(next_request):
    body = big_body()

    def script(connection, _head, _closing):
        if next_request:
            connection.sendall(OK + b"Content-Length: %d\r\n\r\n" % len(body) + body)
            return True
        return connection.sendall(OK + b"\r\n" + body)

    clock = Ticking()
    with RawServer(script) as server, proxying(clock=clock) as proxy, connect(proxy) as connection:
        data = request("GET", server.url)
        if next_request:
            data += request("GET", f"http://localhost:{server.port}/")
        else:
            data = data.replace(b"HTTP/1.1", b"HTTP/1.0", 1)
        connection.sendall(data)
        got = bytearray()
        while part := connection.recv(1_000_000):
            got += part
            pass_time(proxy, clock, 3)
    assert len(server.requests) == 1
    assert bytes(got).count(body[:1000]) == 1
    assert body[-1000:] in got


def test_an_origin_that_ends_an_idle_connection_ends_the_clients():
    with RawServer(answering(ANSWER, keep=True)) as server, proxying() as proxy, connect(proxy) as connection:
        connection.sendall(request("GET", server.url))
        assert read_until(connection, b"ok") == ANSWER
        server._closing.set()
        (relay,) = [flow for flow in proxy._parts.loop._flows if type(flow).__name__ == "Relay"]
        proxy._parts.loop.call(lambda: relay._origin.shutdown(socket.SHUT_RDWR))
        assert connection.recv(1) == b""


@covers("EGRESS-05")
def test_a_kept_connection_and_a_silent_origin_have_their_time():
    clock, kept = Ticking(), Kept()

    def script(connection, head, closing):
        if b"/silent" in head:
            closing.wait(SECONDS)
        connection.sendall(ANSWER)
        return True

    with (
        RawServer(script) as server,
        proxying(kept, clock=clock) as proxy,
        connect(proxy) as idle,
        contextlib.ExitStack() as stack,
    ):
        for _ in range(4):
            idle.sendall(request("GET", server.url))
            assert read_until(idle, b"ok") == ANSWER
            pass_time(proxy, clock, 50)
        silent = stack.enter_context(connect(proxy))
        silent.sendall(request("GET", f"{server.url}silent"))
        until(lambda: len(server.requests) == 5)
        pass_time(proxy, clock, 11)
        assert idle.recv(1) == b""
        pass_time(proxy, clock, 850)
        assert len(proxy._parts.loop._flows) == 2
        pass_time(proxy, clock, 60)
        assert silent.recv(1) == b""
