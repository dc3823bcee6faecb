"""The order in which jobs may run: at once, or one at a time in their lane. Values only; the scheduler locks."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from blitzweb.errors import ProtocolError
from blitzweb.rpc.running import Running


class Job:
    """One piece of work on its way through the scheduler; compared by identity."""

    __slots__ = ("lane", "late", "method", "running", "size", "started", "work")

    def __init__(
        self,
        work: Callable[[Running], Any],
        running: Running,
        *,
        method: str,
        lane: str | None,
        size: int,
        late: str = "",
    ) -> None:
        self.work = work
        self.running = running
        self.method = method
        self.lane = lane
        self.size = size  # bytes of the request's line: what its params hold on to
        self.late = late  # advice for when its deadline has passed
        self.started = False

    def end(self, error: ProtocolError) -> None:
        """Answer with an error unless it was answered, and wake the work so that it comes back."""
        self.running.answer.error(error)
        self.running.cancel.cancel()


class Lanes:
    """Jobs that may start now, and behind the head of each lane those that may not yet."""

    def __init__(self) -> None:
        self._ready: deque[Job] = deque()
        self._lanes: dict[str, deque[Job]] = {}  # the head of each is ready or running

    @property
    def ready(self) -> int:
        """Return how many jobs may start now."""
        return len(self._ready)

    def push(self, job: Job) -> None:
        """Put a job at the end of its lane, or with those that may start."""
        if job.lane is None:
            self._ready.append(job)
            return
        lane = self._lanes.setdefault(job.lane, deque())
        lane.append(job)
        if len(lane) == 1:
            self._ready.append(job)

    def pop(self) -> Job:
        """Start the job that has been ready for longest; its lane is taken until it leaves."""
        job = self._ready.popleft()
        job.started = True
        return job

    def leave(self, job: Job) -> None:
        """Take a job out, started or not; if it was at the head of its lane, the next one may start."""
        if not job.started and job in self._ready:
            self._ready.remove(job)
        if job.lane is None:
            return
        lane = self._lanes[job.lane]
        was_head = lane[0] is job
        lane.remove(job)
        if not lane:
            del self._lanes[job.lane]
        elif was_head:
            self._ready.append(lane[0])
