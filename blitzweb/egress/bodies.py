"""Bodies in plain HTTP: where one ends, and how it is framed for the other side. No I/O.

Chunks are read by h11, whose grammar of them is strict, and written anew, so that no byte of anybody's framing passes.
What a length counts passes as it is.
"""

from __future__ import annotations

from typing import Final, Protocol

import h11

from blitzweb.egress.head import Framing, Malformed
from blitzweb.limits import MAX_CHUNK_LINE_BYTES

LAST_CHUNK: Final = b"0\r\n\r\n"
_CHUNKS_FOLLOW: Final = b"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"


class Body(Protocol):
    """A body that is being read. `rest` is what came after its end."""

    rest: bytes

    @property
    def done(self) -> bool:
        """Whether it has come to its end."""
        ...

    def feed(self, data: bytes) -> bytes:
        """Return what is of the body in some bytes.

        Raises:
            Malformed: its framing is not what HTTP allows.
        """
        ...

    def end(self) -> None:
        """Take note that nothing more comes.

        Raises:
            Malformed: something should have.
        """
        ...


class Counted:
    """As many bytes as a length says."""

    __slots__ = ("_left", "rest")

    def __init__(self, length: int) -> None:
        self._left = length
        self.rest = b""

    @property
    def done(self) -> bool:
        """Whether all have come."""
        return not self._left

    def feed(self, data: bytes) -> bytes:
        """Count."""
        size = len(data)
        if size <= self._left:
            self._left -= size
            return data
        body, self.rest, self._left = data[: self._left], self.rest + data[self._left :], 0
        return body

    def end(self) -> None:
        """See `Body`."""
        if self._left:
            raise Malformed(f"it ended {self._left} bytes before its length")


class Chunked:
    """Chunks, by h11: it is given a head that says that they follow."""

    __slots__ = ("_reader", "done", "rest")

    def __init__(self) -> None:
        self._reader = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_CHUNK_LINE_BYTES)
        self._reader.receive_data(_CHUNKS_FOLLOW)
        self._reader.next_event()
        self.done = False
        self.rest = b""

    def feed(self, data: bytes) -> bytes:
        """Take chunks apart; extensions and trailers are dropped."""
        if self.done or not data:  # to h11, nothing is the end
            self.rest += data
            return b""
        parts = []
        try:
            self._reader.receive_data(data)
            while isinstance(event := self._reader.next_event(), h11.Data):
                parts.append(bytes(event.data))
        except h11.RemoteProtocolError:
            raise Malformed("its chunks are not what HTTP allows") from None
        if isinstance(event, h11.EndOfMessage):
            self.done = True
            self.rest = self._reader.trailing_data[0]
        return b"".join(parts)

    def end(self) -> None:
        """See `Body`."""
        if not self.done:
            raise Malformed("it ended before its last chunk")


class UntilEnd:
    """All that comes."""

    __slots__ = ("done", "rest")

    def __init__(self) -> None:
        self.done = False
        self.rest = b""

    def feed(self, data: bytes) -> bytes:
        """See `Body`."""
        return data

    def end(self) -> None:
        """See `Body`."""
        self.done = True


def request_body(framing: Framing) -> Body:
    """Return the body of a request; without a length or chunks there is none."""
    return Chunked() if framing.chunked else Counted(framing.length or 0)


def answer_body(framing: Framing) -> Body:
    """Return the body of an answer that has one."""
    if framing.chunked:
        return Chunked()
    return UntilEnd() if framing.length is None else Counted(framing.length)


def chunk(data: bytes) -> bytes:
    """Return bytes as one chunk, and nothing for none, which would be the last."""
    return b"%x\r\n%b\r\n" % (len(data), data) if data else b""
