"""Lines that wait for the writer, bounded in bytes; putting never blocks, so that no host can hold up a thread.

Water marks, in bytes that wait: above LOW progress is not worth sending; above HIGH no new work is admitted until LOW
is reached again; results fit up to ANSWER; errors and requests to the host fit up to FULL. Whoever puts a line is told
when it did not fit, and decides what that means. Ids: WIRE-14.
"""

from __future__ import annotations

import threading
from collections import deque

from blitzweb.limits import KIB, OUTBOX_FULL_BYTES, OUTBOX_HIGH_BYTES, OUTBOX_LOW_BYTES

_PIECE_COST = 41  # what a queued piece takes besides its bytes: the header of a bytes object and a place in the queue
_CHUNK_BYTES = 64 * KIB  # small pieces are joined up to this for one write: the size of a pipe


class Outbox:
    """Owned by the connection; filled from any thread, emptied by the writer alone."""

    def __init__(self) -> None:
        self._changed = threading.Condition(threading.Lock())
        self._pieces: deque[bytes] = deque()  # of lines: joining large ones would hold everything twice
        self._bytes = 0  # pieces that wait or are being written
        self._held = 0  # parts of batches, which wait for work of ours and not for the host
        self._admitting = True
        self._closed = False

    def put(self, line: bytes, within: int = OUTBOX_FULL_BYTES) -> bool:
        """Queue a line unless it would not fit; tell whether it was queued."""
        with self._changed:
            if not self._has_room(line, within):
                return False
            self._append([line, b"\n"])
        return True

    def hold(self, line: bytes, within: int = OUTBOX_FULL_BYTES) -> bool:
        """Take room for a part of a batch that is not yet complete; tell whether it fits."""
        with self._changed:
            if not self._has_room(line, within):
                return False
            self._held += _room(line)
        return True

    def put_held(self, parts: list[bytes]) -> None:
        """Queue a complete batch in the room that its parts hold."""
        pieces = [piece for part in parts for piece in (b",", part)]
        pieces[0] = b"["
        with self._changed:
            self._held -= sum(map(_room, parts))
            self._append([*pieces, b"]\n"])

    def take(self) -> tuple[bytes, int] | None:
        """Wait for something to write; return it with its cost, for `written`. None at the end."""
        with self._changed:
            while not self._pieces and not self._closed:
                self._changed.wait()
            return self._join() if self._pieces else None

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

    def _has_room(self, line: bytes, within: int) -> bool:
        """Tell, under the lock, whether a line fits; one always fits into an empty outbox."""
        taken = self._bytes + self._held
        return not self._closed and (not taken or taken + _room(line) <= within)

    def _append(self, pieces: list[bytes]) -> None:
        self._pieces.extend(pieces)
        self._bytes += sum(map(_cost, pieces))
        if self._bytes > OUTBOX_HIGH_BYTES:
            self._admitting = False
        self._changed.notify()

    def _join(self) -> tuple[bytes, int]:
        pieces = [self._pieces.popleft()]
        size = len(pieces[0])
        while self._pieces and size + len(self._pieces[0]) <= _CHUNK_BYTES:
            pieces.append(self._pieces.popleft())
            size += len(pieces[-1])
        return b"".join(pieces), sum(map(_cost, pieces))


def _room(line: bytes) -> int:
    """Return what a line costs with the newline, or the part of a batch with the comma, that goes with it."""
    return _cost(line) + _cost(b"\n")


def _cost(piece: bytes) -> int:
    return len(piece) + _PIECE_COST
