"""A host for tests: spawns a daemon, sends lines or bytes, reads lines on a thread, and looks at the process."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

ROOT = Path(__file__).parents[2]
WIRE_SERVER = (sys.executable, "-m", "tests.support.wire_server")


class Host:
    """One daemon and the pipes to it. As a context manager it kills the daemon at the end, whatever happened."""

    def __init__(
        self, command: Sequence[str] = WIRE_SERVER, *, options: Sequence[str] = (), reading: bool = True
    ) -> None:
        self.process = subprocess.Popen(
            [*command, *options],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.out = self.process.stdout  # for tests that read by themselves
        self.raw: list[bytes] = []  # every line that came out, as it came
        self.errors: list[bytes] = []
        self._messages: queue.Queue[Any] = queue.Queue()
        self._unmatched: list[Any] = []
        self._threads = [threading.Thread(target=self._drain, daemon=True)]
        self._threads[0].start()
        if reading:
            self.read()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait()
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        for thread in self._threads:
            thread.join(5)
        self.out.close()
        self.process.stderr.close()

    def read(self) -> None:
        """Begin to read stdout, on a thread."""
        thread = threading.Thread(target=self._read, daemon=True)
        self._threads.append(thread)
        thread.start()

    def send(self, *messages: Any) -> None:
        """Send messages, one a line."""
        self.send_bytes(b"".join(json.dumps(message).encode() + b"\n" for message in messages))

    def send_bytes(self, data: bytes) -> None:
        """Send bytes as they are."""
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def receive(self, seconds: float = 10.0) -> Any:
        """Return the next line that nobody has taken, as JSON; strict about NaN."""
        if self._unmatched:
            return self._unmatched.pop(0)
        return self._messages.get(timeout=seconds)

    def answer(self, identity: Any, seconds: float = 10.0) -> dict[str, Any]:
        """Return the answer to a request, leaving other messages for `receive`."""
        return self.find(lambda message: _is_answer(message, identity), seconds)

    def find(self, wanted: Any, seconds: float = 10.0) -> Any:
        """Return the first message that is wanted, leaving others for `receive`."""
        for index, message in enumerate(self._unmatched):
            if wanted(message):
                return self._unmatched.pop(index)
        end = time.monotonic() + seconds
        while True:
            message = self._messages.get(timeout=max(0.001, end - time.monotonic()))
            if wanted(message):
                return message
            self._unmatched.append(message)

    def call(self, method: str, params: Any = None, identity: Any = "call", seconds: float = 10.0) -> Any:
        """Send a request and return its answer."""
        self.send(request(identity, method, params))
        return self.answer(identity, seconds)

    def open(self, **params: Any) -> Host:
        """Initialise."""
        assert "result" in self.call("initialize", params, "initialize")
        return self

    def wait(self, seconds: float = 5.0) -> int:
        """Wait for the process to end; return its exit code."""
        return self.process.wait(seconds)

    def log(self) -> str:
        """Return what came out of stderr so far."""
        return b"".join(self.errors).decode(errors="replace")

    def wait_for_log(self, text: str, seconds: float = 10.0) -> str:
        """Wait until the log holds a text; return the log."""
        end = time.monotonic() + seconds
        while text not in self.log():
            assert time.monotonic() < end, f"{text!r} never came: {self.log()}"
            time.sleep(0.005)
        return self.log()

    def nothing_more(self) -> bool:
        """Tell whether no message is left, after a `ping` has come back."""
        self.call("ping", identity="nothing more?")
        return not self._unmatched and self._messages.empty()

    def memory_mib(self) -> float:
        """Return the resident memory of the daemon."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    def processor_ticks(self) -> int:
        """Return the processor time that the daemon has used."""
        user, system = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        return int(user) + int(system)

    def _read(self) -> None:
        for line in self.out:
            if not line.endswith(b"\n"):  # the daemon was killed while it wrote
                return
            self.raw.append(line)
            self._messages.put(json.loads(line.decode("utf-8"), parse_constant=_refuse))

    def _drain(self) -> None:
        for line in self.process.stderr:
            self.errors.append(line)


def request(identity: Any, method: str, params: Any = None) -> dict[str, Any]:
    """Return a request."""
    return notification(method, params) | {"id": identity}


def notification(method: str, params: Any = None) -> dict[str, Any]:
    """Return a notification."""
    message = {"jsonrpc": "2.0", "method": method}
    return message if params is None else message | {"params": params}


def cancel(identity: Any) -> dict[str, Any]:
    """Return the notification that cancels a call."""
    return notification("$/cancelRequest", {"id": identity})


def _is_answer(message: Any, identity: Any) -> bool:
    return (
        isinstance(message, dict)
        and "method" not in message
        and message["id"] == identity
        and type(message["id"]) is type(identity)
    )


def _refuse(name: str) -> None:
    raise AssertionError(f"{name} on the wire")
