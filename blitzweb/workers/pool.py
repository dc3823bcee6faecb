"""The workers of the daemon: at most a few at once, one kept warm, each lent to one call at a time (CONTENT-10)."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from blitzweb.errors import DeadlinePassed
from blitzweb.limits import MAX_WORKERS
from blitzweb.timing import CancelToken, Deadline
from blitzweb.workers.worker import Worker


class Pool:
    """Lends workers. Its lock covers counting only; processes are started and ended outside of it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running = 0  # lent, or about to be
        self._idle: Worker | None = None
        self._closed = False  # then nothing is kept

    @contextmanager
    def lend(self, deadline: Deadline, cancel: CancelToken, *, reusable: bool) -> Iterator[Worker]:
        """Give a worker for the length of a block; it is kept for the next one if the block ended well.

        Raises:
            DeadlinePassed: all were lent until the deadline.
            CallCancelled: the call was cancelled meanwhile.
        """
        self._wait_for_turn(deadline, cancel)
        worker: Worker | None = None
        sound = False
        try:
            worker = self._borrow()
            with cancel.stopping(worker.kill):
                yield worker
            sound = not cancel.cancelled
        finally:
            self._give_back(worker, keep=sound and reusable)

    def close(self) -> None:
        """Keep no worker from now on; those that are lent end with their block."""
        with self._changed:
            self._closed = True
            idle, self._idle = self._idle, None
        if idle is not None:
            idle.close()

    def _wait_for_turn(self, deadline: Deadline, cancel: CancelToken) -> None:
        with cancel.stopping(self._wake), self._changed:
            while self._running >= MAX_WORKERS and not (cancel.cancelled or deadline.expired):
                self._changed.wait(deadline.remaining())
            cancel.check()
            if deadline.expired:
                raise DeadlinePassed("no worker was free to read the page before the deadline", phase="reading")
            self._running += 1

    def _borrow(self) -> Worker:
        """Return the idle worker if it lives, else a new one."""
        with self._changed:
            idle, self._idle = self._idle, None
        if idle is not None and not idle.alive:
            idle.close()
            idle = None
        return idle or Worker()

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _give_back(self, worker: Worker | None, *, keep: bool) -> None:
        with self._changed:
            self._running -= 1
            self._changed.notify()
            if worker is None:
                return
            keep = keep and not self._closed and self._idle is None
            if keep:
                self._idle = worker
        if not keep:
            worker.close()
