"""The thread that answers for calls whose deadline passed, however deep in a library their work is stuck.

Ids: WIRE-26.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable

from blitzweb.timing import Deadline

_PAUSED_SECONDS = 0.05  # while a person thinks, nothing tells when the clock goes on: look this often
_IDLE_SECONDS = 3600.0  # nothing is due; `watch` wakes


class DeadlineWatch:
    """Owned by the scheduler. The thread starts with the first call and ends at `finish`."""

    def __init__(self, due: Callable[[], Iterable[Deadline]], expire: Callable[[], None]) -> None:
        self._due = due
        self._expire = expire
        self._changed = threading.Condition(threading.Lock())
        self._wakes_at = 0.0
        self._finished = False
        self._thread: threading.Thread | None = None

    def watch(self, deadline: Deadline) -> None:
        """Make sure that the thread is awake in time for this deadline."""
        with self._changed:
            if self._thread is None and not self._finished:
                self._thread = threading.Thread(target=self._run, name="blitzweb-deadlines", daemon=True)
                self._thread.start()
            elif time.monotonic() + deadline.remaining() < self._wakes_at:
                self._changed.notify()

    def finish(self) -> None:
        """End the thread and join it."""
        with self._changed:
            self._finished = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while True:
            self._expire()
            with self._changed:
                if self._finished:
                    return
                wait = min([_IDLE_SECONDS, *map(_seconds_to_wait, self._due())])
                self._wakes_at = time.monotonic() + wait
                self._changed.wait(wait)


def _seconds_to_wait(deadline: Deadline) -> float:
    return max(deadline.remaining(), _PAUSED_SECONDS if deadline.stopwatch.paused else 0.0)
