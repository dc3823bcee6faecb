"""Connections kept alive for the next request to the same origin (FETCH-08).

A connection is handed out again only if it has been quiet, is young, and its peer still passes the rule: settings may
have changed, and so may the addresses of this machine.
"""

from __future__ import annotations

import ssl
import threading
import time
from collections import deque
from collections.abc import Callable

from blitzweb.limits import MAX_IDLE_CONNECTIONS, MAX_IDLE_SECONDS
from blitzweb.net.connections import GuardedConnection, Key
from blitzweb.net.dialer import Dialer
from blitzweb.policy.routes import Via


class Pool:
    """Owned by the fetcher, which closes it. The lock guards the idle ones alone and is never held over I/O."""

    def __init__(self, dialer: Dialer, tls: Callable[[], ssl.SSLContext]) -> None:
        self._dialer = dialer
        self._tls = tls
        self._lock = threading.Lock()
        self._idle: deque[tuple[float, GuardedConnection]] = deque()  # the longest idle first

    def take(self, key: Key) -> tuple[GuardedConnection, bool]:
        """Return a connection for a request, and whether it has been used before."""
        while (kept := self._take_idle(key)) is not None:
            since, connection = kept
            if self._is_usable(connection, since):
                return connection, True
            connection.close()
        return GuardedConnection(key, self._dialer, self._tls), False

    def give_back(self, connection: GuardedConnection) -> None:
        """Keep a connection whose response has been read to its end."""
        with self._lock:
            self._idle.append((time.monotonic(), connection))
            dropped = self._idle.popleft()[1] if len(self._idle) > MAX_IDLE_CONNECTIONS else None
        if dropped is not None:
            dropped.close()

    def close(self) -> None:
        """Close every idle connection."""
        with self._lock:
            idle = list(self._idle)
            self._idle.clear()
        for _, connection in idle:
            connection.close()

    def _take_idle(self, key: Key) -> tuple[float, GuardedConnection] | None:
        with self._lock:
            for entry in reversed(self._idle):  # the one used last is the likeliest to be still open
                if entry[1].key == key:
                    self._idle.remove(entry)
                    return entry
        return None

    def _is_usable(self, connection: GuardedConnection, since: float) -> bool:
        if time.monotonic() - since > MAX_IDLE_SECONDS or not connection.is_reusable:
            return False
        if isinstance(connection.key.route, Via):
            return True  # the peer is the user's own proxy
        return self._dialer.passes(connection.peer, connection.key.port, connection.key.rule)
