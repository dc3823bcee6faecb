"""The clock of a connection, and a socket that obeys it."""

from __future__ import annotations

import socket
import time

import pytest

from blitzweb.errors import CallCancelled
from blitzweb.net.timed_socket import Clock, TimedSocket
from blitzweb.timing import CancelToken, Deadline
from tests.support.covers import covers


@pytest.fixture
def pair():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


@covers("FETCH-06")
def test_nothing_is_read_or_written_after_the_deadline(pair):
    timed = TimedSocket(pair[0], Clock(Deadline(0), CancelToken()))
    pair[1].sendall(b"late")
    with pytest.raises(TimeoutError):
        timed.recv(4)
    with pytest.raises(TimeoutError):
        timed.recv_into(bytearray(4))
    with pytest.raises(TimeoutError):
        timed.sendall(b"late")


def test_nothing_is_read_or_written_after_a_cancel(pair):
    cancel = CancelToken()
    timed = TimedSocket(pair[0], Clock(Deadline(5), cancel))
    pair[1].sendall(b"late")
    cancel.cancel()
    with pytest.raises(CallCancelled):
        timed.recv(4)
    with pytest.raises(CallCancelled):
        timed.sendall(b"late")


def test_a_part_may_get_less_time_and_never_more(pair):
    clock = Clock(Deadline(5), CancelToken())
    timed = TimedSocket(pair[0], clock)
    began = time.monotonic()
    with clock.narrowed(0.05) as limit, pytest.raises(TimeoutError):
        timed.recv(1)
    assert time.monotonic() - began < 1
    assert limit.seconds == 0.05
    assert clock.remaining() > 3
    with clock.narrowed(60):
        assert clock.remaining() <= 5


def test_it_closes_with_its_last_reader(pair):
    timed = TimedSocket(pair[0], Clock(Deadline(5), CancelToken()))
    reader = timed.makefile()
    timed.close()
    pair[1].sendall(b"x")
    assert reader.read(1) == b"x"
    reader.close()
    assert pair[0].fileno() == -1
