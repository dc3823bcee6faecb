"""A connected stream whose every read and write is bounded by the call's wall-clock deadline (FETCH-06).

The timeouts of sockets are per operation, so that a server that sends a byte a second outlives them all. Here each
operation gets what is left of the whole. A connection's streams share one `Clock`, which each request sets anew.
"""

from __future__ import annotations

import io
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from blitzweb.net.tcp import Stream, shut_down
from blitzweb.timing import CancelToken, Deadline

_BUFFER_BYTES: Final = 16 * 1024  # as much as one record of TLS may hold


class Clock:
    """How long a connection may go on, and whether it has been told to stop; set by each request."""

    __slots__ = ("cancel", "deadline")

    def __init__(self, deadline: Deadline, cancel: CancelToken) -> None:
        self.deadline = deadline
        self.cancel = cancel

    @contextmanager
    def narrowed(self, seconds: float) -> Iterator[Deadline]:
        """Give what happens inside the block less time than the whole."""
        whole = self.deadline
        self.deadline = limit = whole.sooner(seconds)
        try:
            yield limit
        finally:
            self.deadline = whole

    def remaining(self) -> float:
        """Return the seconds that the next operation may take.

        Raises:
            TimeoutError: there are none left.
            CallCancelled: the call has been cancelled.
        """
        self.cancel.check()
        remaining = self.deadline.remaining()
        if remaining <= 0:
            raise TimeoutError
        return remaining


class TimedSocket:
    """What http.client and urllib3 use of a socket. Owned by its connection, which closes it."""

    def __init__(self, stream: Stream, clock: Clock) -> None:
        self.socket = stream
        self._clock = clock
        self._readers = 0
        self._closing = False

    def wake(self) -> None:
        """Wake a thread that is blocked here; for another thread to call."""
        shut_down(self.socket)

    def sendall(self, data: Any, flags: int = 0) -> None:
        """Send everything within the deadline."""
        self.socket.settimeout(self._clock.remaining())
        self.socket.sendall(data, flags)

    def recv(self, size: int) -> bytes:
        """Receive some bytes within the deadline."""
        self.socket.settimeout(self._clock.remaining())
        return self.socket.recv(size)  # type: ignore[return-value] # SSLTransport's could be an int, and is not

    def recv_into(self, buffer: Any) -> int:
        """Receive some bytes within the deadline."""
        self.socket.settimeout(self._clock.remaining())
        return self.socket.recv_into(buffer) or 0  # type: ignore[return-value] # as above

    def makefile(self, _mode: str = "rb") -> io.BufferedReader:
        """Return a buffered reader, as `socket.makefile` does."""
        self._readers += 1
        return io.BufferedReader(socket.SocketIO(self, "r"), _BUFFER_BYTES)  # type: ignore[arg-type]

    def _decref_socketios(self) -> None:
        """Take note that a reader was closed; `SocketIO` calls this."""
        self._readers -= 1
        if self._closing and self._readers <= 0:
            self.socket.close()

    def close(self) -> None:
        """Close once the last reader has been closed, as sockets do."""
        self._closing = True
        if self._readers <= 0:
            self.socket.close()

    def settimeout(self, value: float | None) -> None:
        """Ignore a timeout per operation: the deadline rules."""

    def fileno(self) -> int:
        """Return the descriptor, for polling."""
        return self.socket.fileno()
