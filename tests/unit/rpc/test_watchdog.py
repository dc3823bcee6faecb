"""A process is seen to end, reaped or not, with process descriptors and without."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import threading

import psutil
import pytest

from blitzweb.rpc import watchdog
from blitzweb.rpc.log import Log
from blitzweb.rpc.stopping import StopReason, StopSignal
from blitzweb.rpc.watchdog import HostProcess, Watchdog
from tests.support.covers import covers


@pytest.fixture(params=["descriptor", "psutil"])
def way(request, monkeypatch) -> str:
    if request.param == "psutil":
        monkeypatch.setattr(watchdog, "_open_process", lambda _pid: None)
    elif not hasattr(os, "pidfd_open"):
        pytest.skip("this system has no process descriptors")
    return request.param


@pytest.fixture
def child():
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


@covers("WIRE-23")
def test_a_process_that_ended_is_gone_even_before_it_is_reaped(way, child) -> None:
    process = HostProcess(child.pid)
    assert not process.is_gone()
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # it has ended, and stays as a zombie
    assert process.is_gone()
    child.wait()
    assert process.is_gone()
    process.close()
    process.close()


def test_a_process_that_is_not_there_cannot_be_watched(way, child) -> None:
    child.kill()
    child.wait()
    with pytest.raises((OSError, psutil.Error)):
        HostProcess(child.pid)


@covers("WIRE-23")
def test_the_daemon_stops_when_the_host_ends(way, child) -> None:
    stop = StopSignal()
    dog = Watchdog(stop, Log(level="error"), hard_exit=lambda: None)
    dog.watch(child.pid)
    dog.start()  # hands over the parent, which lives on
    dog.watch(child.pid)
    dog.watch(2**22 + 1)  # no such process: nothing changes
    assert stop.reason is None
    child.kill()
    poller = select.poll()
    poller.register(stop.fd, select.POLLIN)
    assert poller.poll(5_000), "the watchdog did not stop the daemon"
    assert stop.reason is StopReason.HOST_GONE
    dog.finish()
    stop.close()


@covers("WIRE-23")
def test_an_end_that_does_not_come_is_forced(monkeypatch) -> None:
    monkeypatch.setattr(watchdog, "STOP_SECONDS", 0.1)
    stop, forced = StopSignal(), threading.Event()
    dog = Watchdog(stop, Log(level="error"), hard_exit=forced.set)
    dog.start()
    stop.stop(StopReason.EXIT)
    assert forced.wait(10)
    dog.finish()
    stop.close()
