"""An HTTP/1.1 response read strictly: what `http.client` lets through and no server should send (FETCH-12).

Interim responses other than 100 and 103, doubtful framing (two lengths, a length beside chunks, codings that are not
`chunked`), chunk sizes that are not hexadecimal digits, and headers with folds, NULs or blanks before the colon.
"""

from __future__ import annotations

import http.client
import re
from typing import Any, Final

from blitzweb.limits import MAX_HEADER_BYTES, MAX_INTERIM_RESPONSES
from blitzweb.net.failures import MalformedResponse

_DIGITS: Final = re.compile(r"[0-9]{1,18}")
_CHUNK_SIZE: Final = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]*)?\r\n")
_UNWRITABLE: Final = re.compile(r"[\x00\r\n]")
_MAX_CHUNK_LINE: Final = 4096  # a chunk's size and its extensions, which nobody uses
_MAX_TRAILER_LINES: Final = 100  # as many as headers


class StrictResponse(http.client.HTTPResponse):
    """The response of one request; its body is read by `read(amount)` alone."""

    def _read_status(self) -> tuple[str, int, str]:
        """Return the final status, past a few interim ones."""
        for _ in range(MAX_INTERIM_RESPONSES + 1):
            version, status, reason = super()._read_status()  # type: ignore[misc]
            if status >= 200:  # noqa: PLR2004
                return version, status, reason
            if status not in {100, 103}:
                raise MalformedResponse(f"an interim response of status {status} came unasked")
            self._skip_headers()
        raise MalformedResponse(f"more than {MAX_INTERIM_RESPONSES} interim responses came")

    def begin(self) -> None:
        """Read status and headers, and refuse what is doubtful."""
        super().begin()
        _check_headers(self.headers)
        _check_framing(self.headers, self.version)

    def _skip_headers(self) -> None:
        while self.fp.readline(_MAX_CHUNK_LINE) not in {b"\r\n", b"\n", b""}:
            pass  # counted at the socket, like all headers

    def _read_next_chunk_size(self) -> int:
        line = self.fp.readline(_MAX_CHUNK_LINE + 1)
        found = _CHUNK_SIZE.fullmatch(line)
        if not found:
            raise MalformedResponse("a chunk has no proper size") if line else http.client.IncompleteRead(b"")
        return int(found[1], 16)

    def _read_and_discard_trailer(self) -> None:
        for _ in range(_MAX_TRAILER_LINES):
            if self.fp.readline(_MAX_CHUNK_LINE) in {b"\r\n", b"\n", b""}:
                return
        raise MalformedResponse("the trailers do not end")

    def _get_chunk_left(self) -> int | None:
        """Return the bytes left of the current chunk, and make sure that each ends as it must."""
        left: int | None = self.chunk_left
        if left:
            return left
        if left is not None and self._safe_read(2) != b"\r\n":  # type: ignore[attr-defined]
            raise MalformedResponse("a chunk is longer than its size")
        left = self._read_next_chunk_size()
        if left == 0:
            self._read_and_discard_trailer()
            self._close_conn()  # type: ignore[attr-defined]
            left = None
        self.chunk_left = left
        return left


def _check_headers(headers: Any) -> None:
    if headers.defects or headers.get_payload():
        raise MalformedResponse("a line of the response headers is no header")
    size = 0
    for name, value in headers.items():
        size += len(name) + len(value) + len(": \r\n")
        if _UNWRITABLE.search(value):
            raise MalformedResponse(f"the header {name} is folded or holds a NUL")
    if size > MAX_HEADER_BYTES:
        raise MalformedResponse(f"the response headers are longer than {MAX_HEADER_BYTES // 1024} KiB")


def _check_framing(headers: Any, version: int) -> None:
    lengths = headers.get_all("content-length", [])
    codings = headers.get_all("transfer-encoding", [])
    if len(lengths) > 1 or not all(_DIGITS.fullmatch(length) for length in lengths):
        raise MalformedResponse(f"the length of the body is in doubt (Content-Length: {', '.join(lengths):.60})")
    if not codings:
        return
    if len(codings) > 1 or codings[0].strip().lower() != "chunked":
        raise MalformedResponse(f"the body's transfer coding is not known ({', '.join(codings):.60})")
    if lengths or version < 11:  # noqa: PLR2004 (http.client's spelling of HTTP/1.1)
        raise MalformedResponse("the body is chunked where it may not be")
