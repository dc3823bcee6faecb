"""One direction of a tunnel: bytes from one socket to another, as fast as the slower one goes.

What is pending is bounded: nothing is read while anything waits to be sent. Small amounts are copied; where the system
has `splice`, bulk goes through a pipe and never enters the process. Pipes are lent while bytes are in them.
"""

from __future__ import annotations

import fcntl
import os
import socket
import sys
from contextlib import suppress
from typing import Final

from blitzweb.limits import COPY_BYTES, MAX_PIPES, MAX_TURN_BYTES, PIPE_BYTES

_SPLICES: Final = sys.platform == "linux" and hasattr(os, "splice")
_FLAGS: Final = os.SPLICE_F_MOVE | os.SPLICE_F_NONBLOCK if _SPLICES else 0


class Pipe:
    """A pipe of the kernel's, with what is in it."""

    __slots__ = ("filled", "reads", "writes")

    def __init__(self) -> None:
        self.reads, self.writes = os.pipe()
        self.filled = 0
        with suppress(OSError):  # without room for it a pipe of the usual size does as well
            fcntl.fcntl(self.writes, fcntl.F_SETPIPE_SZ, PIPE_BYTES)

    def close(self) -> None:
        """Give its descriptors back."""
        os.close(self.reads)
        os.close(self.writes)


class Pipes:
    """The pipes of one proxy: a few are kept, and never more than so many are made."""

    def __init__(self, limit: int = MAX_PIPES) -> None:
        self._kept: list[Pipe] = []
        self._left = limit if _SPLICES else 0

    def take(self) -> Pipe | None:
        """Lend an empty pipe; `None` where there is none, and bytes are copied."""
        if self._kept:
            return self._kept.pop()
        if not self._left:
            return None
        with suppress(OSError):  # out of descriptors
            pipe = Pipe()
            self._left -= 1
            return pipe
        return None

    def give_back(self, pipe: Pipe) -> None:
        """Take a pipe back; one that is not empty is of no more use."""
        if pipe.filled or len(self._kept) >= 2:  # noqa: PLR2004 (one for each direction of a busy tunnel)
            pipe.close()
            self._left += 1
        else:
            self._kept.append(pipe)

    def close(self) -> None:
        """Close those that are kept."""
        while self._kept:
            self._kept.pop().close()


class Pump:
    """Moves bytes from `source` to `sink` until the source ends, then ends the sink's direction too."""

    __slots__ = ("_bulk", "_pending", "_pipe", "_pipes", "ended", "finished", "sink", "source")

    def __init__(self, source: socket.socket, sink: socket.socket, pipes: Pipes) -> None:
        self.source = source
        self.sink = sink
        self._pipes = pipes
        self._pending: memoryview | None = None
        self._pipe: Pipe | None = None
        self._bulk = False  # so much came last that splicing pays
        self.ended = False  # nothing more comes from the source
        self.finished = False  # and the sink knows

    @property
    def blocked(self) -> bool:
        """Whether something waits for the sink to take it; else the source may be read."""
        return self._pending is not None or self._pipe is not None

    def put(self, data: bytes) -> None:
        """Put bytes before those that the source will give; nothing may be pending."""
        if data:
            self._pending = memoryview(data)

    def move(self) -> None:
        """Move what can be moved at once, up to a turn's worth.

        Raises:
            OSError: one of the ends is gone.
        """
        self.flush()
        left = MAX_TURN_BYTES
        while left > 0 and not self.blocked and not self.ended:
            moved = self._splice(left) if self._bulk else 0
            self._bulk = moved > COPY_BYTES
            if not moved:
                moved = self._copy()
                self._bulk = moved == COPY_BYTES  # there is more
            if not moved:
                break
            left -= moved
        if self.ended and not self.blocked and not self.finished:
            self.finished = True
            with suppress(OSError):
                self.sink.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Give the pipe back."""
        if self._pipe is not None:
            self._pipes.give_back(self._pipe)
            self._pipe = None

    def flush(self) -> None:
        """Send on what is pending. Raises: as `move`."""
        with suppress(BlockingIOError):
            if self._pending is not None:
                self._pending = self._pending[self.sink.send(self._pending) :]
                if not self._pending:
                    self._pending = None
            if self._pipe is not None:
                self._empty(self._pipe)
                self.close()

    def _copy(self) -> int:
        """Copy once; return how many bytes came, nothing where none wait."""
        try:
            data = self.source.recv(COPY_BYTES)
        except BlockingIOError:
            return 0
        self.ended = not data
        self.put(data)
        self.flush()
        return len(data)

    def _splice(self, left: int) -> int:
        """Splice until the source has no more or the sink takes no more; return how many bytes came."""
        pipe = self._pipes.take()
        if pipe is None:
            return 0
        self._pipe, moved = pipe, 0
        with suppress(BlockingIOError):
            while moved < left:
                pipe.filled = os.splice(self.source.fileno(), pipe.writes, PIPE_BYTES, flags=_FLAGS)
                if not pipe.filled:
                    self.ended = True
                    break
                moved += pipe.filled
                self._empty(pipe)
        if not pipe.filled:
            self.close()
        return moved

    def _empty(self, pipe: Pipe) -> None:
        """Splice what is in the pipe to the sink, all of it."""
        while pipe.filled:
            pipe.filled -= os.splice(pipe.reads, self.sink.fileno(), pipe.filled, flags=_FLAGS)
