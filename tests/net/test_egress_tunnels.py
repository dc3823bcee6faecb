"""Tunnels through the egress proxy: every byte both ways, as fast as the slower end, thousands at once."""

from __future__ import annotations

import contextlib
import hashlib
import random
import socket
import ssl
import threading

import pytest
import trustme

from blitzweb.egress import pump as pump_module
from tests.support.covers import covers
from tests.support.egress import (
    SECONDS,
    Ticking,
    connect,
    egress_threads,
    open_tunnel,
    pass_time,
    proxying,
    read_to_end,
    request,
    until,
)
from tests.support.fetching import OK, answering
from tests.support.raw_server import RawServer

HELLO = b"\x16\x03\x01\x00\x05\x01hello"  # what a tunnel must begin with
BULK = 16_000_000


@pytest.fixture(params=["splice", "copy"])
def way(request, monkeypatch):
    """Move bulk through pipes, or copy it, as on systems without splice."""
    if request.param == "copy":
        monkeypatch.setattr(pump_module, "_SPLICES", False)
    elif not pump_module._SPLICES:
        pytest.skip("this system has no splice")
    return request.param


def echo(connection: socket.socket, _head: bytes, _closing: threading.Event) -> None:
    """Send back what comes, until it ends; then end too."""
    while data := connection.recv(65536):
        connection.sendall(data)


def serving(script):
    """A server that begins without waiting for a request."""
    return RawServer(script, at_once=True)


def tunnels(proxy) -> list:
    return [flow for flow in proxy._parts.loop._flows if type(flow).__name__ == "Tunnel"]


@covers("EGRESS-05")
@pytest.mark.parametrize("seed", range(3))
def test_bulk_arrives_unchanged_in_both_directions(way, seed):
    source = random.Random(seed)
    sent = HELLO + source.randbytes(BULK)

    def send_all(connection):
        at = 0
        while at < len(sent):
            size = source.choice([1, 100, 5000, 65536, 300_000])
            connection.sendall(sent[at : at + size])
            at += size
        connection.shutdown(socket.SHUT_WR)

    with serving(echo) as server, proxying() as proxy, open_tunnel(proxy, server.port) as connection:
        sender = threading.Thread(target=send_all, args=(connection,))
        sender.start()
        got = read_to_end(connection)
        sender.join()
        assert hashlib.sha256(got).digest() == hashlib.sha256(sent).digest()
        until(lambda: not tunnels(proxy))


@covers("EGRESS-05")
def test_each_direction_ends_by_itself(way):
    after = b"".join(b"%d " % number for number in range(100_000))

    def script(connection, _head, _closing):
        got = read_to_end(connection)  # comes to an end only if the client's end is passed on
        connection.sendall(got + after)

    with serving(script) as server, proxying() as proxy, open_tunnel(proxy, server.port) as connection:
        connection.sendall(HELLO)
        connection.shutdown(socket.SHUT_WR)
        assert read_to_end(connection) == HELLO + after

    def ends_first(connection, _head, _closing):
        connection.sendall(b"bye")
        connection.shutdown(socket.SHUT_WR)
        heard.append(read_to_end(connection))

    heard = []
    with serving(ends_first) as server, proxying() as proxy, open_tunnel(proxy, server.port) as connection:
        connection.sendall(HELLO)
        assert read_to_end(connection) == b"bye"
        connection.sendall(after)
        connection.shutdown(socket.SHUT_WR)
        until(lambda: bool(heard))
        assert heard == [HELLO + after]


@covers("EGRESS-05")
@pytest.mark.parametrize("stalls", ["client", "host"])
def test_who_reads_nothing_stops_the_other_end(way, stalls):
    sent = 0

    def flood(connection, closing):
        nonlocal sent
        connection.settimeout(0.05)
        with contextlib.suppress(OSError):
            while not closing.is_set():
                with contextlib.suppress(TimeoutError):
                    sent += connection.send(bytes(65536))

    def script(connection, _head, closing):
        if stalls == "client":
            flood(connection, closing)
        closing.wait(SECONDS)

    with serving(script) as server, proxying() as proxy, open_tunnel(proxy, server.port) as connection:
        connection.sendall(HELLO)
        closing = threading.Event()
        flooding = threading.Thread(target=flood, args=(connection, closing))
        if stalls == "host":
            flooding.start()
        before = -1
        while before != sent:  # until nothing moves any more
            before = sent
            closing.wait(0.3)
        (tunnel,) = tunnels(proxy)
        for pump in (tunnel._out, tunnel._back):
            assert len(pump._pending or b"") <= 65536
            assert pump._pipe is None or pump._pipe.filled <= 1 << 20
        assert 0 < sent < 32 * 2**20  # the kernel's buffers
        closing.set()
        if stalls == "host":
            flooding.join()


def test_what_was_stalled_goes_on_without_loss(way):
    digest, go_on = hashlib.sha256(), threading.Event()
    total = 0

    def script(connection, _head, closing):
        nonlocal total
        go_on.wait(SECONDS)
        while data := connection.recv(10_000):
            digest.update(data)
            total += len(data)

    source = random.Random(5)
    sent = HELLO + source.randbytes(BULK)
    with serving(script) as server, proxying() as proxy, open_tunnel(proxy, server.port) as connection:
        threading.Timer(0.3, go_on.set).start()
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        until(lambda: total == len(sent))
    assert digest.digest() == hashlib.sha256(sent).digest()


@covers("EGRESS-05")
def test_more_stalled_tunnels_than_pipes(way):
    go_on = threading.Event()

    def script(connection, _head, _closing):
        connection.recv(len(HELLO))
        connection.sendall(b"x" * 8_000_000)
        go_on.wait(SECONDS)

    with serving(script) as server, proxying() as proxy:
        proxy._parts.pipes._left = min(proxy._parts.pipes._left, 3)
        connections = [open_tunnel(proxy, server.port) for _ in range(8)]
        for connection in connections:
            connection.sendall(HELLO)
        until(lambda: all(tunnel._back.blocked for tunnel in tunnels(proxy)) and len(tunnels(proxy)) == 8)
        assert sum(tunnel._back._pipe is not None for tunnel in tunnels(proxy)) <= 3
        go_on.set()
        for connection in connections:
            with connection:
                assert read_to_end(connection) == b"x" * 8_000_000


@covers("EGRESS-05")
@pytest.mark.parametrize("first", ["client", "host"])
def test_an_end_that_breaks_breaks_the_other(first):
    broken = threading.Event()

    def script(connection, _head, closing):
        connection.recv(len(HELLO))
        if first == "host":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            return
        with contextlib.suppress(ConnectionResetError):
            if not connection.recv(1):
                return
        broken.set()

    with serving(script) as server, proxying() as proxy, open_tunnel(proxy, server.port) as connection:
        connection.sendall(HELLO)
        if first == "host":
            with pytest.raises(ConnectionResetError):
                connection.recv(1)
        else:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            connection.close()
            assert broken.wait(SECONDS)
        until(lambda: not tunnels(proxy))


# --- what may be spoken ----------------------------------------------------------------------------------------------


@covers("EGRESS-05")
@pytest.mark.parametrize("data", [b"EHLO a\r\n", b"\x00\x03\x00\x24\x21\x12\xa4\x42", b"SSH-2.0-x\r\n"])
def test_other_protocols_get_nothing_in_either_direction(data):
    heard = []

    def script(connection, _head, _closing):
        connection.sendall(b"220 ready\r\n")
        with contextlib.suppress(ConnectionResetError):
            heard.append(connection.recv(100))

    with serving(script) as server, proxying() as proxy, open_tunnel(proxy, server.port) as connection:
        connection.sendall(data)
        with contextlib.suppress(ConnectionResetError):
            assert connection.recv(100) == b""
        until(lambda: not tunnels(proxy))
    assert heard in ([], [b""])


@covers("EGRESS-05")
def test_a_banner_waits_for_the_clients_first_words():
    def script(connection, _head, _closing):
        connection.sendall(b"220 ready\r\n")
        echo(connection, b"", _closing)

    with serving(script) as server, proxying() as proxy, open_tunnel(proxy, server.port) as connection:
        connection.settimeout(0.2)
        with pytest.raises(TimeoutError):
            connection.recv(1)
        (tunnel,) = tunnels(proxy)
        assert tunnel._host.fileno() not in proxy._parts.loop._watched  # else it would be told of it all the time
        connection.settimeout(SECONDS)
        for byte in HELLO:
            connection.sendall(bytes([byte]))
        connection.shutdown(socket.SHUT_WR)
        assert read_to_end(connection) == b"220 ready\r\n" + HELLO


def test_what_comes_with_the_request_is_the_tunnels_first():
    with serving(echo) as server, proxying() as proxy, connect(proxy) as connection:
        connection.sendall(request("CONNECT", f"127.0.0.1:{server.port}", body=HELLO))
        got = b""
        while not got.endswith(HELLO):
            got += connection.recv(1000)
        assert got.startswith(b"HTTP/1.1 200 ")


@covers("EGRESS-05")
def test_tls_is_between_the_client_and_its_host_alone(way):
    authority = trustme.CA()
    server_side = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("a.example").configure_cert(server_side)
    client_side = ssl.create_default_context()
    authority.configure_trust(client_side)
    body = random.Random(3).randbytes(3_000_000)
    answer = OK + b"Content-Length: %d\r\n\r\n" % len(body) + body
    with (
        RawServer(answering(answer), context=server_side) as server,
        proxying() as proxy,
        open_tunnel(proxy, server.port) as connection,
        client_side.wrap_socket(connection, server_hostname="a.example", suppress_ragged_eofs=True) as secured,
    ):
        secured.sendall(b"GET / HTTP/1.1\r\nHost: a.example\r\n\r\n")
        assert read_to_end(secured) == answer
    assert b"roxy-" not in server.requests[0]


@covers("EGRESS-05")
def test_websockets_go_through_a_tunnel():
    def script(connection, head, closing):
        assert b"Upgrade: websocket" in head
        connection.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
        echo(connection, head, closing)

    with RawServer(script) as server, proxying() as proxy, open_tunnel(proxy, server.port) as connection:
        connection.sendall(b"GET /chat HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
        assert connection.recv(1000).startswith(b"HTTP/1.1 101 ")
        connection.sendall(b"\x81\x82\0\0\0\0hi")
        assert connection.recv(1000) == b"\x81\x82\0\0\0\0hi"


# --- many, and for long ----------------------------------------------------------------------------------------------


@covers("EGRESS-05")
def test_an_idle_tunnel_has_its_time_and_any_byte_renews_it():
    clock = Ticking()
    with serving(echo) as server, proxying(clock=clock) as proxy, open_tunnel(proxy, server.port) as connection:
        connection.sendall(HELLO)
        assert connection.recv(100) == HELLO
        for _ in range(3):
            pass_time(proxy, clock, 890)
            connection.sendall(b"x")
            assert connection.recv(100) == b"x"
        pass_time(proxy, clock, 899)
        assert len(tunnels(proxy)) == 1
        pass_time(proxy, clock, 2)
        with pytest.raises(ConnectionResetError):
            connection.recv(1)


@covers("EGRESS-05")
def test_a_tunnel_in_which_nothing_is_said_has_a_minute():
    clock = Ticking()
    with serving(echo) as server, proxying(clock=clock) as proxy, open_tunnel(proxy, server.port) as connection:
        pass_time(proxy, clock, 61)
        with contextlib.suppress(ConnectionResetError):
            assert connection.recv(1) == b""
        assert tunnels(proxy) == []


class EchoLoop:
    """One thread that accepts and echoes for any number of connections."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port = self._listener.getsockname()[1]
        self.connections: list[socket.socket] = []
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self.connections.append(connection)

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        for connection in (self._listener, *self.connections):
            connection.close()


@covers("EGRESS-05")
def test_a_thousand_tunnels_at_once():
    hosts = EchoLoop()
    with contextlib.closing(hosts), proxying() as proxy, contextlib.ExitStack() as stack:
        clients = [stack.enter_context(open_tunnel(proxy, hosts.port)) for _ in range(1000)]
        for number, client in enumerate(clients):
            client.sendall(HELLO + b"%04d" % number)
        heard = {}
        for host in hosts.connections:
            host.settimeout(SECONDS)
            data = b""
            while len(data) < len(HELLO) + 4:
                data += host.recv(100)
            heard[int(data[-4:])] = host
        assert sorted(heard) == list(range(1000))
        for number, host in heard.items():
            host.sendall(b"%d" % number)
        for number, client in enumerate(clients):
            assert client.recv(100) == b"%d" % number
        until(lambda: egress_threads() == ["blitzweb-egress"])
        assert len(tunnels(proxy)) == 1000
    assert egress_threads() == []
