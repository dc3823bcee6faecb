"""The one signal that ends the daemon: the first reason wins, and whoever polls is woken.

It is a pipe whose end becomes readable and is never drained: reader, writer and watchdog poll the same descriptor.
"""

from __future__ import annotations

import os
import threading
from enum import Enum


class StopReason(Enum):
    """Why the daemon ends; the text is for the log."""

    EXIT = "the host sent `exit`"
    END_OF_INPUT = "end of input"
    OUTPUT_CLOSED = "the host closed our stdout"
    HOST_GONE = "the host's process is gone"
    SIGNAL = "a signal asked for it"


class StopSignal:
    """Set once, from any thread or a signal handler; nothing takes it back."""

    def __init__(self) -> None:
        self.reason: StopReason | None = None
        self.fd, self._write_end = os.pipe()
        self._lock = threading.RLock()  # re-entrant: a signal handler may interrupt the main thread inside `stop`

    def stop(self, reason: StopReason) -> None:
        """Ask everybody to end; only the first reason counts."""
        with self._lock:
            if self.reason is None:
                self.reason = reason
                os.write(self._write_end, b"\0")

    def close(self) -> None:
        """Give the descriptors back, after every thread that polls has been joined."""
        os.close(self.fd)
        os.close(self._write_end)
