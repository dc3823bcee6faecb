"""Every way in which a daemon ends: its exit code, within 2 s, with nothing left behind."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time

import pytest

from tests.support.covers import covers
from tests.support.host import ROOT, WIRE_SERVER, Host, notification, request


def end(host: Host) -> int:
    """Wait for the end; it must come within 2 s."""
    begun = time.monotonic()
    code = host.wait()
    assert time.monotonic() - begun < 2
    return code


def hold(host: Host, *, deaf: bool = False) -> Host:
    host.open()
    host.send(request(1, "hold", {"deaf": deaf}))
    host.find(lambda message: message.get("method") == "held")
    return host


@covers("WIRE-22", "WIRE-21")
def test_exit_after_shutdown_is_0() -> None:
    with Host() as host:
        hold(host)
        host.send(request(2, "shutdown"))
        assert host.receive()["error"]["code"] == -32800, "running calls are cancelled first"
        assert host.receive() == {"jsonrpc": "2.0", "id": 2, "result": None}
        assert "closed" in host.wait_for_log("closed")
        host.send(notification("exit"))
        assert end(host) == 0
        assert host.log().count("closed") == 1


@covers("WIRE-21", "WIRE-39")
def test_ping_is_answered_while_shutdown_takes_its_time() -> None:
    with Host(options=["--slow-closer"]) as host:
        host.open()
        host.send(request(1, "shutdown"))
        assert host.call("ping")["result"] is None
        host.send(notification("exit"))
        assert end(host) == 0
        assert "stopping took too long" in host.wait_for_log("stopping took too long")


@covers("WIRE-22")
@pytest.mark.parametrize("opened", [False, True])
def test_exit_without_shutdown_is_1(*, opened: bool) -> None:
    with Host() as host:
        if opened:
            hold(host)
        host.send(notification("exit"))
        assert end(host) == 1


@covers("WIRE-23")
@pytest.mark.parametrize("deaf", [False, True])
def test_end_of_input_is_0_and_what_runs_is_answered(*, deaf: bool) -> None:
    with Host() as host:
        hold(host, deaf=deaf)
        host.process.stdin.close()
        assert host.answer(1)["error"]["code"] == -32800
        assert end(host) == 0
        assert "closed" in host.wait_for_log("closed")


@covers("WIRE-23", "WIRE-01")
def test_a_last_line_without_newline_is_answered() -> None:
    with Host() as host:
        host.send_bytes(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')
        host.process.stdin.close()
        assert host.answer(1)["result"] is None
        assert end(host) == 0


@covers("WIRE-23")
@pytest.mark.parametrize("busy", [False, True])
def test_a_closed_stdout_is_noticed_without_writing(*, busy: bool) -> None:
    with Host(reading=False) as host:
        host.send(request(0, "initialize", {}))
        assert b"protocol_version" in host.out.readline()
        if busy:
            host.send(request(1, "hold", {"deaf": True}))
            host.out.readline()
        host.out.close()
        assert end(host) == 0
        assert "closed" in host.wait_for_log("closed")


@covers("WIRE-23")
def test_a_stdout_that_breaks_while_much_waits_to_be_read() -> None:
    with Host(reading=False) as host:
        host.send(request(0, "initialize", {}), *(request(number, "text", {"size": 2**20}) for number in range(1, 30)))
        host.out.readline()
        host.out.close()
        assert end(host) == 0


@covers("WIRE-23")
def test_a_host_that_never_reads_does_not_hold_up_the_end() -> None:
    with Host(reading=False) as host:
        host.send(request(0, "initialize", {}), *(request(number, "text", {"size": 2**20}) for number in range(1, 30)))
        host.process.stdin.close()
        assert end(host) == 0


@covers("WIRE-23")
def test_a_closer_that_fails_keeps_no_other_from_running() -> None:
    with Host(options=["--bad-closer"]) as host:
        host.open()
        host.process.stdin.close()
        assert end(host) == 0
        log = host.wait_for_log("closed")
        assert "ZeroDivisionError" in log


@covers("WIRE-23")
def test_a_closer_that_hangs_is_left_behind() -> None:
    with Host(options=["--slow-closer"]) as host:
        host.process.stdin.close()
        assert end(host) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signals_end_it_in_order(number: int) -> None:
    with Host() as host:
        hold(host)
        host.process.send_signal(number)
        assert host.answer(1)["error"]["code"] == -32800
        assert end(host) == 0


def test_an_interrupt_is_the_hosts_business() -> None:
    with Host() as host:
        host.open()
        host.process.send_signal(signal.SIGINT)
        assert host.call("ping")["result"] is None


# A host that is killed while another process still holds its ends of our pipes, so that neither end of input nor a
# broken stdout tells. It starts the daemon and the keeper of the pipes, says their pids, and waits to be killed.
HOST_PROGRAM = """
import os, subprocess, sys
to_daemon, from_daemon = os.pipe(), os.pipe()
daemon = subprocess.Popen(sys.argv[1:], stdin=to_daemon[0], stdout=from_daemon[1])
keeper = subprocess.Popen(["sleep", "30"], pass_fds=[to_daemon[1], from_daemon[0]], stdout=subprocess.DEVNULL)
params = '{"host":{"pid":%d}}' % os.getpid() if os.environ.get("NAMED") else "{}"
os.write(to_daemon[1], b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":%s}\\n' % params.encode())
os.read(from_daemon[0], 1000)
print(daemon.pid, keeper.pid, flush=True)
input()
"""


@covers("WIRE-23")
@pytest.mark.parametrize("named", ["", "1"])
def test_a_killed_host_is_noticed_though_its_pipes_live_on(named: str) -> None:
    host = subprocess.Popen(
        [sys.executable, "-c", HOST_PROGRAM, *WIRE_SERVER],
        cwd=ROOT,
        env={**os.environ, "NAMED": named},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    with host:
        daemon, keeper = map(int, host.stdout.readline().split())
        watch = os.pidfd_open(daemon)
        try:
            host.kill()
            assert ended(watch, 2.0), "the daemon outlived its host"
        finally:
            os.kill(keeper, signal.SIGKILL)
            os.close(watch)


@covers("WIRE-23")
def test_the_named_process_counts_even_where_it_is_not_the_parent() -> None:
    with Host() as host, subprocess.Popen(["sleep", "30"]) as named:
        host.open(host={"pid": named.pid})
        host.call("ping")
        named.kill()
        assert end(host) == 0


def test_a_pid_that_is_not_there_is_logged_and_changes_nothing() -> None:
    with Host() as host:
        host.open(host={"pid": 2**22 + 1})
        assert "cannot be watched" in host.wait_for_log("cannot be watched")
        assert host.call("ping")["result"] is None


def ended(pidfd: int, seconds: float) -> bool:
    poller = select.poll()
    poller.register(pidfd, select.POLLIN)
    return bool(poller.poll(seconds * 1000))
