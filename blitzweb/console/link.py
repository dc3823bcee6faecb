"""A daemon's process and its pipes: lines out, lines in, and a clear word when it is gone (WIRE-01).

Must not know what a message means. One thread reads stdout and one stderr; both end with the process's pipes, and
`close` joins them. Everything else happens on the caller's thread.
"""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Any, Final

from blitzweb.console.printable import one_line, printable
from blitzweb.errors import BlitzwebError, ParseFailed
from blitzweb.limits import CONSOLE_LINE_BYTES
from blitzweb.wire.encoding import decode, encode
from blitzweb.wire.lines import LineSplitter
from blitzweb.wire.render import Direction

Observer = Callable[[Direction, Any], None]

STOP_SECONDS: Final = 4.0  # the daemon promises 2; after twice that it is killed
_LAST_WORDS: Final = 8  # lines of the log that a dead daemon is quoted with
_READ_BYTES: Final = 65_536


class DaemonFailed(BlitzwebError):
    """Raised when the daemon cannot be started, ended by itself, or writes what is no message."""


class Interrupted(Exception):
    """Raised out of `receive` when `interrupt` was called."""


class Link:
    """One daemon. `observers` are shown every message as it is sent or taken, in that order."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        environ: Mapping[str, str] | None = None,
        observers: Sequence[Observer] = (),
        log: Callable[[str], None] | None = None,
    ) -> None:
        self._observers = tuple(observers)
        self._log = log
        self._last_words: deque[str] = deque(maxlen=_LAST_WORDS)
        # Filled by the reader and by `interrupt`; None is the end. Reentrant, as signal handlers need it.
        self._inbox: queue.SimpleQueue[bytes | ParseFailed | Interrupted | None] = queue.SimpleQueue()
        self._ended = False
        self._process = _start(command, environ)
        self._threads = [
            threading.Thread(target=self._read, name="console-reader", daemon=True),
            threading.Thread(target=self._drain, name="console-log", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        """Return the daemon's process id."""
        return self._process.pid

    def send(self, message: Any) -> None:
        """Send one message. If the daemon is gone, `receive` says so, after what it still said."""
        for observe in self._observers:
            observe("→", message)
        self.send_line(encode(message))

    def send_line(self, line: bytes) -> None:
        """Send a line as it is."""
        pipe = _present(self._process.stdin)
        with contextlib.suppress(BrokenPipeError):
            pipe.write(line + b"\n")
            pipe.flush()

    def receive(self, seconds: float | None = None) -> Any:
        """Return the next message; wait for it, at most `seconds`.

        Raises:
            TimeoutError: nothing came.
            DaemonFailed: the daemon is gone, or wrote what is no JSON.
            Interrupted: `interrupt` was called.
        """
        if self._ended:
            raise self._failure()
        try:
            line = self._inbox.get(timeout=seconds)
        except queue.Empty:
            raise TimeoutError from None
        if line is None:
            self._ended = True
            raise self._failure()
        if isinstance(line, Interrupted):
            raise line
        message = _read(line)
        for observe in self._observers:
            observe("←", message)
        return message

    def interrupt(self) -> None:
        """Make `receive` raise once; safe in a signal handler."""
        self._inbox.put(Interrupted())

    def end_input(self) -> None:
        """Send nothing more; what the daemon still has to say can be received."""
        with contextlib.suppress(BrokenPipeError):
            _present(self._process.stdin).close()

    def close(self) -> int:
        """End the daemon: no more input, then some time, then by force. Return its exit code."""
        self.end_input()
        try:
            code = self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        for thread in self._threads:
            thread.join(1.0)  # they end with the pipes, which a child of the daemon may still hold
        if not any(thread.is_alive() for thread in self._threads):
            _present(self._process.stdout).close()
            _present(self._process.stderr).close()
        return code

    def _read(self) -> None:
        splitter = LineSplitter(CONSOLE_LINE_BYTES)
        pipe = _present(self._process.stdout)
        while chunk := os.read(pipe.fileno(), _READ_BYTES):
            for line in splitter.feed(chunk):
                self._inbox.put(line)
        for line in splitter.close():
            self._inbox.put(line)
        self._inbox.put(None)

    def _drain(self) -> None:
        for line in _present(self._process.stderr):
            text = printable(line.decode(errors="replace").rstrip())
            self._last_words.append(text)
            if self._log is not None:
                self._log(text)

    def _failure(self) -> DaemonFailed:
        """Say how the daemon ended, and what it said last."""
        try:
            code = self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            return DaemonFailed("the daemon has closed its output, and still runs")
        self._threads[1].join(1.0)
        how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        words = "\n  ".join(self._last_words)
        return DaemonFailed(f"the daemon {how}", advice=f"its last words:\n  {words}" if words else "it said nothing")


def _start(command: Sequence[str], environ: Mapping[str, str] | None) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            list(command),
            env=environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the console, which cancels the call
        )
    except OSError as error:
        text = f"cannot start the daemon `{shlex.join(command)}`: {error.strerror or error}"
        raise DaemonFailed(text, advice="--daemon CMD names another") from None


def _read(line: bytes | ParseFailed) -> Any:
    if isinstance(line, ParseFailed):
        raise DaemonFailed(f"the daemon wrote what is no message: {line.message}")
    try:
        return decode(line)
    except ParseFailed as error:
        shown = one_line(line[:120].decode(errors="replace"))
        raise DaemonFailed(f"the daemon wrote what is no message: {error.message}", advice=f"it was: {shown}") from None


def _present(pipe: IO[bytes] | None) -> IO[bytes]:
    """Return a pipe that `_start` asked for, and so is there."""
    if pipe is None:
        raise AssertionError("the process has no pipe")
    return pipe
