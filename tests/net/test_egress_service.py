"""`blitzweb egress` as a process: what it takes, what it says, and how it ends."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from blitzweb.egress.token_file import read_token_file
from blitzweb.egress_service import read_address
from blitzweb.errors import SettingsError, UsageError
from tests.support.covers import covers
from tests.support.egress import AUTHORIZATION, SECONDS, TOKEN, read_to_end, request, split_answer
from tests.support.fetching import OK, answering
from tests.support.raw_server import RawServer

LISTENS = re.compile(r"listens on \S+:(\d+)$")


@pytest.fixture
def token_file(tmp_path: Path) -> Path:
    path = tmp_path / "token"
    path.touch(mode=0o600)
    path.write_text(f"{TOKEN}\n")
    return path


class Service:
    """A service that runs; `said` is its log so far."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.said = ""
        self.port = int(self.read_until(LISTENS).group(1))

    def read_until(self, pattern: re.Pattern[str]) -> re.Match[str]:
        """Read the log up to a line."""
        for line in iter(self.process.stderr.readline, ""):
            self.said += line
            if found := pattern.search(line.rstrip()):
                return found
        raise AssertionError(f"it ended: {self.said}")

    def ask(self, data: bytes, host: str = "127.0.0.1") -> tuple[int, dict[str, str], bytes]:
        """Make one request."""
        with socket.create_connection((host, self.port), SECONDS) as connection:
            connection.sendall(data)
            return split_answer(read_to_end(connection))


def command(*options: object) -> list[str]:
    return [sys.executable, "-m", "blitzweb", "egress", *map(str, options)]


@contextlib.contextmanager
def serving(home: Path, *options: object) -> Iterator[Service]:
    environ = {**os.environ, "HOME": str(home), "HTTP_PROXY": "http://127.0.0.1:1", "PYTHONWARNINGS": "error"}
    environ.pop("BLITZWEB_LOG", None)
    with subprocess.Popen(command(*options), stderr=subprocess.PIPE, text=True, env=environ) as process:
        try:
            yield Service(process)
        finally:
            process.kill()


def run(*options: object) -> tuple[int, str]:
    done = subprocess.run(command(*options), capture_output=True, text=True, check=False, timeout=SECONDS)
    return done.returncode, done.stderr


@covers("EGRESS-08")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_service_serves_until_a_signal(tmp_path, token_file, number):
    (tmp_path / ".blitz").mkdir()
    (tmp_path / ".blitz" / "config.toml").write_text(
        '[web]\ndeny_domains = ["denied.example"]\n[browser]\nallow_local = true\n'
    )
    with (
        RawServer(answering(OK + b"Connection: close\r\nContent-Length: 2\r\n\r\nok")) as server,
        serving(tmp_path, "--listen", "127.0.0.1:0", "--token-file", token_file) as service,
    ):
        assert service.ask(request("GET", server.url))[::2] == (200, b"ok")
        assert service.ask(request("GET", server.url, token=b""))[0] == 407
        assert service.ask(request("CONNECT", "127.0.0.1:25"))[1]["x-blitzweb-refused"] == "port"
        status, headers, _ = service.ask(request("CONNECT", "denied.example:443"))
        assert (status, headers["x-blitzweb-refused"]) == (403, 'deny-domain; rule="web.deny_domains: denied.example"')
        service.read_until(re.compile("refused denied.example port 443"))
        assert service.ask(request("CONNECT", f"127.0.0.1:{service.port}"))[1]["x-blitzweb-refused"] == "own-port"
        assert service.ask(request("GET", "http://169.254.169.254/"))[0] == 403
        service.process.send_signal(number)
        assert service.process.wait(SECONDS) == 0
        assert "a signal asked for it" in service.process.stderr.read()
        assert TOKEN not in service.said
        assert AUTHORIZATION.decode().split()[-1] not in service.said


@covers("EGRESS-08")
def test_what_the_settings_leave_closed_is_closed(tmp_path, token_file):
    options = ("--listen", "127.0.0.1:0", f"--token-file={token_file}", "--set", "egress.mode=allowlist")
    with RawServer(answering(OK)) as server, serving(tmp_path, *options) as service:
        assert service.ask(request("GET", server.url))[1]["x-blitzweb-refused"] == "egress"
        assert "other machines" not in service.said


@covers("EGRESS-08")
def test_other_machines_can_be_let_in_and_that_is_said(tmp_path, token_file):
    with serving(tmp_path, "--listen", "0.0.0.0:0", "--token-file", token_file) as service:
        service.read_until(re.compile("other machines can reach it"))
        assert service.ask(request("GET", "http://blitzweb.invalid/"), "127.0.0.2")[0] == 200
        assert service.ask(request("GET", "http://blitzweb.invalid/", token=b""), "127.0.0.2")[0] == 407


@covers("EGRESS-08")
def test_a_port_in_use_is_said(token_file):
    with RawServer(answering(OK)) as server:
        code, said = run("--listen", f"127.0.0.1:{server.port}", "--token-file", token_file)
    assert code == 1
    assert f"127.0.0.1:{server.port} cannot be listened on: Address already in use" in said


@covers("EGRESS-08")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o666, 0o601])
def test_a_token_that_others_can_read_is_refused(token_file, mode):
    token_file.chmod(mode)
    code, said = run("--listen", "127.0.0.1:0", "--token-file", token_file)
    assert code == 1
    assert f"{token_file} can be read by other users" in said
    assert f"chmod 600 {token_file}" in said


@covers("EGRESS-08")
@pytest.mark.parametrize("text", ["", "short", "two words that are long enough", "a" * 15, "mit-ümlaut-und-lang-genug"])
def test_what_is_no_token_is_refused(token_file, text):
    token_file.write_text(text)
    with pytest.raises(SettingsError) as caught:
        read_token_file(str(token_file))
    assert text not in caught.value.message or not text


def test_a_token_file_that_is_not_there_is_said(tmp_path):
    with pytest.raises(SettingsError, match="No such file"):
        read_token_file(str(tmp_path / "none"))
    with pytest.raises(SettingsError, match="s a directory"):
        read_token_file(str(tmp_path))


@covers("EGRESS-08")
@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--listen", "127.0.0.1:0"),
        ("--token-file", "x"),
        ("--listen",),
        ("--listen=", "--token-file=x"),
        ("--listen", "localhost:1", "--token-file", "x"),
        ("--listen", "127.0.0.1:0", "--token-file", "x", "--what"),
    ],
)
def test_without_address_or_token_it_does_not_start(options):
    code, said = run(*options)
    assert (code, said.startswith("blitzweb: ")) == ((3 if "--what" not in options else 1), True)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("127.0.0.1:3128", ("127.0.0.1", 3128)),
        ("0.0.0.0:0", ("0.0.0.0", 0)),
        ("[::]:3128", ("::", 3128)),
        ("[::1]:1", ("::1", 1)),
    ],
)
def test_addresses(text, address):
    assert read_address(text) == address


@pytest.mark.parametrize(
    "text", ["", "3128", ":3128", "127.0.0.1", "::1:3128", "a.example:80", "127.0.0.1:65536", "1:2:3"]
)
def test_what_is_no_address(text):
    with pytest.raises(UsageError, match="ADDRESS:PORT"):
        read_address(text)


def test_help():
    done = subprocess.run(command("--help"), capture_output=True, text=True, check=False, timeout=SECONDS)
    assert (done.returncode, done.stdout.startswith("usage: blitzweb egress")) == (0, True)
