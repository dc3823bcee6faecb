"""The port between the CDP client and whatever carries its messages: a websocket or a pair of pipes."""

from __future__ import annotations

from typing import Protocol


class TransportClosed(Exception):
    """Raised by `receive` and `send` once the other end is gone; the text says how, as far as that is known."""


class Transport(Protocol):
    """Carries whole messages. One thread receives; any may send."""

    def send(self, message: bytes) -> None:
        """Send one message.

        Raises:
            TransportClosed: the other end is gone.
        """
        ...

    def receive(self) -> bytes:
        """Block until a message has come, and return it.

        Raises:
            TransportClosed: the other end is gone, or `close` was called.
        """
        ...

    def close(self) -> None:
        """Wake whoever receives, and give the descriptors back. Safe to call twice."""
        ...
