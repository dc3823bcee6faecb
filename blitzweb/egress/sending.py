"""Bytes of ours on their way to a socket that may not take them at once, and how a connection ends.

`Farewell` is a client's last flow: it gets our answer, and has a moment to read it. A socket that is closed while bytes
of the client's are unread sends a reset, which may overtake the answer.
"""

from __future__ import annotations

import socket
import struct
from contextlib import suppress
from typing import Final

from blitzweb.egress.loop import READ, WRITE, Flow, Loop
from blitzweb.limits import COPY_BYTES, FAREWELL_SECONDS, MAX_FAREWELL_BYTES, TUNNEL_IDLE_SECONDS

_RESET: Final = struct.pack("ii", 1, 0)  # linger on, for no time: the other end gets a reset instead of an end


class Sending:
    """What is still to be sent; never more than one event's worth, since nothing is read meanwhile."""

    __slots__ = ("_pending", "_socket")

    def __init__(self, to: socket.socket) -> None:
        self._socket = to
        self._pending = bytearray()

    @property
    def blocked(self) -> bool:
        """Whether something waits for the socket to take it."""
        return bool(self._pending)

    def put(self, data: bytes | bytearray | memoryview) -> None:
        """Send what goes at once, and keep the rest.

        Raises:
            OSError: the other end is gone.
        """
        if data and not self._pending:
            with suppress(BlockingIOError):
                data = memoryview(data)[self._socket.send(data) :]
        self._pending += data

    def flush(self) -> None:
        """Go on sending. Raises: as `put`."""
        with suppress(BlockingIOError):
            del self._pending[: self._socket.send(self._pending)]


def reset_on_close(side: socket.socket) -> None:
    """Make sure that the other end does not take what it got for all there is."""
    with suppress(OSError):
        side.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)


class Farewell(Flow):
    """Sends the last bytes to a client, then ends the connection when the client does, or soon after."""

    __slots__ = ("_client", "_loop", "_room", "_sending", "_shut")

    def __init__(self, loop: Loop, client: socket.socket, sending: Sending) -> None:
        super().__init__()
        self._loop = loop
        self._client = client
        self._sending = sending
        self._room = MAX_FAREWELL_BYTES
        self._shut = False

    @classmethod
    def say(cls, loop: Loop, client: socket.socket, last: bytes) -> None:
        """Begin the farewell of a client that nothing watches."""
        cls.finish(loop, client, Sending(client), last)

    @classmethod
    def finish(cls, loop: Loop, client: socket.socket, sending: Sending, last: bytes = b"") -> None:
        """Begin it with what was still to be sent."""
        flow = cls(loop, client, sending)
        loop.add(flow, TUNNEL_IDLE_SECONDS)
        loop.guard(flow, lambda: flow.begin(last))

    def begin(self, last: bytes) -> None:
        """Send the last bytes after what is pending."""
        self._sending.put(last)
        self._go_on()

    def ready(self, side: socket.socket, events: int) -> None:
        """Send on, and drop what still comes."""
        if events & WRITE:
            self._sending.flush()
            self._loop.add(self, TUNNEL_IDLE_SECONDS)
        if events & READ:
            data = side.recv(COPY_BYTES)
            self._room -= len(data)
            if not data or self._room < 0:
                self.close()
                return
        self._go_on()

    def _go_on(self) -> None:
        """Wait for what is next."""
        if not self._sending.blocked and not self._shut:
            self._client.shutdown(socket.SHUT_WR)
            self._shut = True
            self._loop.add(self, FAREWELL_SECONDS)
        self._loop.watch(self._client, READ | (WRITE if self._sending.blocked else 0), self)

    def close(self) -> None:
        """End it."""
        if self._sending.blocked:
            reset_on_close(self._client)
        self._loop.remove(self)
        self._loop.drop(self._client)
