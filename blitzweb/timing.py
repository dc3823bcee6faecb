"""Time and stopping: one `Deadline` and one `CancelToken` travel with every call.

A call's clock is a `Stopwatch` that stands still while a person thinks; all deadlines of
the call read the same stopwatch, so that pausing it pauses them all. A `CancelToken` is a stack of ways to stop what is
going on: whoever blocks (a socket, a question, a worker process) registers how to be woken for as long as it blocks.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from blitzweb.errors import CallCancelled

Clock = Callable[[], float]


class Stopwatch:
    """Seconds that count against a call: wall-clock time since the start, less the pauses.

    Owned by the call's runner; safe to read from any thread. Pauses may nest and overlap (two questions at once).
    """

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._started = clock()
        self._paused_for = 0.0
        self._paused_since = 0.0
        self._pauses = 0

    def elapsed(self) -> float:
        """Return the seconds that have counted so far."""
        with self._lock:
            now = self._paused_since if self._pauses else self._clock()
            return now - self._started - self._paused_for

    @property
    def paused(self) -> bool:
        """Tell whether time stands still now."""
        return self._pauses > 0

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Let no time count inside the block."""
        with self._lock:
            if self._pauses == 0:
                self._paused_since = self._clock()
            self._pauses += 1
        try:
            yield
        finally:
            with self._lock:
                self._pauses -= 1
                if self._pauses == 0:
                    self._paused_for += self._clock() - self._paused_since


class Deadline:
    """A wall-clock limit on a stopwatch; `sooner` narrows it for a part of the work, and nothing can widen it."""

    def __init__(self, seconds: float, stopwatch: Stopwatch | None = None) -> None:
        self.stopwatch = stopwatch or Stopwatch()
        self.seconds = seconds
        self._limit = self.stopwatch.elapsed() + seconds

    def remaining(self) -> float:
        """Return the seconds left, never below zero."""
        return max(0.0, self._limit - self.stopwatch.elapsed())

    @property
    def expired(self) -> bool:
        """Tell whether the limit has been reached."""
        return self._limit <= self.stopwatch.elapsed()

    def sooner(self, seconds: float) -> Deadline:
        """Return a deadline `seconds` from now, or this one's limit if that comes first."""
        part = Deadline(min(seconds, self.remaining()), self.stopwatch)
        part.seconds = min(seconds, self.seconds)  # what a text names: the limit, not what happened to be left of it
        return part


class CancelToken:
    """Says whether to stop, and wakes whoever is blocked.

    `stopping(how)` registers a way to be woken for the length of a block. On `cancel` the ways run once each, the
    newest first, in the cancelling thread; they must not block (`socket.shutdown`, an event, a kill). A way that is
    registered after the cancel runs at once.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._event = threading.Event()
        self._ways: list[Callable[[], object]] = []

    @property
    def cancelled(self) -> bool:
        """Tell whether the call was cancelled."""
        return self._event.is_set()

    def cancel(self) -> None:
        """Cancel once; later calls do nothing. A way that fails does not keep the others from running."""
        with self._lock:
            if self._event.is_set():
                return
            self._event.set()
            ways, self._ways = self._ways[::-1], []
        for stop in ways:
            _run_quietly(stop)

    def check(self) -> None:
        """Raise `CallCancelled` if the call was cancelled."""
        if self._event.is_set():
            raise CallCancelled("the host cancelled the call")

    def wait(self, seconds: float | None = None) -> bool:
        """Block until cancelled or until `seconds` have passed; tell whether it was cancelled."""
        return self._event.wait(seconds)

    @contextmanager
    def stopping(self, how: Callable[[], object]) -> Iterator[None]:
        """Have `how` called if the token is cancelled inside the block."""
        with self._lock:
            late = self._event.is_set()
            if not late:
                self._ways.append(how)
        if late:
            _run_quietly(how)
        try:
            yield
        finally:
            with self._lock:
                if how in self._ways:
                    self._ways.remove(how)


def _run_quietly(stop: Callable[[], object]) -> None:
    """Run a way to stop; what it wanted to stop may be gone already, which is as good."""
    with contextlib.suppress(Exception):
        stop()
