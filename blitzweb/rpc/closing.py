"""Ends all work and runs the closers, once, whoever asks first: `shutdown`, or the end of the process.

Ids: WIRE-21, WIRE-23.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from blitzweb.rpc.log import Log
from blitzweb.rpc.running import Reply
from blitzweb.rpc.scheduler import Scheduler

_WORK_SECONDS = 0.5  # for cancelled work to come back before what it uses is closed under it


class Closing:
    """Owned by `serve`. Closers run in order, each even if one before it failed."""

    def __init__(self, scheduler: Scheduler, closers: Iterable[Callable[[], object]], log: Log) -> None:
        self._scheduler = scheduler
        self._closers = closers
        self._log = log
        self._once = threading.Lock()  # held while closing, which nothing else waits for
        self._closed = False
        self._thread: threading.Thread | None = None

    def run(self) -> None:
        """Close everything; a second caller waits for the first."""
        with self._once:
            if self._closed:
                return
            self._closed = True
            self._scheduler.cancel_all()
            if not self._scheduler.wait_until_idle(_WORK_SECONDS):
                self._log.warning("cancelled work has not come back; closing all the same")
            for close in self._closers:
                self._close(close)

    def answer_shutdown(self, reply: Reply) -> None:
        """Close everything on a thread of its own, since the reader must not wait, and answer null then."""

        def close() -> None:
            self.run()
            reply.result(None)

        self._thread = threading.Thread(target=close, name="blitzweb-shutdown", daemon=True)
        self._thread.start()

    def finish(self) -> None:
        """Join the thread of `shutdown`, if there was one; it ends when the closers have."""
        if self._thread is not None:
            self._thread.join()

    def _close(self, close: Callable[[], object]) -> None:
        try:
            close()
        except Exception as error:
            self._log.fault(error, "closing at the end")
