"""Cuts a stream of bytes into lines, and keeps a bad sender from growing the buffer or losing the rhythm.

Takes chunks, returns lines; must not read, decode or judge JSON. An over-long line costs one error and is skipped up to
its newline. `Content-Length:` framing, the other common way to carry JSON-RPC, costs one clear error, however many
framed messages come.
"""

from __future__ import annotations

import re

from blitzweb.errors import ParseFailed
from blitzweb.limits import MAX_LINE_BYTES

_HEADER = re.compile(rb"content-(?:length|type)[ \t]*:", re.IGNORECASE)
# A framed body has no newline of its own, so that the next header ends its line.
_BODY_THEN_HEADER = re.compile(rb"content-length[ \t]*:[ \t]*\d+\Z", re.IGNORECASE)


class LineSplitter:
    """Hands out whole lines without their newline or a carriage return before it; blank lines are skipped."""

    def __init__(self, max_bytes: int = MAX_LINE_BYTES) -> None:
        self._max_bytes = max_bytes
        self._line = bytearray()  # the line that is not yet complete
        self._skipping = False  # the rest of an over-long line, which has been reported
        self._framed = False  # `Content-Length:` framing has been reported

    def feed(self, chunk: bytes) -> list[bytes | ParseFailed]:
        """Take the next bytes and return what they complete, in order."""
        *ends, rest = chunk.split(b"\n")
        found: list[bytes | ParseFailed] = []
        for end in ends:
            self._extend(end, found)
            self._finish(found)
        self._extend(rest, found)
        return found

    def close(self) -> list[bytes | ParseFailed]:
        """Return what is left at the end of input as if a newline had ended it."""
        found: list[bytes | ParseFailed] = []
        self._finish(found)
        return found

    def _extend(self, part: bytes, found: list[bytes | ParseFailed]) -> None:
        """Add to the unfinished line, or report it once it is too long (a carriage return at its end may still go)."""
        if self._skipping or not part:
            return
        self._line += part
        if len(self._line) - part.endswith(b"\r") > self._max_bytes:
            found.append(_over_long(self._max_bytes))
            self._line, self._skipping = bytearray(), True

    def _finish(self, found: list[bytes | ParseFailed]) -> None:
        """End the unfinished line at its newline."""
        line = bytes(self._line).removesuffix(b"\r")
        self._line, self._skipping = bytearray(), False
        if not line.strip():
            return
        if self._is_framing(line):
            if not self._framed:
                found.append(_framing())
            self._framed = True
            return
        found.append(line)

    def _is_framing(self, line: bytes) -> bool:
        return bool(_HEADER.match(line) or (self._framed and _BODY_THEN_HEADER.search(line[-64:])))


def _over_long(limit: int) -> ParseFailed:
    return ParseFailed(
        f"a line is longer than {limit} bytes and was skipped",
        advice="send less in one message; reading goes on after the next newline",
    )


def _framing() -> ParseFailed:
    return ParseFailed(
        "this looks like Content-Length framing, and one message a line is spoken here",
        advice="send each message as one line of JSON that ends with a newline, and no headers",
    )
