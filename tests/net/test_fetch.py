"""Fetching from real sockets: honest servers, hostile ones, and addresses that must never be dialled."""

from __future__ import annotations

import gzip
import socket
import threading
import time
import zlib

import brotli
import pytest
import trustme

from blitzweb.errors import CallCancelled, FetchFailed, Refused
from blitzweb.net.dialer import AddressRule, Dialer
from blitzweb.net.fetch import Fetcher, Plan
from blitzweb.net.own import OwnPorts, is_own_address
from blitzweb.net.tls import TlsContext
from blitzweb.policy.addresses import AddressClass, classify_address
from blitzweb.policy.urls import parse_url
from blitzweb.timing import CancelToken, Deadline
from tests.support.covers import covers
from tests.support.raw_server import RawServer

LOCAL = AddressRule(opened=True)
PLAN = Plan(max_bytes=100_000, headers={"User-Agent": "test"}, rule=LOCAL)
LIMIT = 0.6


def fetch(url, plan=PLAN, *, fetcher=None, seconds=LIMIT, cancel=None, decide_hop=lambda *_: None):
    fetcher = fetcher or Fetcher(environ={})
    try:
        return fetcher.fetch(
            parse_url(url),
            plan,
            deadline=Deadline(seconds),
            cancel=cancel or CancelToken(),
            decide_hop=decide_hop,
        )
    finally:
        fetcher.close()


def answering(response):
    def script(connection, _head, _closing):
        connection.sendall(response)

    return script


def dripping(start, drop):
    def script(connection, _head, closing):
        connection.sendall(start)
        while not closing.wait(0.02):
            connection.sendall(drop)

    return script


OK = b"HTTP/1.1 200 OK\r\n"


@covers("WEB-06a", "FETCH-02")
def test_a_plain_response_and_what_is_sent_for_it():
    with RawServer(answering(OK + b"Content-Length: 2\r\nX-A: 1\r\nX-A: 2\r\n\r\nok")) as server:
        response = fetch(f"{server.url}a%20b?q=1#part")
    assert (response.status, response.body, response.truncated) == (200, b"ok", False)
    assert response.headers["x-a"] == "1, 2"
    head = server.requests[0].decode()
    assert head.startswith("GET /a%20b?q=1 HTTP/1.1\r\n")
    assert f"Host: 127.0.0.1:{server.port}\r\n" in head
    assert "User-Agent: test\r\n" in head
    assert "Cookie" not in head
    assert "Referer" not in head


@covers("FETCH-08")
def test_a_connection_is_kept_alive_and_a_dead_one_is_replaced():
    def script(connection, head, _closing):
        connection.sendall(OK + b"Content-Length: 2\r\n\r\nok")
        return b"/last" not in head

    fetcher = Fetcher(environ={})
    with RawServer(script) as server:
        for path in ("a", "b", "last", "after"):
            url = parse_url(server.url + path)
            response = fetcher.fetch(url, PLAN, deadline=Deadline(5), cancel=CancelToken(), decide_hop=lambda *_: None)
            assert response.body == b"ok"
        fetcher.close()
        assert server.connections == 2


@covers("FETCH-06", "FETCH-12", "WEB-06")
@pytest.mark.parametrize(
    ("script", "phase"),
    [
        (dripping(b"", b""), "headers"),
        (dripping(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), "headers"),
        (dripping(OK, b"X"), "headers"),
        (dripping(OK + b"Content-Length: 100000\r\n\r\n", b"x"), "body"),
        (dripping(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"), "body"),
        (dripping(OK + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"X: y\r\n"), "body"),
    ],
)
def test_a_slow_server_cannot_stretch_the_deadline(script, phase):
    with RawServer(script) as server:
        started = time.monotonic()
        with pytest.raises(FetchFailed) as caught:
            fetch(server.url)
        assert time.monotonic() - started < LIMIT + 0.5
    assert caught.value.phase == phase
    assert phase in caught.value.message


@covers("FETCH-05", "FETCH-12")
@pytest.mark.parametrize(
    ("response", "words"),
    [
        (b"hello\r\n\r\n", "malformed"),
        (b"HTTP/2.0 200 OK\r\n\r\n", "malformed"),
        (b"HTTP/1.1 101 Switching\r\n\r\n", "101 came unasked"),
        (b"HTTP/1.1 103 Early\r\n\r\n" * 20, "interim responses"),
        (OK + b"X: y\r\n" * 101 + b"\r\n", "malformed"),
        (OK + b"X: " + b"y" * 70_000 + b"\r\n\r\n", "malformed"),
        (OK + (b"X: " + b"y" * 60_000 + b"\r\n") * 2 + b"\r\n", "longer than 64 KiB"),
        (OK + b"Content-Length: 2\r\nContent-Length: 5\r\n\r\nok", "in doubt"),
        (OK + b"Content-Length: 2, 5\r\n\r\nok", "in doubt"),
        (OK + b"Content-Length: +2\r\n\r\nok", "in doubt"),
        (OK + b"Content-Length: -1\r\n\r\nok", "in doubt"),
        (OK + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", "not known"),
        (OK + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", "not known"),
        (OK + b"Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n", "may not be"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n0x1\r\na\r\n0\r\n\r\n", "no proper size"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n+1\r\na\r\n0\r\n\r\n", "no proper size"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n-5\r\na\r\n0\r\n\r\n", "no proper size"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n", "longer than its size"),
        (OK + b"X: a\x00b\r\n\r\n", "NUL"),
        (OK + b"X: a\r\n b\r\n\r\n", "folded"),
        (OK + b"X : a\r\n\r\n", "no header"),
        (OK + b"Content-Length: 9\r\n\r\nok", "before the whole body"),
        (OK + b"Content-Encoding: gzip, gzip\r\nContent-Length: 2\r\n\r\nok", "2 times over"),
        (OK + b"Content-Encoding: compress\r\nContent-Length: 2\r\n\r\nok", "not asked for"),
        (OK + b"Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\nok", "Content-Encoding"),
        (b"HTTP/1.1 302 Found\r\n\r\n", "without a Location"),
        (b"HTTP/1.1 302 Found\r\nLocation: /a\r\nLocation: /b\r\n\r\n", "more than one Location"),
    ],
)
def test_what_http_does_not_allow_is_an_error(response, words):
    with RawServer(answering(response)) as server, pytest.raises(FetchFailed) as caught:
        fetch(server.url, seconds=5)
    assert words in caught.value.message


def test_early_hints_are_passed_over():
    hints = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    with RawServer(answering(hints + OK + b"Content-Length: 2\r\n\r\nok")) as server:
        assert fetch(server.url, seconds=5).body == b"ok"


@covers("FETCH-04")
@pytest.mark.parametrize(
    ("coding", "encode"),
    [
        ("gzip", gzip.compress),
        ("deflate", zlib.compress),
        ("deflate", lambda data: zlib.compress(data, wbits=-15)),
        ("br", brotli.compress),
        ("identity", bytes),
    ],
)
@pytest.mark.parametrize(("cap", "truncated"), [(5_000_000, False), (1000, True)])
def test_codings_are_decoded_up_to_the_cap(coding, encode, cap, truncated):
    data = b"blitz" * 20_000
    body = encode(data)
    head = OK + f"Content-Encoding: {coding}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    with RawServer(answering(head + body)) as server:
        response = fetch(server.url, PLAN._replace(max_bytes=cap), seconds=5)
    assert response.body == data[:cap]
    assert response.truncated is truncated


@covers("WEB-05")
def test_redirects_are_decided_one_by_one_and_the_sixth_is_refused():
    def script(connection, head, _closing):
        step = int(head.split()[1][1:] or b"0")
        connection.sendall(f"HTTP/1.1 302 Found\r\nLocation: /{step + 1}\r\nContent-Length: 0\r\n\r\n".encode())

    hops = []
    with RawServer(script) as server, pytest.raises(Refused) as caught:
        fetch(server.url, seconds=5, decide_hop=lambda _from, to: hops.append(to.target))
    assert hops == ["/1", "/2", "/3", "/4", "/5"]
    assert "5 redirects" in caught.value.message
    assert len(server.requests) == 6


def test_a_redirect_that_is_not_decided_for_sends_nothing():
    def refuse(_approved, _target):
        raise Refused("not approved: no", reason="redirect-host")

    with RawServer(answering(b"HTTP/1.1 302 Found\r\nLocation: /x\r\n\r\n")) as server, pytest.raises(Refused):
        fetch(server.url, seconds=5, decide_hop=refuse)
    assert len(server.requests) == 1


@covers("WEB-04", "POLICY-10")
def test_without_the_setting_loopback_is_never_dialled():
    with RawServer(answering(OK)) as server, pytest.raises(Refused) as caught:
        fetch(server.url, PLAN._replace(rule=AddressRule()))
    assert "not a public address" in caught.value.message
    assert "web.allow_private" in caught.value.message
    assert server.connections == 0


class Names:
    """A resolver of the test's own; successive look-ups may differ."""

    def __init__(self, *lookups):
        self._lookups = list(lookups)

    def resolve(self, _host, _deadline, _cancel):
        return self._lookups.pop(0) if len(self._lookups) > 1 else self._lookups[0]


def dialer(*lookups, dialled):
    def connect(address, port, _seconds, _cancel):
        dialled.append((address, port))
        raise ConnectionRefusedError

    return Dialer(resolver=Names(*lookups), connect=connect, is_own=lambda _: False)


@covers("WEB-04")
@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize(
    "answers", [["93.184.215.14", "10.0.0.1"], ["::1", "93.184.215.14"], ["169.254.169.254", "93.184.215.14"]]
)
def test_of_mixed_answers_only_public_ones_are_dialled_and_none_where_all_must_be(answers, every):
    dialled = []
    with pytest.raises((Refused, FetchFailed)):
        dialer(answers, dialled=dialled).dial("x.example", 80, AddressRule(every=every), Deadline(5), CancelToken())
    assert dialled == ([] if every else [("93.184.215.14", 80)])


@covers("WEB-04")
def test_a_name_that_changes_its_mind_is_judged_each_time():
    dialled = []
    changing = dialer(["93.184.215.14"], ["127.0.0.1"], dialled=dialled)
    with pytest.raises(FetchFailed):
        changing.dial("x.example", 443, AddressRule(), Deadline(5), CancelToken())
    with pytest.raises(Refused):
        changing.dial("x.example", 443, AddressRule(), Deadline(5), CancelToken())
    assert dialled == [("93.184.215.14", 443)]


@covers("POLICY-11")
def test_this_machine_is_refused_by_its_public_address_and_by_our_own_ports():
    assert is_own_address("127.0.0.1")
    own = Dialer(resolver=Names(["127.0.0.1"]), classify=lambda _: AddressClass.PUBLIC)
    with pytest.raises(Refused, match="this machine"):
        own.dial("x.example", 80, AddressRule(), Deadline(1), CancelToken())
    ports = OwnPorts()
    with RawServer(answering(OK)) as server:
        ports.add(server.port)
        guarded = Dialer(own_ports=ports, classify=classify_address)
        with pytest.raises(Refused, match="listens on"):
            guarded.dial("127.0.0.1", server.port, LOCAL, Deadline(1), CancelToken())
        assert server.connections == 0


def test_a_peer_that_is_not_what_was_dialled_is_refused():
    with RawServer(answering(OK)) as server:

        def connect(_address, _port, seconds, _cancel):
            return socket.create_connection(("127.0.0.1", server.port), seconds)

        lying = Dialer(resolver=Names(["93.184.215.14"]), connect=connect, is_own=lambda _: False)
        with pytest.raises(FetchFailed, match=r"leads to 127\.0\.0\.1"):
            lying.dial("x.example", 80, AddressRule(), Deadline(1), CancelToken())


@pytest.mark.parametrize("start", [b"", OK, OK + b"Content-Length: 100\r\n\r\nx"])
def test_a_cancel_wakes_whoever_waits_for_the_server(start):
    waiting, cancel, caught = threading.Event(), CancelToken(), []

    def script(connection, _head, closing):
        connection.sendall(start)
        waiting.set()
        closing.wait(20)

    def run():
        try:
            fetch(server.url, seconds=20, cancel=cancel)
        except Exception as error:  # what it is, is asserted below
            caught.append(error)

    with RawServer(script) as server:
        thread = threading.Thread(target=run)
        thread.start()
        assert waiting.wait(10)
        cancel.cancel()
        thread.join(5)
        assert not thread.is_alive()
    assert [type(error) for error in caught] == [CallCancelled]


@covers("FETCH-09")
def test_a_port_where_nothing_listens_is_said():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(FetchFailed, match="refused") as caught:
        fetch(f"http://127.0.0.1:{port}/")
    assert caught.value.phase == "connect"


@covers("FETCH-09", "SETTING-07")
def test_an_unknown_issuer_is_said_and_ca_file_adds_it(tmp_path):
    authority = trustme.CA()
    file = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(str(file))
    with TlsServer(authority.issue_cert("127.0.0.1")) as server:
        with pytest.raises(FetchFailed, match=r"unknown issuer|issuer is unknown|self-signed issuer") as caught:
            fetch(server.url, seconds=5)
        assert caught.value.phase == "tls"
        response = fetch(server.url, fetcher=Fetcher(tls=TlsContext(str(file)), environ={}), seconds=5)
    assert response.body == b"ok"
    assert server.protocols == ["http/1.1"]


@covers("FETCH-09")
def test_a_certificate_for_another_host_is_said(tmp_path):
    authority = trustme.CA()
    file = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(str(file))
    with TlsServer(authority.issue_cert("other.example")) as server, pytest.raises(FetchFailed, match="for another"):
        fetch(server.url, fetcher=Fetcher(tls=TlsContext(str(file)), environ={}), seconds=5)


class TlsServer:
    """Answers "ok" over TLS to every connection while the block runs."""

    def __init__(self, certificate):
        import ssl

        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.set_alpn_protocols(["h2", "http/1.1"])
        certificate.configure_cert(self._context)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve)
        self.protocols = []

    @property
    def url(self):
        return f"https://127.0.0.1:{self._listener.getsockname()[1]}/"

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()

    def _serve(self):
        while True:
            try:
                plain, _ = self._listener.accept()
            except OSError:
                return
            with plain:
                try:
                    with self._context.wrap_socket(plain, server_side=True) as wrapped:
                        self.protocols.append(wrapped.selected_alpn_protocol())
                        wrapped.recv(4096)
                        wrapped.sendall(OK + b"Content-Length: 2\r\nConnection: close\r\n\r\nok")
                except OSError:
                    continue  # the client did not trust us: that is what the test is about
