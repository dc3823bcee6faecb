"""The one thread that writes to the host. It waits in `poll`, so that a host which never reads can not keep it.

Ids: WIRE-14, WIRE-15, WIRE-23.
"""

from __future__ import annotations

import os
import select
import threading

from blitzweb.rpc.log import Log
from blitzweb.rpc.outbox import Outbox
from blitzweb.rpc.stopping import StopReason, StopSignal

_FLUSH_POLL_MS = 20  # how often a flush that is stuck looks whether it should give up


class Writer:
    """Owned by `serve`. Ends when the outbox is closed and empty, at `abandon`, or when the host closed our stdout."""

    def __init__(self, fd: int, outbox: Outbox, stop: StopSignal, log: Log) -> None:
        self._fd = fd
        self._outbox = outbox
        self._stop = stop
        self._log = log
        self._abandoned = threading.Event()
        self._thread = threading.Thread(target=self._run, name="blitzweb-writer", daemon=True)
        self._blocks = os.get_blocking(fd)
        if not os.isatty(fd):  # a terminal's descriptor is the shell's too, and it is read
            os.set_blocking(fd, False)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def finish(self, seconds: float) -> None:
        """Write what waits for at most `seconds`, then end the thread and join it. Close the outbox before."""
        self._thread.join(seconds)
        self._abandoned.set()
        self._thread.join()
        os.set_blocking(self._fd, self._blocks)

    def _run(self) -> None:
        while (taken := self._outbox.take()) is not None:
            chunk, cost = taken
            try:
                whole = self._write(memoryview(chunk))
            except OSError as error:
                self._log.debug(f"stdout cannot be written: {error.strerror}")
                whole = False
            if not whole:
                self._stop.stop(StopReason.OUTPUT_CLOSED)
                return
            del chunk, taken
            self._outbox.written(cost)

    def _write(self, rest: memoryview) -> bool:
        """Write all of it; False if it was abandoned."""
        while rest:
            try:
                rest = rest[os.write(self._fd, rest) :]
            except BlockingIOError:
                if not self._wait_for_room():
                    return False
        return True

    def _wait_for_room(self) -> bool:
        poller = select.poll()
        poller.register(self._fd, select.POLLOUT)
        poller.register(self._stop.fd, select.POLLIN)
        ready = dict(poller.poll())
        while self._fd not in ready:  # stopping: the host may still want to read what it is owed
            if self._abandoned.is_set():
                return False
            poller = select.poll()
            poller.register(self._fd, select.POLLOUT)
            ready = dict(poller.poll(_FLUSH_POLL_MS))
        return True
