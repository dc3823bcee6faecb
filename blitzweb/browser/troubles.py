"""What the egress proxy turned away or could not reach, for one browser, so that a result can say which (WEB-32).

The proxy's threads write, actions read.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import NamedTuple

from blitzweb.limits import MAX_TROUBLES


class Trouble(NamedTuple):
    """One request that did not go through; `refused` by us, else its host is dead."""

    host: str
    port: int
    refused: bool
    text: str
    reason: str  # of a refusal its name, of a failure the phase


class Troubles:
    """The last ones, numbered from the start."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last: deque[Trouble] = deque(maxlen=MAX_TROUBLES)
        self._count = 0

    def add(self, trouble: Trouble) -> None:
        """Take note of one."""
        with self._lock:
            self._last.append(trouble)
            self._count += 1

    @property
    def mark(self) -> int:
        """How many there have been; `since` takes it."""
        return self._count

    def since(self, mark: int) -> list[Trouble]:
        """Return what has come since a mark."""
        with self._lock:
            new = self._count - mark
            return list(self._last)[-new:] if new else []
