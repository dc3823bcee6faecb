"""The head of a request to the proxy: read by one strict grammar before anything else sees it (EGRESS-05).

What two readers could understand in two ways is refused: lines that end in LF alone, folds, controls, two lengths, a
length beside chunks, other codings. Values only; which host is meant is read in `target.py`.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from blitzweb.limits import MAX_HEADER_BYTES, MAX_HEADER_LINES
from blitzweb.net.head import CONTENT_LENGTH, HEADER_LINE
from blitzweb.policy.texts import quoted

_REQUEST_LINE: Final = re.compile(
    rb"(?P<method>[!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}) (?P<target>[\x21-\x7e]+) HTTP/1\.(?P<minor>[01])"
)
_CRLF: Final = b"\r\n"
_END: Final = re.compile(rb"\n\r?\n")  # strict or not: a head that ends wrongly is refused, not waited for


class BadRequest(Exception):
    """Raised for a request that is answered 400; the text says what is wrong with it."""


class Head(NamedTuple):
    """A request line and its headers, with the names in lower case; `raw` is what was read."""

    method: str
    target: str
    minor: int
    headers: tuple[tuple[str, str], ...]
    raw: bytes

    def values(self, name: str) -> list[str]:
        """Return the values of every header of a name."""
        return [value for key, value in self.headers if key == name]


class HeadReader:
    """Gathers the bytes of one head."""

    __slots__ = ("_data",)

    def __init__(self) -> None:
        self._data = bytearray()

    @property
    def begun(self) -> bool:
        """Whether any byte has come."""
        return bool(self._data)

    def feed(self, data: bytes) -> tuple[Head, bytes] | None:
        """Take bytes in; return the head once it is whole, and what followed it.

        Raises:
            BadRequest: it is too long, or not what HTTP allows.
        """
        begin = max(0, len(self._data) - 3)
        self._data += data
        found = _END.search(self._data, begin)
        if (found.end() if found else len(self._data)) > MAX_HEADER_BYTES:
            raise BadRequest(f"the request headers are longer than {MAX_HEADER_BYTES // 1024} KiB")
        if found is None:
            return None
        whole = bytes(self._data)
        self._data.clear()
        return read_head(whole[: found.end()]), whole[found.end() :]


def read_head(raw: bytes) -> Head:
    """Read a whole head, its last empty line included.

    Raises:
        BadRequest: it is not what HTTP allows, or may be understood in two ways.
    """
    line, *lines = raw.removesuffix(_CRLF * 2).split(_CRLF)
    found = _REQUEST_LINE.fullmatch(line)
    if not found or not raw.endswith(_CRLF * 2):
        raise BadRequest("this is no request of HTTP/1.1 or 1.0 whose lines end in CRLF")
    if len(lines) > MAX_HEADER_LINES:
        raise BadRequest(f"there are more than {MAX_HEADER_LINES} request headers")
    headers = tuple(map(_read_header, lines))
    head = Head(found["method"].decode(), found["target"].decode(), int(found["minor"]), headers, raw)
    _check_framing(head)
    return head


def _read_header(line: bytes) -> tuple[str, str]:
    found = HEADER_LINE.fullmatch(line + _CRLF)
    if not found:
        name = line.partition(b":")[0].decode("latin-1")
        raise BadRequest(f"a line of the request headers is no header: {quoted(name)}")
    return found["name"].decode("ascii").lower(), found["value"].strip(b" \t").decode("latin-1")


def _check_framing(head: Head) -> None:
    lengths, codings = head.values("content-length"), head.values("transfer-encoding")
    if len(lengths) > 1 or not all(map(CONTENT_LENGTH.fullmatch, lengths)):
        raise BadRequest("the length of the request's body is in doubt")
    if codings and (len(codings) > 1 or codings[0].lower() != "chunked"):
        raise BadRequest("the transfer coding of the request's body is not known")
    if codings and (lengths or not head.minor):
        raise BadRequest("the request's body has a length and chunks at once, or chunks in HTTP/1.0")
