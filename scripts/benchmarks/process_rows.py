"""Rows about the process: how soon it answers, how fast it answers, and what it holds while idle."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import daemon
from row import Bench, Sample, Unavailable, timed

PINGS = 200
LINE_LOOP = "import json, sys\nfor line in sys.stdin:\n json.loads(line)\n print('{}', flush=True)"
BARE_PYTHON = "import json, socket, sys, threading\nfor line in sys.stdin:\n print('{}', flush=True)"


@contextmanager
def start() -> Iterator[tuple[Sample, Sample]]:
    """Spawn → the reply to `initialize`, as the host sees it."""
    daemon.serve()
    with daemon.home() as folder:
        first = daemon.initialize()
        running: list[daemon.Daemon] = []

        def spawn() -> None:
            running.append(daemon.Daemon(daemon.serve(), folder))
            running[-1].call(first)

        def ours() -> float:
            figure = timed(spawn)()
            running.pop().kill()
            return figure

        yield ours, timed(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True))


@contextmanager
def ping() -> Iterator[tuple[Sample, Sample]]:
    """One round trip, beside a line loop in one thread."""
    with daemon.daemon() as server, bare(LINE_LOOP) as loop:
        request = daemon.line(1, "ping")
        yield timed(lambda: server.call(request), PINGS), timed(lambda: loop.call(request), PINGS)


@contextmanager
def resident() -> Iterator[tuple[Sample, Sample]]:
    """Resident memory after `initialize`, before first use."""
    with daemon.daemon() as server, bare(BARE_PYTHON) as loop:
        yield lambda: memory(server, "Rss"), lambda: memory(loop, "Rss")


@contextmanager
def proportional() -> Iterator[tuple[Sample, Sample]]:
    """Memory with shared pages split among those who share them."""
    with daemon.daemon() as server, bare(BARE_PYTHON) as loop:
        yield lambda: memory(server, "Pss"), lambda: memory(loop, "Pss")


@contextmanager
def bare(script: str) -> Iterator[daemon.Daemon]:
    """Give a process that does next to nothing with a line."""
    with daemon.home() as folder:
        loop = daemon.Daemon([sys.executable, "-c", script], folder)
        try:
            loop.call(b"{}\n")
            yield loop
        finally:
            loop.kill()


def memory(server: daemon.Daemon, kind: str) -> float:
    """Return a process's memory in MiB, from the kernel's own sum."""
    rollup = Path(f"/proc/{server.process.pid}/smaps_rollup")
    if not rollup.exists():
        raise Unavailable("the kernel gives no smaps_rollup here")
    (figure,) = [row.split()[1] for row in rollup.read_text().splitlines() if row.startswith(f"{kind}:")]
    return int(figure) / 1024


BENCHES = (
    Bench("start", "spawn → initialize reply", "python -c pass", 5, start, rounds=25),
    Bench("ping", "ping round trip", "line loop, one thread", 0.1, ping, absolute=True),
    Bench("memory-rss", "idle, resident", "bare Python", 30, resident, "MiB", rounds=3, absolute=True),
    Bench("memory-pss", "idle, proportional", "bare Python", 2, proportional, "MiB", rounds=3),
)
