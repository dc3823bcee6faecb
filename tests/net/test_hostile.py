"""Servers that never come to an end: every one is left within its deadline, with an error that names the phase."""

from __future__ import annotations

import time

import pytest

from blitzweb.errors import FetchFailed, FetchTimedOut
from tests.support.covers import covers
from tests.support.fetching import LIMIT, OK, PLAN, dripping, fetch
from tests.support.raw_server import RawServer


def timed(url, plan=PLAN, **options):
    """Return the failure of a fetch and how long it took."""
    started = time.monotonic()
    with pytest.raises(FetchFailed) as caught:
        fetch(url, plan, seconds=LIMIT, **options)
    return caught.value, time.monotonic() - started


@covers("FETCH-06", "FETCH-12", "WEB-06")
@pytest.mark.parametrize(
    ("start", "drop", "phase"),
    [
        (b"", b"", "headers"),
        (b"", b"H", "headers"),
        (b"HTTP/1.1 103 Early\r\nX: ", b"y", "headers"),
        (OK, b"X", "headers"),
        (OK, b"X: y\r\n", "headers"),
        (OK + b"Content-Length: 100000\r\n\r\n", b"x", "body"),
        (OK + b"\r\n", b"x", "body"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n", "body"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n", b"0", "body"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n1;", b"x", "body"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"X: y\r\n", "body"),
        (OK + b"Content-Encoding: gzip\r\n\r\n", b"", "body"),
    ],
)
def test_a_slow_server_cannot_stretch_the_deadline(start, drop, phase):
    with RawServer(dripping(start, drop)) as server:
        failure, seconds = timed(server.url)
    assert LIMIT <= seconds < LIMIT + 0.5
    assert isinstance(failure, FetchTimedOut)
    assert failure.phase == phase
    assert f"({phase})" in failure.message
    assert "timed out" in failure.message


@covers("FETCH-12")
@pytest.mark.parametrize(
    ("drop", "words"),
    [
        (b"HTTP/1.1 100 Continue\r\n\r\n", "more than 8 interim"),
        (b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", "more than 8 interim"),
    ],
)
def test_interim_responses_without_end_are_ended_early(drop, words):
    with RawServer(dripping(b"", drop)) as server:
        failure, seconds = timed(server.url)
    assert failure.phase == "headers"
    assert words in failure.message
    assert seconds < LIMIT


def test_a_client_may_give_headers_less_time_and_room():
    with RawServer(dripping(OK, b"X: y\r\n")) as server:
        failure, seconds = timed(server.url, PLAN._replace(header_seconds=0.1))
        assert seconds < LIMIT
        assert "after 0.1 s" in failure.message
    with RawServer(dripping(OK + b"X: " + b"y" * 40_000, b"y")) as server:
        failure, _ = timed(server.url, PLAN._replace(header_bytes=32 * 1024))
    assert "longer than 32 KiB" in failure.message


@covers("FETCH-06")
def test_a_server_that_does_not_read_cannot_stretch_the_deadline():
    def script(connection, _head, closing):
        closing.wait(20)

    with RawServer(script, at_once=True) as server:
        failure, seconds = timed(server.url, PLAN._replace(method="POST", body=bytes(32 * 1024 * 1024)))
    assert seconds < LIMIT + 0.5
    assert failure.phase == "sending"
