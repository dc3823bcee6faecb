"""Connections kept alive for the next request to the same origin (FETCH-08).

A connection is handed out again only if it has been quiet, is young, and its peer still passes the rule: settings may
have changed, and so may the addresses of this machine.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterable

from blitzweb.limits import MAX_IDLE_CONNECTIONS, MAX_IDLE_SECONDS
from blitzweb.net.connections import GuardedConnection, Key


class Pool:
    """Owned by the fetcher, which closes it. The lock guards the idle ones alone and is never held over I/O."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: deque[tuple[float, GuardedConnection]] = deque()  # since when; the longest idle first
        self._closed = False

    def take(self, key: Key) -> GuardedConnection | None:
        """Return a connection that may be used for a request, or `None`."""
        while (connection := self._take_idle(key)) is not None:
            if connection.is_reusable:
                return connection
            connection.close()
        return None

    def give_back(self, connection: GuardedConnection) -> None:
        """Keep a connection whose response has been read to its end; close those that have been idle too long."""
        with self._lock:
            self._idle.append((time.monotonic(), connection))
            dropped = self._drop()
        _close(dropped)

    def close(self) -> None:
        """Close every idle connection, and from now on whatever is given back."""
        with self._lock:
            self._closed = True
            dropped = self._drop()
        _close(dropped)

    def _take_idle(self, key: Key) -> GuardedConnection | None:
        with self._lock:
            dropped = self._drop()
            # The one used last is the likeliest to be still open.
            entry = next((entry for entry in reversed(self._idle) if entry[1].key == key), None)
            if entry is not None:
                self._idle.remove(entry)
        _close(dropped)
        return entry and entry[1]

    def _drop(self) -> list[GuardedConnection]:
        """Return those that are not to be kept any longer; called with the lock held."""
        dropped = []
        oldest = time.monotonic() - MAX_IDLE_SECONDS
        while self._idle and (self._closed or len(self._idle) > MAX_IDLE_CONNECTIONS or self._idle[0][0] < oldest):
            dropped.append(self._idle.popleft()[1])
        return dropped


def _close(connections: Iterable[GuardedConnection]) -> None:
    for connection in connections:
        connection.close()
