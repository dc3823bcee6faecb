"""Ends the daemon when the host's process is gone, and sees to it that an end that was begun comes to its end.

A host that is killed usually closes our stdin with it, but not if another process has inherited the pipe. Where the
system has process descriptors (Linux) the end is noticed at once; elsewhere `psutil` is asked twice a second.
Ids: WIRE-23.
"""

from __future__ import annotations

import os
import select
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from blitzweb.limits import STOP_SECONDS
from blitzweb.rpc.log import Log
from blitzweb.rpc.stopping import StopReason, StopSignal

if TYPE_CHECKING:
    import psutil

_LOOK_MS = 500
_INIT_PID = 1  # not a host: the parent of what has lost its own, or of everything in a container


class HostProcess:
    """One process to watch; raises OSError or psutil.Error if there is no such process."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.fd = _open_process(pid)
        self._process = None if self.fd is not None else _find_process(pid)

    def is_gone(self) -> bool:
        """Tell whether the process has ended; one that nobody has reaped yet has."""
        if self.fd is not None:
            poller = select.poll()
            poller.register(self.fd, select.POLLIN)
            return bool(poller.poll(0))
        return self._process is not None and not _is_alive(self._process)

    def close(self) -> None:
        """Give the descriptor back."""
        if self.fd is not None:
            os.close(self.fd)
            self.fd = None


class Watchdog:
    """Owned by `serve`. The thread ends at `finish`; if that takes too long, `hard_exit` ends the process."""

    def __init__(self, stop: StopSignal, log: Log, hard_exit: Callable[[], object]) -> None:
        self._stop = stop
        self._log = log
        self._hard_exit = hard_exit
        self._finished = threading.Event()
        self._host: HostProcess | None = None
        self._next: HostProcess | None = None  # handed over by `watch`; closed by the thread
        self._thread = threading.Thread(target=self._run, name="blitzweb-watchdog", daemon=True)

    def start(self) -> None:
        """Watch the parent process, which is the host until one is named."""
        parent = os.getppid()
        if parent > _INIT_PID:
            self.watch(parent)
        self._thread.start()

    def watch(self, pid: int) -> None:
        """Watch this process instead. A pid that is not to be found (another container's) changes nothing."""
        try:
            self._next = HostProcess(pid)
        except Exception as error:  # psutil's and the system's
            self._log.warning(f"the host's process {pid} cannot be watched ({type(error).__name__})")

    def finish(self) -> None:
        """End the thread and join it, once everything else has ended."""
        self._finished.set()
        self._thread.join()

    def _run(self) -> None:
        while self._stop.reason is None:
            self._change_over()
            if self._host is not None and self._host.is_gone():
                self._stop.stop(StopReason.HOST_GONE)
                break
            self._wait()
        self._see_to_the_end()

    def _change_over(self) -> None:
        following, self._next = self._next, None
        if following is not None:
            self._close()
            self._host = following

    def _wait(self) -> None:
        poller = select.poll()
        poller.register(self._stop.fd, select.POLLIN)
        if self._host is not None and self._host.fd is not None:
            poller.register(self._host.fd, select.POLLIN)
        poller.poll(_LOOK_MS)

    def _see_to_the_end(self) -> None:
        if not self._finished.wait(STOP_SECONDS * 0.8):
            stuck = ", ".join(thread.name for thread in threading.enumerate())
            self._log.error(f"stopping took too long, so the process ends now; threads: {stuck}")
            self._hard_exit()
        self._close()

    def _close(self) -> None:
        if self._host is not None:
            self._host.close()


def _open_process(pid: int) -> int | None:
    """Return a process descriptor; None where the system has none or does not let us."""
    if not hasattr(os, "pidfd_open"):
        return None
    try:
        return os.pidfd_open(pid)
    except ProcessLookupError:
        raise
    except OSError:
        return None


def _find_process(pid: int) -> psutil.Process:
    import psutil

    return psutil.Process(pid)


def _is_alive(process: psutil.Process) -> bool:
    import psutil

    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
