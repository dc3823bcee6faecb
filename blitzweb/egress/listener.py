"""Takes connections in."""

from __future__ import annotations

import math
import socket
from collections import deque
from typing import Final

from blitzweb.egress.arrival import Arrival
from blitzweb.egress.loop import READ, Flow
from blitzweb.egress.parts import Parts
from blitzweb.limits import MAX_ARRIVALS

_AT_ONCE: Final = 64  # before those that stand have their turn
_PAUSE_SECONDS: Final = 0.2  # where the process has no descriptor left


class Listener(Flow):
    """The listening socket, which it closes."""

    __slots__ = ("_arrivals", "_parts", "_socket")

    def __init__(self, parts: Parts, listening: socket.socket) -> None:
        super().__init__()
        self._parts = parts
        self._socket = listening
        self._arrivals: deque[Arrival] = deque()  # the latest, most of which have gone on long since

    def begin(self) -> None:
        """Listen."""
        self._parts.loop.add(self, math.inf)
        self._parts.loop.watch(self._socket, READ, self)

    def ready(self, side: socket.socket, _events: int) -> None:
        """Take those in that wait; pause where no more can be had."""
        for _ in range(_AT_ONCE):
            try:
                client, _address = side.accept()
            except (BlockingIOError, ConnectionAbortedError):
                return
            except OSError:
                self._pause()
                return
            client.settimeout(0)
            self._take_in(Arrival(self._parts, client))

    def expire(self) -> None:
        """Listen again."""
        self.begin()

    def close(self) -> None:
        """Stop listening."""
        self._parts.loop.remove(self)
        self._parts.loop.drop(self._socket)

    def _take_in(self, arrival: Arrival) -> None:
        arrival.begin()
        self._arrivals.append(arrival)
        if len(self._arrivals) > MAX_ARRIVALS:
            self._arrivals.popleft().give_way()

    def _pause(self) -> None:
        self._parts.loop.watch(self._socket, 0, self)
        self._parts.loop.add(self, _PAUSE_SECONDS)
