"""One worker process as its owner sees it: started, asked, killed. It knows nothing of what is asked (CONTENT-10)."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from blitzweb.limits import MAX_WORKER_ANSWER_BYTES, MIB
from blitzweb.timing import Deadline
from blitzweb.workers.frames import BadFrame, pack_frame, read_frame

_PROGRAM: Final = ("-m", "blitzweb.workers.main")
_PACKAGE_PARENT: Final = str(Path(__file__).parents[2])
# What Python and its libraries need to start; no keys and no secrets: a page may take a worker over.
_INHERITED: Final = (
    *("HOME", "LANG", "LC_ALL", "LC_CTYPE", "PATH", "TMPDIR"),
    *("LD_LIBRARY_PATH", "PYTHONHOME", "VIRTUAL_ENV"),
)
_KILL_SECONDS: Final = 1.0


class WorkerDied(Exception):
    """Raised when a worker ended, or answered nonsense, instead of answering; the message says which."""


class Worker:
    """A process that answers one request after the other. Used by one thread at a time; `kill` is for any thread."""

    def __init__(self) -> None:
        environment = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, (_PACKAGE_PARENT, os.environ.get("PYTHONPATH"))))
        self._process = subprocess.Popen(
            [sys.executable, *_PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,  # a terminal's Ctrl-C is for the daemon, which ends its workers itself
            bufsize=0,
        )
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None, "it is a pipe"  # noqa: S101
        assert stdout is not None, "it is a pipe"  # noqa: S101
        self._pipes = (stdin, stdout)
        self._requests, self._answers = stdin.fileno(), stdout.fileno()
        os.set_blocking(self._requests, False)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Tell whether the process is there; a dead one is reaped."""
        return self._process.poll() is None

    def ask(self, head: dict[str, Any], body: bytes, deadline: Deadline) -> dict[str, Any]:
        """Send a request and return the answer; `kill` from another thread ends it.

        Raises:
            WorkerDied: there is no answer.
        """
        try:
            self._send(memoryview(pack_frame(head, body)), deadline)
            frame = read_frame(lambda length: self._receive(length, deadline), MAX_WORKER_ANSWER_BYTES)
        except OSError:
            raise WorkerDied(self._last_words()) from None
        except BadFrame as error:
            raise WorkerDied(str(error)) from None
        if frame is None:
            raise WorkerDied(self._last_words())
        return frame[0]

    def _send(self, data: memoryview, deadline: Deadline) -> None:
        """Write all of it; the pipe does not block, so that a worker which reads nothing holds nobody."""
        while data:
            _, ready, _ = select.select([], [self._requests], [], deadline.remaining())
            if not ready:
                raise WorkerDied("it read nothing until the deadline")
            data = data[os.write(self._requests, data[:MIB]) :]

    def _receive(self, length: int, deadline: Deadline) -> bytes:
        ready, _, _ = select.select([self._answers], [], [], deadline.remaining())
        if not ready:
            raise WorkerDied("it did not answer until the deadline")
        return os.read(self._answers, min(length, MIB))

    def kill(self) -> None:
        """End the process at once; harmless if it has ended."""
        self._process.kill()

    def close(self) -> None:
        """End the process, reap it, and close the pipes."""
        self.kill()
        self._process.wait(_KILL_SECONDS)
        for pipe in self._pipes:
            pipe.close()

    def _last_words(self) -> str:
        """Return how the process ended; one that only closed its pipes is killed."""
        try:
            code = self._process.wait(_KILL_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            return "it closed its pipes"
        return f"it was ended by signal {-code}" if code < 0 else f"it ended with code {code}"
