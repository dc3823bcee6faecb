"""The head of an HTTP/1 response: read line by line, by one strict grammar (FETCH-05, FETCH-12).

What other readers let through is refused: folds, NULs and other controls, blanks before a colon, lines that end in LF
alone, status lines of other versions, interim responses that nobody asked for, and framing that two readers could
understand in two ways. Nothing here touches a socket: `readline` is where the bytes come from.
"""

from __future__ import annotations

import http.client
import re
from collections.abc import Callable
from typing import Final, NamedTuple

from urllib3 import HTTPHeaderDict

from blitzweb.limits import MAX_HEADER_LINES, MAX_INTERIM_RESPONSES
from blitzweb.net.failures import MalformedResponse
from blitzweb.policy.texts import quoted

_STATUS: Final = re.compile(rb"HTTP/1\.(?P<minor>[01]) (?P<status>[1-9][0-9]{2})(?: [^\x00\r\n]*)?\r\n")
HEADER_LINE: Final = re.compile(
    rb"(?P<name>[!#$%&'*+.^_`|~0-9A-Za-z-]+):"  # RFC 9110's token
    rb"(?P<value>[\t\x20-\x7e\x80-\xff]*)\r\n"
)
CONTENT_LENGTH: Final = re.compile(r"[0-9]{1,18}")
_END: Final = b"\r\n"
_FINAL: Final = 200  # the first status that ends a request
_INTERIM: Final = frozenset({100, 103})
_NO_BODY: Final = frozenset({204, 304})


class Head(NamedTuple):
    """Status and headers, and how the body is framed: in chunks, by a length, or, with neither, by the end."""

    minor: int  # of the version 1.x
    status: int
    headers: HTTPHeaderDict
    chunked: bool
    length: int | None

    @property
    def will_close(self) -> bool:
        """Whether the server takes no further request on this connection."""
        tokens = {token.strip().lower() for token in self.headers.get("connection", "").split(",")}
        kept = "close" not in tokens if self.minor else "keep-alive" in tokens
        return not kept or (self.length is None and not self.chunked)


def read_head(readline: Callable[[int], bytes], max_bytes: int) -> Head:
    """Return the head of the final response, past a few interim ones; all of them count.

    Raises:
        MalformedResponse: it is not what HTTP allows, or is longer than `max_bytes`.
        http.client.RemoteDisconnected: nothing came at all.
    """
    lines = _Lines(readline, max_bytes)
    for _ in range(MAX_INTERIM_RESPONSES + 1):
        minor, status = _read_status(lines)
        headers = _read_headers(lines)
        if status >= _FINAL:
            return Head(minor, status, headers, *_find_framing(minor, status, headers))
    raise MalformedResponse(f"more than {MAX_INTERIM_RESPONSES} interim responses came")


class _Lines:
    """Lines with their ends, as many bytes of them as there may be."""

    def __init__(self, readline: Callable[[int], bytes], max_bytes: int) -> None:
        self._readline = readline
        self._max_bytes = self._left = max_bytes

    @property
    def begun(self) -> bool:
        return self._left < self._max_bytes

    def next(self) -> bytes:
        line = self._readline(self._left + 1)
        self._left -= len(line)
        if self._left < 0:
            raise MalformedResponse(f"the response headers are longer than {self._max_bytes // 1024} KiB")
        return line


def _read_status(lines: _Lines) -> tuple[int, int]:
    line = lines.next()
    if not lines.begun:
        raise http.client.RemoteDisconnected("nothing came")
    found = _STATUS.fullmatch(line)
    if not found:
        raise MalformedResponse("the answer does not begin with a status line of HTTP/1.1 or 1.0")
    status = int(found["status"])
    if status < _FINAL and status not in _INTERIM:
        raise MalformedResponse(f"an interim response of status {status} came unasked")
    return int(found["minor"]), status


def _read_headers(lines: _Lines) -> HTTPHeaderDict:
    headers = HTTPHeaderDict()
    for _ in range(MAX_HEADER_LINES + 1):
        line = lines.next()
        if line == _END:
            return headers
        found = HEADER_LINE.fullmatch(line)
        if not found:
            raise MalformedResponse(_what_is_wrong_with(line))
        headers.add(found["name"].decode("ascii"), found["value"].strip(b" \t").decode("latin-1"))
    raise MalformedResponse(f"there are more than {MAX_HEADER_LINES} response headers")


def _what_is_wrong_with(line: bytes) -> str:
    if not line.endswith(b"\n"):
        return "the connection ended within the response headers"
    if line[:1] in {b" ", b"\t"}:
        return "a response header is folded over several lines"
    if not line.endswith(_END):
        return "a line of the response headers ends in LF alone"
    name, colon, value = line.removesuffix(_END).decode("latin-1").partition(":")
    if colon and not value.isprintable():
        return f"the response header {quoted(name)} holds a NUL or another control character"
    return f"a line of the response headers is no header: {quoted(name)}"


def _find_framing(minor: int, status: int, headers: HTTPHeaderDict) -> tuple[bool, int | None]:
    """Return whether the body comes in chunks, and its length if that is known."""
    lengths, codings = headers.getlist("content-length"), headers.getlist("transfer-encoding")
    if len(lengths) > 1 or not all(map(CONTENT_LENGTH.fullmatch, lengths)):
        raise MalformedResponse(f"the length of the body is in doubt: {quoted(', '.join(lengths))}")
    if codings and (len(codings) > 1 or codings[0].lower() != "chunked"):
        raise MalformedResponse(f"the transfer coding of the body is not known: {quoted(', '.join(codings))}")
    if codings and (lengths or not minor):
        raise MalformedResponse("the body has a length and chunks at once, or chunks in HTTP/1.0")
    if status in _NO_BODY:
        return False, 0
    return bool(codings), int(lengths[0]) if lengths else None
