"""A connected socket whose every read and write is bounded by the call's wall-clock deadline (FETCH-06, FETCH-05).

The timeouts of sockets are per operation, so that a server that sends a byte a second outlives them all. Here each
operation gets what is left of the whole. Bytes are counted while headers are awaited, so that headers without end stop
too. A kept-alive connection is armed anew for each request.
"""

from __future__ import annotations

import socket
import ssl
from contextlib import suppress
from typing import Any, Final

from urllib3.util.ssltransport import SSLTransport

from blitzweb.limits import MAX_HEADER_BYTES
from blitzweb.net.failures import MalformedResponse
from blitzweb.timing import CancelToken, Deadline

Stream = socket.socket | ssl.SSLSocket | SSLTransport

_BUFFER_BYTES: Final = 8192  # what the buffered reader may take of the body together with the end of the headers


class TimedSocket:
    """What http.client uses of a socket. Owned by its connection, which closes it."""

    def __init__(self, stream: Stream, deadline: Deadline, cancel: CancelToken) -> None:
        self.stream = stream
        self._files = 0
        self._closing = False
        self.arm(deadline, cancel)

    def arm(self, deadline: Deadline, cancel: CancelToken) -> None:
        """Take the clock and the cancel token of the next request."""
        self._deadline = deadline
        self._cancel = cancel
        self._header_bytes: int | None = None

    def await_headers(self, deadline: Deadline) -> None:
        """Count from here on what is read, and give up at this deadline, until `await_body`."""
        self._deadline, self._header_bytes = deadline, 0

    def await_body(self, deadline: Deadline) -> None:
        """Stop counting: the headers have come."""
        self._deadline, self._header_bytes = deadline, None

    def wake(self) -> None:
        """Wake a thread that is blocked here; for another thread to call."""
        with suppress(OSError):
            self.stream.shutdown(socket.SHUT_RDWR) if not isinstance(self.stream, SSLTransport) else (
                self.stream.socket.shutdown(socket.SHUT_RDWR)
            )

    def sendall(self, data: Any, flags: int = 0) -> None:
        """Send everything within the deadline."""
        self._prepare()
        self.stream.sendall(data, flags)

    def recv_into(self, buffer: Any, nbytes: int | None = None, flags: int = 0) -> int:
        """Receive some bytes within the deadline."""
        self._prepare()
        received = int(self.stream.recv_into(buffer, nbytes or 0, flags) or 0)
        if self._header_bytes is not None:
            self._header_bytes += received
            if self._header_bytes > MAX_HEADER_BYTES + _BUFFER_BYTES:
                raise MalformedResponse(f"the response headers are longer than {MAX_HEADER_BYTES // 1024} KiB")
        return received

    def _prepare(self) -> None:
        self._cancel.check()
        remaining = self._deadline.remaining()
        if remaining <= 0:
            raise TimeoutError
        self.stream.settimeout(remaining)

    # --- what http.client and urllib3 need besides -------------------------------------------------------------------

    def makefile(self, mode: str = "rb", buffering: int | None = None) -> Any:
        """Return a buffered reader of this socket, as `socket.makefile` does."""
        import io

        del mode, buffering  # http.client only ever reads
        self._files += 1
        return io.BufferedReader(socket.SocketIO(self, "r"), _BUFFER_BYTES)  # type: ignore[arg-type]

    def _decref_socketios(self) -> None:
        self._files -= 1
        if self._closing and self._files <= 0:
            self.stream.close()

    def close(self) -> None:
        """Close once the last reader has been closed, as sockets do."""
        self._closing = True
        if self._files <= 0:
            self.stream.close()

    def settimeout(self, value: float | None) -> None:
        """Ignore a timeout per operation: the deadline rules."""

    def gettimeout(self) -> float | None:
        """Return what is left."""
        return self._deadline.remaining()

    def fileno(self) -> int:
        """Return the descriptor, for polling."""
        return self.stream.fileno()
