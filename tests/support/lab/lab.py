"""Two private network namespaces: commands run in one, the world that a test scripts is in the other.

    with Lab() as lab:
        lab.play(Scene(names={"x.example": (("10.0.0.1",),)}))
        subprocess.run(lab.command("blitzweb", "serve"), ...)
        assert lab.log().attempts() == set()

Needs Linux with unprivileged or root namespaces, iproute2 and util-linux; no network. Everything goes with the world's
process, and that goes when its control connection ends, however the test's process ends.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO, Any, Self

from tests.support.lab.scene import Log, Scene

ROOT = Path(__file__).parents[3]
START_SECONDS = 20.0  # it takes under one; a machine may be busy
POLL_SECONDS = 0.002


class LabUnavailable(Exception):
    """This machine does not allow or lacks what the lab is made of; the text says what."""


class Lab:
    """A running lab, from entry to exit as a context manager."""

    def __enter__(self) -> Self:
        self._errors = tempfile.TemporaryFile()
        self._process, self._control = _start(self._errors)
        try:
            side, folder = self._receive(START_SECONDS)
        except (EOFError, TimeoutError):
            self.__exit__()
            raise LabUnavailable(self._complaint) from None
        self._side: int = side
        self.ca_file = Path(folder) / "ca.pem"
        return self

    def __exit__(self, *_: object) -> None:
        self._control.close()
        self._process.wait(START_SECONDS)
        self._errors.seek(0)
        self._complaint = self._errors.read().decode(errors="replace").strip()
        self._errors.close()

    def command(self, *command: str, **environment: str) -> list[str]:
        """Return a command that runs another one on the daemon's side, from the current folder; the process is its."""
        user = [] if os.geteuid() == 0 else ["--user", "--preserve-credentials"]
        enter = ["nsenter", "--target", str(self._side), *user, "--net", "--mount"]
        settings = [f"{name}={value}" for name, value in environment.items()]
        return [*enter, "env", f"--chdir={Path.cwd()}", *settings, *command]

    def play(self, scene: Scene) -> None:
        """Show another scene; returns when it is on. What the last one saw is forgotten."""
        self._ask(scene)

    def log(self) -> Log:
        """Return what the world has seen since the scene began; whatever has returned by now is in it."""
        log: Log = self._ask("log")
        return log

    def wait_for(self, seen: Callable[[Log], object], seconds: float = 10.0) -> Log:
        """Wait until the world has seen something."""
        end = time.monotonic() + seconds
        while not seen(log := self.log()):
            assert time.monotonic() < end, f"never seen: {log}"
            time.sleep(POLL_SECONDS)
        return log

    def _ask(self, command: object) -> Any:
        try:
            self._control.send(command)
            return self._receive(START_SECONDS)
        except (EOFError, BrokenPipeError):
            self._errors.seek(0)
            raise RuntimeError(f"the lab's world has ended: {self._errors.read().decode()}") from None

    def _receive(self, seconds: float) -> Any:
        if not self._control.poll(seconds):
            raise TimeoutError(f"the lab's world has not answered for {seconds:g} s")
        return self._control.recv()


def _start(errors: IO[bytes]) -> tuple[subprocess.Popen[bytes], Connection]:
    ours, theirs = socket.socketpair()
    root = ["--user", "--map-root-user"] if os.geteuid() != 0 else []
    command = ["unshare", *root, "--net", "--mount", sys.executable, "-m", "tests.support.lab.world"]
    with theirs:
        try:
            process = subprocess.Popen(command, cwd=ROOT, stdin=theirs.fileno(), stdout=errors, stderr=errors)
        except FileNotFoundError as error:
            ours.close()
            raise LabUnavailable(f"{error.filename} is missing: install util-linux and iproute2") from None
    return process, Connection(ours.detach())
