"""Lines that wait for the writer, bounded in bytes; putting never blocks, so that no host can hold up a thread.

Water marks, in bytes that wait: above LOW progress is not worth sending; above HIGH no new work is admitted until LOW
is reached again; results fit up to ANSWER; errors and requests to the host fit up to FULL. Whoever puts a line is told
when it did not fit, and decides what that means. Ids: WIRE-14.
"""

from __future__ import annotations

import threading
from collections import deque

from blitzweb.limits import KIB, OUTBOX_FULL_BYTES, OUTBOX_HIGH_BYTES, OUTBOX_LOW_BYTES

_LINE_COST = 64  # what a queued line takes besides its bytes
_CHUNK_BYTES = 64 * KIB  # small lines are joined up to this for one write: the size of a pipe


class Outbox:
    """Owned by the connection; filled from any thread, emptied by the writer alone."""

    def __init__(self) -> None:
        self._changed = threading.Condition(threading.Lock())
        self._lines: deque[bytes] = deque()
        self._bytes = 0  # lines that wait or are being written
        self._held = 0  # parts of batches, which wait for work of ours and not for the host
        self._admitting = True
        self._closed = False

    def put(self, line: bytes, within: int = OUTBOX_FULL_BYTES) -> bool:
        """Queue a line unless it would not fit; tell whether it was queued."""
        with self._changed:
            if not self._has_room(_cost(line), within):
                return False
            self._append(line)
        return True

    def hold(self, line: bytes, within: int = OUTBOX_FULL_BYTES) -> bool:
        """Take room for a part of a batch that is not yet complete; tell whether it fits."""
        with self._changed:
            if not self._has_room(_cost(line), within):
                return False
            self._held += _cost(line)
        return True

    def put_held(self, parts: list[bytes]) -> None:
        """Queue a complete batch in the room that its parts hold."""
        line = b"[" + b",".join(parts) + b"]"
        with self._changed:
            self._held -= sum(map(_cost, parts))
            self._append(line)

    def take(self) -> tuple[bytes, int] | None:
        """Wait for lines and return some of them as bytes to write, with their cost for `written`; None at the end."""
        with self._changed:
            while not self._lines and not self._closed:
                self._changed.wait()
            if not self._lines:
                return None
            return self._join()

    def written(self, cost: int) -> None:
        """Give back the room of what has been written."""
        with self._changed:
            self._bytes -= cost
            if self._bytes <= OUTBOX_LOW_BYTES:
                self._admitting = True

    def close(self) -> None:
        """Take no more lines; those that wait are still handed out."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    @property
    def admitting(self) -> bool:
        """Tell whether new work may start: the host reads what it asked for."""
        return self._admitting

    @property
    def calm(self) -> bool:
        """Tell whether so little waits that progress is worth sending."""
        return self._bytes <= OUTBOX_LOW_BYTES

    @property
    def waiting_bytes(self) -> int:
        """Return how much waits for the host to read it."""
        return self._bytes

    def _has_room(self, cost: int, within: int) -> bool:
        """Tell, under the lock, whether so much fits; one line always fits into an empty outbox."""
        taken = self._bytes + self._held
        return not self._closed and (not taken or taken + cost <= within)

    def _append(self, line: bytes) -> None:
        self._lines.append(line)
        self._bytes += _cost(line)
        if self._bytes > OUTBOX_HIGH_BYTES:
            self._admitting = False
        self._changed.notify()

    def _join(self) -> tuple[bytes, int]:
        lines = [self._lines.popleft()]
        size = len(lines[0])
        while self._lines and size + len(self._lines[0]) < _CHUNK_BYTES:
            lines.append(self._lines.popleft())
            size += len(lines[-1]) + 1
        lines.append(b"")
        return b"\n".join(lines), sum(map(_cost, lines[:-1]))


def _cost(line: bytes) -> int:
    return len(line) + _LINE_COST
