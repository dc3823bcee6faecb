"""A terminal for tests: runs a program on a pty, waits for text on its screen, and types."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from fcntl import ioctl
from typing import Self

from tests.support.host import ROOT

CONTROLS = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07|[()][AB012]|[=>])|\r")


class Terminal:
    """One program on a terminal of its own. As a context manager it ends the program, whatever happened."""

    def __init__(self, *words: str, environ: dict[str, str] | None = None, columns: int = 120) -> None:
        self._master, slave = pty.openpty()
        ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        self.process = subprocess.Popen(
            words,
            cwd=ROOT,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**os.environ, "TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1", **(environ or {})},
            start_new_session=True,
            preexec_fn=lambda: ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 (no threads here)
        )
        os.close(slave)
        self.raw = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait()
        os.close(self._master)

    @property
    def text(self) -> str:
        """Return what was written so far, without what only moves the cursor or colours."""
        return CONTROLS.sub("", self.raw.decode(errors="replace"))

    def type(self, text: str) -> None:
        """Press keys; a `\\x03` is Ctrl-C."""
        os.write(self._master, text.encode())

    def see(self, text: str, seconds: float = 10.0) -> str:
        """Wait until a text stands on the screen; return all that does."""
        end = time.monotonic() + seconds
        while text not in self.text:
            assert self._read(end), f"{text!r} never came:\n{self.text}"
        return self.text

    def forget(self) -> None:
        """Begin with an empty screen."""
        self.raw = b""

    def wait(self, seconds: float = 10.0) -> int:
        """Read until the program ends; return its exit code."""
        end = time.monotonic() + seconds
        while self._read(end):
            pass
        return self.process.wait(max(0.1, end - time.monotonic()))

    def _read(self, end: float) -> bool:
        ready, _, _ = select.select([self._master], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            return False
        try:
            chunk = os.read(self._master, 65536)
        except OSError:  # the program has closed its side
            return False
        self.raw += chunk
        return bool(chunk)


def console(*words: str) -> tuple[str, ...]:
    """Return the command of `blitzweb-rpc` with a stub for a daemon."""
    daemon = f"{sys.executable} -m tests.support.stub_daemon"
    return (sys.executable, "-m", "blitzweb.console.main", "--daemon", daemon, *words)
