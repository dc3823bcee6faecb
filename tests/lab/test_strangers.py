"""Other users and stray programs of the machine: neither the proxy nor the browser is theirs to use."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.support.browsing import engine_or_skip
from tests.support.covers import covers
from tests.support.lab.daemon import Daemon
from tests.support.lab.lab import Lab
from tests.support.lab.scene import EVERYDAY
from tests.support.lab.wrapped import proxy_port

NOBODY = 65534
LISTEN = "0A"  # as /proc spells it
ASK = """
import socket, sys
with socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5) as connection:
    connection.sendall(sys.argv[2].encode())
    print(connection.recv(12).decode())
"""
REQUESTS = {
    "plain": "GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\n\r\n",
    "tunnel": "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n",
    "wrong token": "GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\nProxy-Authorization: Basic YTpi\r\n\r\n",
}
PYTHON = ("/usr/bin/env", "python3", "-I", "-c")  # one that every user may run
USERS = {"a stray program": [], "another user": ["setpriv", f"--reuid={NOBODY}", "--clear-groups"]}


@pytest.fixture(scope="module")
def daemon(running_lab: Lab, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    settings = {
        "browser": {"engine": engine_or_skip("headless-shell"), "transport": "pipe"},
        "web": {"allow_domains": ["a.example"]},
    }
    running_lab.play(EVERYDAY)
    with Daemon(running_lab, tmp_path_factory.mktemp("strangers"), settings) as daemon:
        assert not daemon.use("browser", action="navigate", url="http://a.example/").is_error
        yield daemon


@pytest.fixture(params=USERS)
def prefix(request: pytest.FixtureRequest) -> list[str]:
    if USERS[request.param] and os.geteuid() != 0:
        pytest.skip("only root can be another user")
    return USERS[request.param]


@covers("EGRESS-05", "EGRESS-06")
@pytest.mark.parametrize("text", REQUESTS.values(), ids=REQUESTS)
def test_the_proxy_does_nothing_without_the_token(lab: Lab, daemon: Daemon, prefix: list[str], text: str) -> None:
    command = lab.command(*prefix, *PYTHON, ASK, str(proxy_port(daemon)), text)
    answer = subprocess.run(command, check=True, capture_output=True, text=True, timeout=20).stdout
    assert answer == "HTTP/1.1 407\n"
    log = lab.log()
    assert (log.lookups, log.connections) == ([], [])


def listening(pid: int) -> set[int]:
    """Return the ports that are listened on in the network namespace of a process."""
    tables = [Path(f"/proc/{pid}/net/{kind}").read_text() for kind in ("tcp", "tcp6")]
    lines = [line.split() for table in tables for line in table.splitlines()]
    return {int(fields[1].rpartition(":")[2], 16) for fields in lines if fields[3] == LISTEN}


@covers("BROWSER-11")
def test_with_pipes_the_browser_listens_nowhere(daemon: Daemon) -> None:
    (browser,) = daemon.ask("$/status")["browsers"]
    process = psutil.Process(browser["pid"])
    assert listening(process.pid) == {80, proxy_port(daemon)}  # the lab's own server, and the proxy
    profile = next(word.partition("=")[2] for word in process.cmdline() if word.startswith("--user-data-dir="))
    assert Path(profile).stat().st_mode & 0o077 == 0
    assert not Path(profile, "DevToolsActivePort").exists()
