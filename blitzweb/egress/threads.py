"""Threads for what may block (deciding, looking up, dialling, telling): started on demand, gone when nothing waits."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Final

from blitzweb.limits import MAX_SET_UPS
from blitzweb.timing import Deadline

Job = Callable[[], object]

_CLOSE_SECONDS: Final = 1.0  # for jobs to come back; all of them have been cancelled by then


class ShortThreads:
    """So many jobs at once; others wait their turn. The lock guards the queue and the set of threads alone."""

    def __init__(self, limit: int = MAX_SET_UPS) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        self._jobs: deque[Job] = deque()
        self._threads: set[threading.Thread] = set()

    def run(self, job: Job) -> None:
        """Have a job done, which must not raise, as soon as there is a thread for it."""
        with self._lock:
            self._jobs.append(job)
            if len(self._threads) >= self._limit:
                return
            thread = threading.Thread(target=self._work, name="blitzweb-egress-setup", daemon=True)
            self._threads.add(thread)
        try:
            thread.start()
        except RuntimeError:  # the system has none to give: the job waits for one that runs, and for its own limit
            with self._lock:
                self._threads.discard(thread)

    def close(self) -> None:
        """Drop what waits, and join the threads."""
        with self._lock:
            self._jobs.clear()
            threads = list(self._threads)
        limit = Deadline(_CLOSE_SECONDS)
        for thread in threads:
            thread.join(limit.remaining())

    def _work(self) -> None:
        while (job := self._next()) is not None:
            job()

    def _next(self) -> Job | None:
        with self._lock:
            if self._jobs:
                return self._jobs.popleft()
            self._threads.discard(threading.current_thread())
            return None
