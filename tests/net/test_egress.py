"""The egress proxy: who may use it, what it refuses, and how it ends."""

from __future__ import annotations

import contextlib
import random
import socket
import threading

import pytest

from blitzweb.egress.proxy import EgressProxy, Refusal
from blitzweb.limits import MAX_ARRIVALS
from blitzweb.net.dialer import AddressRule, Dialer
from blitzweb.policy.verdicts import Reason, Refuse
from tests.support.covers import covers
from tests.support.egress import (
    AUTHORIZATION,
    LOCAL,
    SECONDS,
    Kept,
    Ticking,
    ask,
    connect,
    egress_threads,
    open_descriptors,
    open_tunnel,
    pass_time,
    proxying,
    read_to_end,
    request,
    split_answer,
    until,
)
from tests.support.fetching import Names, Wires, answering
from tests.support.raw_server import RawServer

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
PUBLIC = "93.184.215.14"
CLOSED_RULE = AddressRule(setting="browser.allow_local")


class Untouched(Dialer):
    """A dialer that must not be asked."""

    def dial(self, *_args: object, **_options: object) -> socket.socket:
        raise AssertionError("dialled")


# --- the token -------------------------------------------------------------------------------------------------------


@covers("EGRESS-05")
@pytest.mark.parametrize("token", [b"", AUTHORIZATION.replace(b"Basic ", b"Basic A"), AUTHORIZATION * 2])
@pytest.mark.parametrize(
    ("method", "target"),
    [
        ("GET", "http://a.example/"),
        ("GET", "http://blitzweb.invalid/"),
        ("CONNECT", "a.example:443"),
        ("GET", "no target at all".replace(" ", "_")),
        ("GET", "http://user:pw@a.example:99999/"),
    ],
)
def test_without_the_token_nothing_is_decided_looked_up_or_dialled(method, target, token):
    asked = []
    with proxying(dialer=Untouched(), admit=lambda *target: asked.append(target)) as proxy:
        status, headers, _ = ask(proxy, request(method, target, token=token))
        assert (status, headers["proxy-authenticate"]) == (407, 'Basic realm="blitzweb"')
    assert asked == []


def test_a_proxy_makes_its_own_token():
    made = EgressProxy(dialer=Dialer(), admit=lambda _host, _port: None, rule=LOCAL)
    assert len(made.token) >= 43
    made.close()


@covers("EGRESS-05")
def test_the_probe_page_is_the_proxys_own():
    with proxying(dialer=Untouched()) as proxy:
        status, headers, page = ask(proxy, request("GET", "http://blitzweb.invalid/warm-up?7"))
        assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert b"<title>blitzweb egress</title>" in page
        assert ask(proxy, request("HEAD", "http://blitzweb.invalid/"))[::2] == (200, b"")


# --- refusals and failures -------------------------------------------------------------------------------------------


@covers("EGRESS-05")
@pytest.mark.parametrize(("method", "target"), [("GET", "http://A.example:81/"), ("CONNECT", "a.EXAMPLE:81")])
def test_one_decision_for_plain_http_and_tunnels_before_any_look_up(method, target):
    kept, asked = Kept(), []

    def admit(host, port):
        asked.append((host, port))
        return Refuse(Reason.DENY_RULE, "not approved: <no>", rule="web(a.*)")

    with proxying(kept, dialer=Untouched(), admit=admit) as proxy:
        status, headers, page = ask(proxy, request(method, target))
    assert (status, headers["x-blitzweb-refused"]) == (403, 'deny-rule; rule="web(a.*)"')
    assert b"a.example" in page
    assert b"not approved: &lt;no&gt;" in page
    assert asked == [("a.example", 81)]
    assert kept.refused.get_nowait() == Refusal("a.example", 81, Reason.DENY_RULE, "not approved: <no>", "web(a.*)")
    assert kept.refused.empty()


@covers("EGRESS-05", "EGRESS-07")
@pytest.mark.parametrize("method", ["GET", "CONNECT"])
@pytest.mark.parametrize(
    ("address", "opened", "reason"),
    [
        ("127.0.0.1", False, Reason.NOT_PUBLIC),
        ("10.0.0.1", False, Reason.NOT_PUBLIC),
        ("::1", False, Reason.NOT_PUBLIC),
        ("169.254.169.254", True, Reason.NOT_PUBLIC),
        ("169.254.0.1", True, Reason.NOT_PUBLIC),
        ("fe80::1", True, Reason.NOT_PUBLIC),
        ("100.64.0.1", True, Reason.NOT_PUBLIC),
        ("0.0.0.0", True, Reason.NOT_PUBLIC),
        ("224.0.0.1", True, Reason.NOT_PUBLIC),
        ("168.63.129.16", True, Reason.NOT_PUBLIC),
        (PUBLIC, True, Reason.OWN_ADDRESS),
    ],
)
@pytest.mark.parametrize("named", [False, True])
def test_addresses_are_judged_as_dialled(method, address, opened, reason, named):
    wires = Wires(lambda port: port)
    dialer = Dialer(resolver=Names({"x.example": [[address]]}), connect=wires, is_own=lambda one: one == PUBLIC)
    authority = "x.example" if named else f"[{address}]" if ":" in address else address
    target = f"http://{authority}:8080/" if method == "GET" else f"{authority}:8080"
    kept = Kept()
    with proxying(kept, dialer=dialer, rule=CLOSED_RULE._replace(opened=opened)) as proxy:
        status, headers, page = ask(proxy, request(method, target))
    assert (status, headers["x-blitzweb-refused"]) == (403, reason.value)
    assert address.encode() in page
    assert kept.refused.get_nowait()[:3] == ("x.example" if named else address, 8080, reason)
    assert wires.dialled == []


@covers("EGRESS-05")
def test_the_proxys_own_port_and_those_of_other_listeners_are_refused():
    dialer = Dialer()
    with RawServer(answering(ANSWER)) as devtools, proxying(dialer=dialer) as proxy:
        dialer.own_ports.add(devtools.port)
        for port in (proxy.port, devtools.port):
            for host in ("127.0.0.1", "localhost", "127.8.8.8", "[::1]"):
                status, headers, _ = ask(proxy, request("CONNECT", f"{host}:{port}"))
                assert (status, headers["x-blitzweb-refused"]) == (403, "own-port")
        assert devtools.connections == 0
        freed = proxy.port
    assert freed not in dialer.own_ports


@covers("EGRESS-05")
@pytest.mark.parametrize(
    ("answers", "ending", "phase"),
    [([], None, "dns"), ([PUBLIC], "refused", "connect"), ([PUBLIC], "reset", "connect")],
)
@pytest.mark.parametrize("method", ["GET", "CONNECT"])
def test_a_dead_host_is_502_and_no_refusal(method, answers, ending, phase):
    wires = Wires(lambda port: port, {PUBLIC: ending} if ending else {})
    dialer = Dialer(resolver=Names({"x.example": [answers]}), connect=wires, is_own=lambda _: False)
    kept = Kept()
    with proxying(kept, dialer=dialer) as proxy:
        status, headers, page = ask(proxy, request(method, "http://x.example/" if method == "GET" else "x.example:80"))
    assert (status, headers["x-blitzweb-failed"]) == (502, phase)
    assert "x-blitzweb-refused" not in headers
    assert b"x.example" in page
    assert kept.failed.get_nowait()[:3] == ("x.example", 80, phase)
    assert kept.refused.empty()


@covers("EGRESS-05")
@pytest.mark.parametrize(
    "data",
    [
        request("GET", "/"),
        request("GET", "https://a.example/"),
        request("CONNECT", "a.example"),
        request("POST", "http://a.example/", "Content-Length: 1", "Transfer-Encoding: chunked"),
        request("GET", "http://a.example/").replace(b"\r\n", b"\n"),
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        request("GET", "http://a.example/", "X: " + "y" * 65536),
    ],
)
def test_bad_requests_are_400(data):
    with proxying(dialer=Untouched()) as proxy:
        assert ask(proxy, data)[0] == 400


@covers("EGRESS-05")
def test_who_is_told_fails_alone():
    def fail(_refusal):
        raise RuntimeError("full disk")

    complaints = []
    proxy = EgressProxy(
        dialer=Dialer(),
        admit=lambda _host, _port: Refuse(Reason.EGRESS, "no"),
        rule=LOCAL,
        token="a-token-of-the-tests",
        on_refused=fail,
        complain=complaints.append,
    )
    proxy.start()
    assert ask(proxy, request("GET", "http://a.example/"))[0] == 403
    assert ask(proxy, request("GET", "http://a.example/"))[0] == 403
    proxy.close()
    assert len(complaints) == 2
    assert "full disk" in complaints[0]


def test_a_fault_of_a_decision_is_502_and_complained_of():
    complaints = []
    proxy = EgressProxy(
        dialer=Dialer(),
        admit=lambda _host, _port: 1 // 0,
        rule=LOCAL,
        token="a-token-of-the-tests",
        complain=complaints.append,
    )
    proxy.start()
    status, headers, page = ask(proxy, request("CONNECT", "a.example:443"))
    proxy.close()
    assert (status, headers["x-blitzweb-failed"]) == (502, "proxy")
    assert b"ZeroDivision" not in page
    assert "ZeroDivision" in complaints[0]


@covers("EGRESS-05")
def test_nothing_that_comes_makes_it_fail():
    """Requests with a few bytes changed, cut or doubled, on connections that end at any time."""
    source = random.Random(11)
    seeds = [
        request("GET", "{url}x?y", "Accept: */*"),
        request("POST", "{url}", "Content-Length: 5", body=b"hello"),
        request("POST", "{url}", "Transfer-Encoding: chunked", body=b"5\r\nhello\r\n0\r\n\r\n"),
        request("CONNECT", "127.0.0.1:{port}", body=b"GET / HTTP/1.1\r\n\r\n"),
    ]
    with RawServer(answering(ANSWER, keep=True)) as server, proxying() as proxy:
        for _ in range(400):
            data = bytearray(source.choice(seeds).replace(b"{url}", server.url.encode()))
            data = bytearray(bytes(data).replace(b"{port}", b"%d" % server.port))
            for _ in range(source.randrange(4)):
                at = source.randrange(len(data))
                data[at : at + source.randrange(3)] = source.choice(
                    [b"", b"\r", b"\n", b" ", b"\0", b":", data[:at], b"\xff"]
                )
            with connect(proxy) as connection:
                connection.settimeout(0.02)
                with contextlib.suppress(OSError):
                    connection.sendall(data)
                    connection.recv(source.choice([1, 65536]))
        assert ask(proxy, request("GET", server.url, "Connection: close"))[0] == 200
        until(lambda: len(proxy._parts.loop._flows) == 1)


# --- time ------------------------------------------------------------------------------------------------------------


@covers("EGRESS-05")
@pytest.mark.parametrize("begun", [b"", b"GET http://a.exam", request("GET", "http://a.example/")[:-2]])
def test_a_head_has_its_time_however_it_drips(begun):
    clock = Ticking()
    with proxying(dialer=Untouched(), clock=clock) as proxy, connect(proxy) as connection:
        until(lambda: len(proxy._parts.loop._flows) == 2)
        for byte in begun[:20]:
            connection.sendall(bytes([byte]))
            pass_time(proxy, clock, 2.9)
        pass_time(proxy, clock, 59 - clock.now + 1000)
        assert len(proxy._parts.loop._flows) == 2
        pass_time(proxy, clock, 1.5)
        assert connection.recv(1) == b""


@covers("EGRESS-05")
def test_connections_that_say_nothing_do_not_fill_it_up():
    with RawServer(answering(ANSWER)) as server, proxying() as proxy, contextlib.ExitStack() as stack:
        tunnel = stack.enter_context(open_tunnel(proxy, server.port))
        idle = [stack.enter_context(connect(proxy)) for _ in range(MAX_ARRIVALS + 10)]
        assert idle[0].recv(1) == b""
        until(lambda: len(proxy._parts.loop._flows) == MAX_ARRIVALS + 2)
        idle[-1].sendall(request("GET", server.url, "Connection: close"))
        assert split_answer(read_to_end(idle[-1]))[0] == 200
        tunnel.sendall(b"GET / HTTP/1.1\r\n\r\n")
        assert tunnel.recv(len(ANSWER)) == ANSWER


def test_a_client_that_reads_nothing_of_its_answer_is_left_soon():
    clock = Ticking()
    with proxying(dialer=Untouched(), clock=clock) as proxy, connect(proxy) as connection:
        connection.sendall(request("GET", "http://a.example/", token=b""))
        until(lambda: connection.recv(1, socket.MSG_PEEK) == b"H")
        assert len(proxy._parts.loop._flows) == 2
        pass_time(proxy, clock, 2.5)
        assert len(proxy._parts.loop._flows) == 1
        assert split_answer(read_to_end(connection))[0] == 407


# --- the end ---------------------------------------------------------------------------------------------------------


def test_a_refused_upload_is_read_so_that_the_answer_arrives():
    with proxying(admit=lambda _host, _port: Refuse(Reason.EGRESS, "no")) as proxy:
        body = bytes(2_000_000)
        status, _, page = ask(proxy, request("POST", "http://a.example/", f"Content-Length: {len(body)}", body=body))
    assert status == 403
    assert page.endswith(b"</p>\n")


@covers("EGRESS-05")
def test_closing_ends_every_thread_and_connection():
    before = open_descriptors()
    stuck = threading.Event()

    def connect_slowly(address, port, seconds, cancel):
        stuck.set()
        cancel.wait(SECONDS)
        cancel.check()
        raise TimeoutError

    with RawServer(answering(ANSWER, keep=True)) as server:
        dialer = Dialer(
            connect=lambda a, p, s, c: (Dialer()._connect if p == server.port else connect_slowly)(a, p, s, c)
        )
        with proxying(dialer=dialer) as proxy:
            waiting, idle, tunnel, plain = (
                connect(proxy),
                connect(proxy),
                open_tunnel(proxy, server.port),
                connect(proxy),
            )
            waiting.sendall(request("CONNECT", "127.0.0.1:9999"))
            idle.sendall(b"GET http://")
            plain.sendall(request("GET", server.url))
            assert plain.recv(5)
            assert stuck.wait(SECONDS)
        assert egress_threads() == []
        for connection in (waiting, idle, tunnel, plain):
            with connection:
                try:
                    read_to_end(connection)
                except ConnectionResetError:
                    continue
        with pytest.raises(ConnectionRefusedError):
            connect(proxy)
    until(lambda: open_descriptors() == before)


def test_one_thread_is_all_that_idles():
    with RawServer(answering(ANSWER, keep=True)) as server, proxying() as proxy:
        connections = [open_tunnel(proxy, server.port) for _ in range(20)]
        until(lambda: egress_threads() == ["blitzweb-egress"])
        for connection in connections:
            connection.close()


@covers("EGRESS-05")
def test_a_client_that_leaves_ends_the_dialling():
    ended = threading.Event()

    def connect_slowly(_address, _port, _seconds, cancel):
        assert cancel.wait(SECONDS)
        ended.set()
        raise TimeoutError

    with proxying(dialer=Dialer(connect=connect_slowly)) as proxy:
        with connect(proxy) as connection:
            connection.sendall(request("CONNECT", "127.0.0.1:9999"))
            until(lambda: "blitzweb-egress-setup" in egress_threads())
        assert ended.wait(SECONDS)


def test_an_address_in_use_is_said():
    with proxying() as proxy, pytest.raises(OSError, match="in use"):
        EgressProxy(
            dialer=Dialer(), admit=lambda _host, _port: None, rule=LOCAL, address=("127.0.0.1", proxy.port)
        ).start()
