"""A response as http.client hands bodies on, its head and its chunks read strictly (FETCH-12).

The head's grammar is in `head.py`. Chunk sizes are hexadecimal digits, chunks end where they must, extensions are
short, trailers are few. What comes over the wire is bounded too: a coding may turn any amount of it into nothing.
"""

from __future__ import annotations

import http.client
import re
from typing import Final

from blitzweb.limits import MAX_CHUNK_LINE_BYTES, MAX_HEADER_BYTES, MAX_HEADER_LINES
from blitzweb.net.failures import MalformedResponse
from blitzweb.net.head import read_head
from blitzweb.net.timed_socket import TimedSocket

_CHUNK_SIZE: Final = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\x00\r\n]*)?\r\n")


class StrictResponse(http.client.HTTPResponse):
    """The response of one request; its body is read by `read(amount)` alone."""

    def __init__(
        self, sock: TimedSocket, method: str | None = None, *, max_header_bytes: int = MAX_HEADER_BYTES
    ) -> None:
        super().__init__(sock, method=method)  # type: ignore[arg-type]
        self._max_header_bytes = max_header_bytes
        self.wire_left = 0

    def begin(self) -> None:
        """Read status and headers."""
        head = read_head(self.fp.readline, self._max_header_bytes)
        self.code = self.status = head.status
        self.reason = ""  # what a server says there is nobody's business
        self.version = 10 + head.minor
        self.headers = self.msg = head.headers  # type: ignore[assignment]
        self.chunked, self.chunk_left, self.length = head.chunked, None, head.length
        self.will_close = head.will_close

    def read(self, amt: int | None = None) -> bytes:
        """Return at most `amt` bytes of the body as it came; none at its end."""
        data = super().read(amt)
        self.wire_left -= len(data)
        if self.wire_left < 0:
            raise MalformedResponse("the encoded body is longer than its decoded size may be")
        return data

    # --- http.client's own steps, called by its `read` ---------------------------------------------------------------

    def _get_chunk_left(self) -> int | None:
        """Return the bytes left of the current chunk, of the next one after its end, `None` after the last."""
        left = self.chunk_left
        if left:
            return left
        if left is not None and self._safe_read(2) != b"\r\n":  # type: ignore[attr-defined]
            raise MalformedResponse("a chunk is longer than its size")
        left = self._read_next_chunk_size() or None
        if left is None:
            self._read_and_discard_trailer()
            self._close_conn()  # type: ignore[attr-defined]
        self.chunk_left = left
        return left

    def _read_next_chunk_size(self) -> int:
        line = self.fp.readline(MAX_CHUNK_LINE_BYTES)
        if not line:
            raise http.client.IncompleteRead(b"")
        found = _CHUNK_SIZE.fullmatch(line)
        if not found:
            raise MalformedResponse("a chunk has no proper size, or one that goes on too long")
        return int(found[1], 16)

    def _read_and_discard_trailer(self) -> None:
        for _ in range(MAX_HEADER_LINES):
            line = self.fp.readline(MAX_CHUNK_LINE_BYTES)
            if line == b"\r\n":
                return
            if not line:
                raise http.client.IncompleteRead(b"")
        raise MalformedResponse("the trailers do not end")
