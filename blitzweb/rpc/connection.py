"""What work may know of its connection: the way to the host, figures, and whose life it hangs on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from blitzweb.rpc.answers import Answers
from blitzweb.rpc.endpoint import Guard
from blitzweb.rpc.outbox import Outbox
from blitzweb.rpc.running import HostCalls
from blitzweb.rpc.scheduler import Scheduler
from blitzweb.rpc.watchdog import Watchdog


class HostConnection:
    """The `Connection` of running.py: a view of parts that `serve` owns. Safe from any thread."""

    def __init__(
        self, *, guard: Guard, answers: Answers, outbox: Outbox, scheduler: Scheduler, watchdog: Watchdog
    ) -> None:
        self._guard = guard
        self._answers = answers
        self._outbox = outbox
        self._scheduler = scheduler
        self._watchdog = watchdog

    @property
    def host(self) -> HostCalls:
        """Return the way to the host."""
        return self._guard

    def snapshot(self) -> dict[str, int]:
        """Return figures for `$/status`."""
        load = self._scheduler.snapshot()
        return {
            "running": load.running,
            "waiting": load.waiting,
            "threads": load.threads,
            "unread_bytes": self._outbox.waiting_bytes,
            "dropped": self._answers.dropped + self._guard.dropped,
        }

    def watch_host(self, pid: int) -> None:
        """End the daemon when this process ends."""
        self._watchdog.watch(pid)

    def send_progress(self, method: str, params: Mapping[str, Any]) -> None:
        """Send progress, unless the host is behind with reading."""
        if self._outbox.calm:
            self._guard.notify(method, params)
