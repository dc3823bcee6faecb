"""Connections that are kept: which are used again, and which are not."""

from __future__ import annotations

import socket
import struct
import threading

import pytest

from blitzweb.errors import FetchFailed
from blitzweb.net import pool as pool_module
from blitzweb.net.dialer import Dialer
from blitzweb.net.fetch import Fetcher
from blitzweb.net.own import OwnPorts
from tests.support.covers import covers
from tests.support.fetching import LIMIT, OK, PLAN, answering, fetch
from tests.support.raw_server import RawServer

ANSWER = OK + b"Content-Length: 2\r\n\r\nok"


@pytest.fixture
def fetcher():
    made = Fetcher(environ={})
    yield made
    made.close()


@covers("FETCH-08")
@pytest.mark.parametrize(
    "answer",
    [
        ANSWER,
        OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        b"HTTP/1.1 204 No\r\n\r\n",
        b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok",
        OK + b"Content-Length: 0\r\n\r\n",
    ],
)
def test_a_connection_is_used_again(fetcher, answer):
    with RawServer(answering(answer, keep=True)) as server:
        for _ in range(3):
            fetch(server.url, fetcher=fetcher)
        fetcher.close()
    assert (server.connections, len(server.requests)) == (1, 3)


@covers("FETCH-08")
@pytest.mark.parametrize(
    ("answer", "plan"),
    [
        (OK + b"Connection: close\r\nContent-Length: 2\r\n\r\nok", PLAN),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", PLAN),
        (ANSWER, PLAN._replace(max_bytes=1)),  # cut
        (ANSWER, PLAN._replace(keep_alive=False)),
        (
            ANSWER + b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil" + bytes(100_000),
            PLAN,
        ),  # more than was asked for
    ],
)
def test_a_connection_is_not_used_again(fetcher, answer, plan):
    with RawServer(answering(answer, keep=True)) as server:
        for _ in range(2):
            assert fetch(server.url, plan, fetcher=fetcher).body == b"ok"[: plan.max_bytes]
        fetcher.close()
    assert server.connections == 2


@covers("FETCH-08")
def test_a_connection_that_the_server_has_closed_is_replaced(fetcher):
    def script(connection, head, _closing):
        connection.sendall(ANSWER)
        return b"/last" not in head

    with RawServer(script) as server:
        for path in ("a", "last", "after"):
            assert fetch(server.url + path, fetcher=fetcher).body == b"ok"
        fetcher.close()
    assert server.connections == 2


@covers("FETCH-08")
def test_a_connection_that_closes_on_the_next_request_is_replaced_once(fetcher):
    def script(connection, head, _closing):
        if b"/second" in head and server.connections == 1:
            return False  # as a server whose patience ends just now
        connection.sendall(ANSWER)
        return True

    with RawServer(script) as server:
        fetch(server.url, fetcher=fetcher)
        assert fetch(server.url + "second", fetcher=fetcher).body == b"ok"
        fetcher.close()
    assert [head.split()[1] for head in server.requests] == [b"/", b"/second", b"/second"]


def test_a_body_that_breaks_off_on_a_kept_connection_is_not_asked_for_again(fetcher):
    def script(connection, head, _closing):
        if b"/second" not in head:
            connection.sendall(ANSWER)
            return True
        connection.sendall(OK + b"Content-Length: 100\r\n\r\nx")
        read.wait(5)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # close with a reset
        return False

    read = threading.Event()
    plan = PLAN._replace(admit=lambda *_: read.set() if len(server.requests) > 1 else None)
    with RawServer(script) as server:
        fetch(server.url, fetcher=fetcher)
        with pytest.raises(FetchFailed) as caught:
            fetch(server.url + "second", plan, fetcher=fetcher)
    assert caught.value.phase == "body"
    assert [head.split()[1] for head in server.requests] == [b"/", b"/second"]


def test_a_request_with_a_body_is_sent_on_a_connection_of_its_own_and_once(fetcher):
    def script(connection, head, _closing):
        if head.startswith(b"POST"):
            connection.recv(2)
            return False
        connection.sendall(ANSWER)
        return True

    with RawServer(script) as server:
        fetch(server.url, fetcher=fetcher)
        with pytest.raises(FetchFailed, match="closed the connection"):
            fetch(server.url, PLAN._replace(method="POST", body=b"{}"), fetcher=fetcher)
        fetcher.close()
    assert server.connections == 2
    assert len(server.requests) == 2


def test_a_failure_closes_the_connection(fetcher):
    ended = threading.Event()

    def script(connection, _head, _closing):
        connection.sendall(OK + b"Content-Length: 100\r\n\r\nx")
        ended.set() if not connection.recv(1) else None

    with RawServer(script) as server:
        with pytest.raises(FetchFailed):
            fetch(server.url, fetcher=fetcher, seconds=LIMIT)
        assert ended.wait(5)


@covers("FETCH-08")
def test_a_connection_is_used_again_only_while_its_peer_passes():
    ports = OwnPorts()
    fetcher = Fetcher(Dialer(own_ports=ports), environ={})
    with RawServer(answering(ANSWER, keep=True)) as server:
        fetch(server.url, fetcher=fetcher)
        ports.add(server.port)
        with pytest.raises(Exception, match="listens on"):
            fetch(server.url, fetcher=fetcher)
        fetcher.close()
    assert len(server.requests) == 1


def test_another_rule_has_connections_of_its_own(fetcher):
    with RawServer(answering(ANSWER, keep=True)) as server:
        fetch(server.url, fetcher=fetcher)
        fetch(server.url, PLAN._replace(rule=PLAN.rule._replace(every=True)), fetcher=fetcher)
        fetcher.close()
    assert server.connections == 2


def test_what_has_been_idle_too_long_is_closed(fetcher, monkeypatch):
    with RawServer(answering(ANSWER, keep=True)) as server:
        fetch(server.url, fetcher=fetcher)
        monkeypatch.setattr(pool_module, "MAX_IDLE_SECONDS", -1.0)
        fetch(server.url, fetcher=fetcher)
        fetcher.close()
    assert server.connections == 2


def test_the_number_of_idle_connections_is_bounded(fetcher, monkeypatch):
    monkeypatch.setattr(pool_module, "MAX_IDLE_CONNECTIONS", 1)
    with RawServer(answering(ANSWER, keep=True)) as one, RawServer(answering(ANSWER, keep=True)) as other:
        for server in (one, other, other, one):
            fetch(server.url, fetcher=fetcher)
        fetcher.close()
    assert (one.connections, other.connections) == (2, 1)


def test_what_comes_back_to_a_closed_pool_is_closed(fetcher):
    with RawServer(answering(ANSWER, keep=True)) as server:
        fetcher.close()
        fetch(server.url, fetcher=fetcher)
        fetch(server.url, fetcher=fetcher)
    assert server.connections == 2
