"""A daemon as a host has it, with as little of a host as there can be, so that what is measured is the daemon."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from row import Unavailable

PROGRAM = Path(sys.executable).parent / "blitzweb"


class Daemon:
    """A process that answers lines, and the pipes to it."""

    def __init__(self, command: list[str], home: Path) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"HOME": str(home), "PATH": "/usr/bin:/bin"},
        )
        self._in: IO[bytes] = self.process.stdin  # type: ignore[assignment]
        self._out: IO[bytes] = self.process.stdout  # type: ignore[assignment]

    def send(self, line: bytes) -> None:
        """Send one line."""
        self._in.write(line)
        self._in.flush()

    def receive(self) -> dict[str, Any]:
        """Return the next answer; whatever the daemon says meanwhile by itself is passed over."""
        while line := self._out.readline():
            message: dict[str, Any] = json.loads(line)
            if "method" not in message:
                return message
        raise Unavailable("the daemon ended: try `blitzweb serve` by hand")

    def call(self, line: bytes) -> dict[str, Any]:
        """Send a request and return its answer."""
        self.send(line)
        return self.receive()

    def kill(self) -> None:
        """End it at once."""
        self.process.kill()
        self.process.wait()
        self._in.close()
        self._out.close()


def line(identity: int, method: str, params: dict[str, Any] | None = None) -> bytes:
    """Return a request as a line."""
    message = {"jsonrpc": "2.0", "id": identity, "method": method}
    return json.dumps(message if params is None else message | {"params": params}).encode() + b"\n"


def initialize(settings: dict[str, Any] | None = None) -> bytes:
    """Return the first request of a host."""
    host = {"name": "bench"}
    params = {"protocol_version": 1, "host": host, "capabilities": {}, "settings": settings or {}}
    return line(0, "initialize", params)


@contextmanager
def home() -> Iterator[Path]:
    """Give a folder that stands for a user's home."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        yield Path(folder)


@contextmanager
def daemon(settings: dict[str, Any] | None = None) -> Iterator[Daemon]:
    """Give a daemon that is initialised."""
    with home() as folder:
        server = Daemon(serve(), folder)
        try:
            answer = server.call(initialize(settings))
            if "error" in answer:
                raise Unavailable(answer["error"]["message"])
            yield server
        finally:
            server.kill()


def serve() -> list[str]:
    """Return the command that a host would start."""
    if not PROGRAM.exists():
        raise Unavailable(f"{PROGRAM} is not installed: run scripts/setup")
    return [str(PROGRAM), "serve"]
