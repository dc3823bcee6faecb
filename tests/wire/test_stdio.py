"""stdout carries the protocol and nothing else; stderr carries the log and never holds anything up."""

from __future__ import annotations

import json
import os
import pty
import subprocess

import pytest

from tests.support.covers import covers
from tests.support.host import ROOT, WIRE_SERVER, Host, request


@covers("WIRE-16")
def test_stray_prints_of_any_library_or_child_go_to_the_log() -> None:
    with Host() as host:
        host.open()
        assert host.call("stray", seconds=20)["result"] is None
        log = host.wait_for_log("stray: child")
        for source in ("python", "descriptor", "C", "child", "warning"):
            assert f"stray: {source}" in log
        host.call("ping")
        assert all(json.loads(line)["jsonrpc"] == "2.0" for line in host.raw)
        assert not any(b"stray:" in line for line in host.raw)


@covers("WIRE-16")
def test_a_child_cannot_eat_the_hosts_messages() -> None:
    with Host() as host:
        host.open()
        host.send(request(1, "stray"), request(2, "ping"))  # the child runs `cat` on its stdin
        assert host.answer(2)["result"] is None
        assert host.answer(1, 20)["result"] is None


@covers("WIRE-16", "AUDIT-04")
def test_what_libraries_log_goes_to_the_log_masked() -> None:
    with Host() as host:
        host.open()
        host.call("log", {"text": "hunter2"})
        log = host.wait_for_log("library says")
        assert "library says [REDACTED]" in log


@covers("AUDIT-04")
def test_neither_params_nor_answers_reach_the_log_by_themselves() -> None:
    with Host() as host:
        host.open()
        host.call("echo", {"text": "in confidence"})
        host.call("nope", {"text": "in confidence"})
        host.call("echo/work", ["in confidence"])
        host.send({"jsonrpc": "2.0", "id": "nobody", "error": {"code": 1, "message": "in confidence"}})
        host.call("hold", {"seconds": 0.01, "text": "in confidence"})
        host.process.stdin.close()
        host.wait()
        host.wait_for_log("closed")
        assert "in confidence" not in host.log()
        assert "Traceback" not in host.log()


@covers("WIRE-14", "WIRE-16")
def test_a_host_that_never_reads_stderr_holds_nothing_up() -> None:
    process = subprocess.Popen(
        WIRE_SERVER, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    )
    with process:
        try:
            ask(process, "initialize")
            for _ in range(300):
                ask(process, "fail/quick")  # each leaves a traceback
            assert ask(process, "ping")["result"] is None
        finally:
            process.kill()


@covers("WIRE-23")
@pytest.mark.parametrize("closing", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_descriptors_that_the_host_closed_before_the_start(closing: str) -> None:
    command = ["sh", "-c", f'exec "$@" {closing}', "sh", *WIRE_SERVER]
    line = json.dumps(request(1, "ping")).encode() + b"\n"
    done = subprocess.run(command, cwd=ROOT, input=line, capture_output=True, timeout=10, check=False)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    if closing == "2>&-":
        assert json.loads(done.stdout)["id"] == 1


def test_files_instead_of_pipes(tmp_path) -> None:
    (tmp_path / "in").write_text(json.dumps(request(1, "ping")) + "\n")
    with (tmp_path / "in").open() as source, (tmp_path / "out").open("w") as target:
        done = subprocess.run(WIRE_SERVER, cwd=ROOT, stdin=source, stdout=target, timeout=10, check=True)
    assert done.returncode == 0
    assert json.loads((tmp_path / "out").read_text())["id"] == 1


def test_one_socket_for_both_directions_as_some_hosts_have_it() -> None:
    import socket

    ours, theirs = socket.socketpair()
    with (
        ours,
        subprocess.Popen(WIRE_SERVER, cwd=ROOT, stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL) as process,
    ):
        theirs.close()
        ours.settimeout(10)
        ours.sendall(json.dumps(request(1, "ping")).encode() + b"\n")
        assert json.loads(ours.recv(1000))["id"] == 1
        ours.sendall(json.dumps(request(0, "initialize")).encode() + b"\n")
        assert json.loads(ours.recv(1000))["id"] == 0
        ours.sendall(json.dumps(request(2, "text", {"size": 2**20})).encode() + b"\n")
        received = b""
        while not received.endswith(b"\n"):
            received += ours.recv(2**16)
        assert len(json.loads(received)["result"]["text"]) == 2**20
        ours.shutdown(socket.SHUT_WR)
        assert process.wait(2) == 0


@covers("WIRE-17")
def test_on_a_terminal_two_lines_say_what_it_is_and_it_serves() -> None:
    terminal, side = pty.openpty()
    program = (
        "from blitzweb.rpc.terminal import NATIVE_GREETING, greet_person; greet_person(NATIVE_GREETING);"
        "from tests.support.wire_server import main; import sys; sys.exit(main([]))"
    )
    with subprocess.Popen(
        [WIRE_SERVER[0], "-c", program], cwd=ROOT, stdin=side, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        os.close(side)
        first, second = process.stderr.readline().decode(), process.stderr.readline().decode()
        assert "blitzweb serve" in first
        assert "blitzweb-rpc" in second
        os.write(terminal, json.dumps(request(1, "ping")).encode() + b"\n")
        assert json.loads(process.stdout.readline())["id"] == 1
        os.write(terminal, b"\x03")  # Ctrl-C: not its own terminal's group here, so that nothing comes of it
        os.write(terminal, b"\x04")
        assert process.wait(5) == 0
    os.close(terminal)


@covers("WIRE-17")
def test_elsewhere_nothing_is_said() -> None:
    from blitzweb.rpc.terminal import NATIVE_GREETING, greet_person

    read_end, write_end = os.pipe()
    assert not greet_person(NATIVE_GREETING, read_end, write_end)
    os.close(write_end)
    assert os.read(read_end, 10) == b""
    os.close(read_end)


def ask(process: subprocess.Popen[bytes], method: str) -> dict[str, object]:
    process.stdin.write(json.dumps(request(1, method, {})).encode() + b"\n")
    return json.loads(process.stdout.readline())
