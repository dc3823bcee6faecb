"""What is sent, redirects, and cancelling, from real sockets."""

from __future__ import annotations

import threading

import pytest

from blitzweb.errors import CallCancelled, FetchFailed, Refused
from blitzweb.net.failures import Phase
from blitzweb.net.fetch import Fetcher
from blitzweb.policy.urls import parse_url
from blitzweb.timing import CancelToken, Deadline
from tests.support.covers import covers
from tests.support.fetching import OK, PLAN, answering, fetch
from tests.support.raw_server import RawServer

FOUND = b"HTTP/1.1 302 Found\r\n"


@covers("WEB-06a", "FETCH-02")
def test_a_plain_response_and_what_is_sent_for_it():
    with RawServer(answering(OK + b"Content-Length: 2\r\nX-A: 1\r\nx-a: 2\r\n\r\nok")) as server:
        response = fetch(f"{server.url}a%20b?q=1#part")
    assert (response.status, response.body, response.truncated) == (200, b"ok", False)
    assert response.headers["x-a"] == "1, 2"
    first, *headers = server.requests[0].decode().removesuffix("\r\n\r\n").split("\r\n")
    assert first == "GET /a%20b?q=1 HTTP/1.1"
    assert sorted(headers) == [
        "Accept-Encoding: gzip, deflate, br, zstd",
        f"Host: 127.0.0.1:{server.port}",
        "User-Agent: test",
    ]


def test_ipv6_is_fetched_too():
    with RawServer(answering(OK + b"Content-Length: 2\r\n\r\nok"), host="::1") as server:
        assert fetch(server.url).body == b"ok"
    assert f"Host: [::1]:{server.port}\r\n".encode() in server.requests[0]


def test_a_body_is_sent_once():
    def script(connection, _head, _closing):
        assert connection.recv(2) == b"{}"
        connection.sendall(OK + b"Content-Length: 2\r\n\r\nok")

    headers = {"User-Agent": "test", "Content-Type": "application/json"}
    with RawServer(script) as server:
        assert fetch(server.url, PLAN._replace(method="POST", body=b"{}", headers=headers)).body == b"ok"
    head = server.requests[0].decode()
    assert head.startswith("POST / HTTP/1.1\r\n")
    assert "Content-Length: 2\r\n" in head


@pytest.mark.parametrize("status", [204, 304, 300, 404, 500])
def test_other_statuses_are_final(status):
    head = f"HTTP/1.1 {status} X\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n".encode()
    with RawServer(answering(head, keep=True)) as server:
        response = fetch(server.url)
    assert (response.status, response.body, len(server.requests)) == (status, b"", 1)
    assert [hop.href for hop in response.hops] == [server.url]


@covers("WEB-05")
@pytest.mark.parametrize("limit", [5, 3, 0])
def test_redirects_are_decided_one_by_one_and_one_too_many_is_refused(limit):
    def script(connection, head, _closing):
        step = int(head.split()[1][1:] or b"0")
        connection.sendall(FOUND + f"Location: /{step + 1}\r\nContent-Length: 0\r\n\r\n".encode())
        return True

    hops = []
    with RawServer(script) as server, pytest.raises(Refused, match=f"{limit} redirects") as caught:
        fetch(server.url, PLAN._replace(max_redirects=limit), decide_hop=lambda _from, to: hops.append(to.target))
    assert caught.value.reason == "redirect-limit"
    assert hops == [f"/{step}" for step in range(1, limit + 1)]
    assert len(server.requests) == limit + 1
    assert server.connections == 1


@covers("WEB-05", "FETCH-02")
def test_a_hop_is_told_nothing_of_the_one_before():
    with RawServer(answering(OK + b"Content-Length: 2\r\n\r\nok")) as target:
        redirect = FOUND + f"Location: {target.url}x\r\nSet-Cookie: a=b\r\n\r\n".encode()
        with RawServer(answering(redirect)) as server:
            response = fetch(f"{server.url}secret")
    assert [hop.href for hop in response.hops] == [f"{server.url}secret", f"{target.url}x"]
    head = target.requests[0].lower()
    assert b"cookie" not in head
    assert b"referer" not in head
    assert b"secret" not in head


def test_a_redirect_that_is_not_decided_for_sends_nothing():
    def refuse(_approved, _target):
        raise Refused("not approved: no", reason="redirect-host")

    with RawServer(answering(FOUND + b"Location: /x\r\n\r\n")) as server, pytest.raises(Refused):
        fetch(server.url, decide_hop=refuse)
    assert len(server.requests) == 1


@covers("FETCH-12")
@pytest.mark.parametrize(
    ("headers", "error", "words"),
    [
        (b"", FetchFailed, "no Location"),
        (b"Location: /a\r\nLocation: /b\r\n", FetchFailed, "more than one Location"),
        (b"Location: /a\r\nLocation: /a\r\n", FetchFailed, "more than one Location"),
        (b"Location: /" + b"a" * 9000 + b"\r\n", Refused, "9001 bytes"),
        (b"Location: ftp://x.example/\r\n", Refused, '"ftp"'),
        (b"Location: http://user@x.example/\r\n", Refused, "credentials"),
        (b"Location: /\\x.example/\r\n", Refused, "backslash"),
    ],
)
def test_a_redirect_that_is_no_good_is_not_followed(headers, error, words):
    server = RawServer(answering(FOUND + headers + b"\r\n", keep=True))
    with server, pytest.raises(error, match=words) as caught:
        fetch(server.url)
    assert len(server.requests) == 1
    assert getattr(caught.value, "phase", "headers") == "headers"


def test_the_body_of_a_redirect_is_not_read():
    def script(connection, head, closing):
        if b" / " in head:
            connection.sendall(FOUND + b"Location: /x\r\nContent-Length: 1000000\r\n\r\n")
            closing.wait(20)
        connection.sendall(OK + b"Content-Length: 2\r\n\r\nok")

    with RawServer(script) as server:
        assert fetch(server.url).body == b"ok"
        assert server.connections == 2


def test_a_redirect_may_be_left_to_the_caller():
    with RawServer(answering(FOUND + b"Location: /x\r\nContent-Length: 2\r\n\r\nok")) as server:
        response = fetch(server.url, PLAN._replace(follow=False))
    assert (response.status, response.headers["location"], response.body) == (302, "/x", b"ok")


def test_a_client_may_refuse_by_status_and_headers_before_any_body():
    seen = []

    def admit(status, headers):
        seen.append((status, headers.get("content-type")))
        if headers.get("content-type") == "image/png":
            raise FetchFailed("no pictures", phase="headers")

    def script(connection, head, closing):
        if b" / " in head:
            connection.sendall(FOUND + b"Location: /x\r\n\r\n")
        else:
            connection.sendall(OK + b"Content-Type: image/png\r\n\r\n")
            closing.wait(20)

    with RawServer(script) as server, pytest.raises(FetchFailed, match="no pictures"):
        fetch(server.url, PLAN._replace(admit=admit), seconds=20)
    assert seen == [(302, None), (200, "image/png")]


@covers("WEB-04", "POLICY-10")
def test_without_the_setting_loopback_is_never_dialled():
    with RawServer(answering(OK)) as server, pytest.raises(Refused) as caught:
        fetch(server.url, PLAN._replace(rule=PLAN.rule._replace(opened=False)))
    assert "not a public address" in caught.value.message
    assert "web.allow_private" in caught.value.message
    assert server.connections == 0


@pytest.mark.parametrize(
    "start",
    [b"", b"HTTP/1.1 100 Continue\r\n\r\n", OK, OK + b"Content-Length: 100\r\n\r\nx"],
)
def test_a_cancel_wakes_whoever_waits_for_the_server(start):
    waiting, cancel, caught = threading.Event(), CancelToken(), []

    def script(connection, _head, closing):
        connection.sendall(start)
        waiting.set()
        closing.wait(20)

    def run():
        try:
            fetch(server.url, seconds=20, cancel=cancel)
        except CallCancelled as error:
            caught.append(error)

    with RawServer(script) as server:
        thread = threading.Thread(target=run)
        thread.start()
        assert waiting.wait(10)
        cancel.cancel()
        thread.join(2)
        assert not thread.is_alive()
    assert caught


def test_a_call_that_is_cancelled_already_sends_nothing():
    cancel = CancelToken()
    cancel.cancel()
    with RawServer(answering(OK)) as server, pytest.raises(CallCancelled):
        fetch(server.url, cancel=cancel)
    assert server.requests == []


def test_every_phase_is_told():
    told = []
    with RawServer(answering(OK + b"Content-Length: 2\r\n\r\nok", keep=True)) as server:
        fetcher = Fetcher(environ={})
        for _ in range(2):
            fetcher.fetch(
                parse_url(server.url),
                PLAN,
                deadline=Deadline(5),
                cancel=CancelToken(),
                decide_hop=lambda *_: None,
                enter=told.append,
            )
        fetcher.close()
    fresh = [Phase.SENDING, Phase.DNS, Phase.CONNECT, Phase.SENDING, Phase.HEADERS, Phase.BODY]
    assert told == [*fresh, Phase.SENDING, Phase.HEADERS, Phase.BODY]


@covers("FETCH-07")
def test_a_slow_host_does_not_hold_up_others():
    def wait(connection, _head, closing):
        closing.wait(20)
        connection.sendall(OK + b"\r\n")

    fetcher, done = Fetcher(environ={}), threading.Event()

    def run():
        fetch(slow.url, fetcher=fetcher, seconds=30)
        done.set()

    with RawServer(answering(OK + b"Content-Length: 2\r\n\r\nok", keep=True)) as quick:
        with RawServer(wait) as slow:
            thread = threading.Thread(target=run)
            thread.start()
            for _ in range(3):
                assert fetch(quick.url, fetcher=fetcher).body == b"ok"
            assert not done.is_set()
        thread.join(10)
        fetcher.close()
    assert done.is_set()
