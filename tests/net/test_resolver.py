"""Look-ups: bounded threads, deadlines and cancels that nothing inside getaddrinfo can hold up. No DNS is asked."""

from __future__ import annotations

import socket
import threading

import pytest

from blitzweb.errors import CallCancelled, FetchFailed
from blitzweb.net.resolver import SystemResolver
from blitzweb.timing import CancelToken, Deadline
from tests.support.covers import covers


def resolve(resolver, host="x.example", seconds=5.0, cancel=None):
    return resolver.resolve(host, Deadline(seconds), cancel or CancelToken())


@pytest.fixture
def answer(monkeypatch):
    """Put a function in the place of the system's."""
    return lambda function: monkeypatch.setattr(socket, "getaddrinfo", function)


def found(*addresses):
    def look_up(_host, _port, **_options):
        return [
            (socket.AF_INET6, 1, 6, "", (text, 0, 0, scope)) if ":" in text else (socket.AF_INET, 1, 6, "", (text, 0))
            for text, scope in addresses
        ]

    return look_up


def test_answers_come_once_in_order_and_with_their_scope(answer):
    answer(found(("2606:2800::1", 0), ("93.184.215.14", 0), ("93.184.215.14", 0), ("fe80::1", 3)))
    assert resolve(SystemResolver()) == ["2606:2800::1", "93.184.215.14", "fe80::1%3"]


@pytest.mark.parametrize("literal", ["93.184.215.14", "::1"])
def test_a_literal_is_not_looked_up(answer, literal):
    answer(None)
    assert resolve(SystemResolver(), literal) == [literal]


@covers("FETCH-09")
@pytest.mark.parametrize(
    ("error", "words"),
    [
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), "there is no such name"),
        (socket.gaierror(socket.EAI_AGAIN, "Temporary failure"), "the DNS server gave no answer"),
        (UnicodeError("label too long"), "no name that can be looked up"),
    ],
)
def test_failures_are_told_apart(answer, error, words):
    def look_up(*_args, **_options):
        raise error

    answer(look_up)
    with pytest.raises(FetchFailed, match=words) as caught:
        resolve(SystemResolver())
    assert caught.value.phase == "dns"
    assert caught.value.advice


def test_no_address_is_no_name(answer):
    answer(found())
    with pytest.raises(FetchFailed, match="no such name"):
        resolve(SystemResolver())


@pytest.mark.parametrize("host", ["a" * 64 + ".example", "a..example"])
def test_what_python_cannot_encode_is_refused(host):
    with pytest.raises(FetchFailed, match="no name that can be looked up"):
        resolve(SystemResolver(), host)


@pytest.fixture
def stuck(answer):
    """Make look-ups hang until the test is over; wait for their threads then."""
    release, begun = threading.Event(), threading.Semaphore(0)

    def look_up(*_args, **_options):
        begun.release()
        release.wait(20)
        return []

    answer(look_up)
    yield begun
    release.set()
    for thread in threading.enumerate():
        if thread.name == "blitzweb-lookup":
            thread.join(5)


@covers("FETCH-06")
def test_a_look_up_that_hangs_ends_with_the_deadline(stuck):
    with pytest.raises(FetchFailed, match=r"timed out after 0\.1 s while looking up the name \(dns\)"):
        resolve(SystemResolver(), seconds=0.1)


def test_a_cancel_returns_at_once_and_leaves_the_thread_behind(stuck):
    cancel, caught = CancelToken(), []

    def run():
        try:
            resolve(SystemResolver(), seconds=20, cancel=cancel)
        except CallCancelled as error:
            caught.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    assert stuck.acquire(timeout=5)
    cancel.cancel()
    thread.join(1)
    assert not thread.is_alive()
    assert caught


def test_look_ups_that_hang_are_bounded(stuck):
    resolver = SystemResolver(limit=2)
    for _ in range(2):
        with pytest.raises(FetchFailed, match="timed out"):
            resolve(resolver, seconds=0.05)
    with pytest.raises(FetchFailed, match="too many look-ups"):
        resolve(resolver)


def test_a_place_is_free_again_after_a_look_up(answer):
    answer(found(("93.184.215.14", 0)))
    resolver = SystemResolver(limit=1)
    for _ in range(3):
        assert resolve(resolver) == ["93.184.215.14"]


def test_a_system_without_threads_is_said(monkeypatch):
    def start(_thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    resolver = SystemResolver(limit=1)
    for _ in range(2):
        with pytest.raises(FetchFailed, match="no thread can be started"):
            resolve(resolver)
