"""The heads of requests and answers: read by one strict grammar before anything else sees them (EGRESS-05).

What two readers could understand in two ways is malformed: lines that end in LF alone, folds, controls, two lengths, a
length beside chunks, other codings. Values only; which host is meant is read in `target.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, Generic, NamedTuple, TypeVar

from blitzweb.limits import MAX_HEADER_BYTES, MAX_HEADER_LINES
from blitzweb.net.head import CONTENT_LENGTH, HEADER_LINE
from blitzweb.policy.texts import quoted

Field = tuple[bytes, bytes, bytes]  # the name in lower case, the name as it came, the value
Headers = tuple[Field, ...]
Read = TypeVar("Read")

CRLF: Final = b"\r\n"
_REQUEST_LINE: Final = re.compile(
    rb"(?P<method>[!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}) (?P<target>[\x21-\x7e]+) HTTP/1\.(?P<minor>[01])"
)
_STATUS_LINE: Final = re.compile(
    rb"HTTP/1\.(?P<minor>[01]) (?P<status>[1-9][0-9]{2})(?: (?P<reason>[\t\x20-\x7e\x80-\xff]*))?"
)
_HEADER_LINES: Final = re.compile(rb"(?:%b)*+" % HEADER_LINE.pattern)
_END: Final = re.compile(rb"\n\r?\n")  # strict or not: a head that ends wrongly is refused, not waited for


class Malformed(Exception):
    """Raised for what HTTP does not allow, or what may be understood in two ways; the text says what it is."""


class Framing(NamedTuple):
    """How the headers say that a body is framed: in chunks, by a length, or, with neither, not at all."""

    chunked: bool = False
    length: int | None = None


class Head(NamedTuple):
    """A request line and its headers."""

    method: str
    target: str
    minor: int
    headers: Headers
    framing: Framing

    def values(self, name: bytes) -> list[bytes]:
        """Return the values of every header of a name, which is given in lower case."""
        return values(self.headers, name)


class AnswerHead(NamedTuple):
    """A status line and its headers."""

    status: int
    reason: bytes
    minor: int
    headers: Headers
    framing: Framing


class HeadReader(Generic[Read]):
    """Gathers the bytes of one head."""

    __slots__ = ("_data", "_read")

    def __init__(self, read: Callable[[bytes], Read]) -> None:
        self._data = b""
        self._read = read

    def feed(self, data: bytes) -> tuple[Read, bytes] | None:
        """Take bytes in; return the head once it is whole, and what followed it.

        Raises:
            Malformed: it is too long, or not what HTTP allows.
        """
        begin = max(0, len(self._data) - 3)
        self._data += data
        found = _END.search(self._data, begin)
        if (found.end() if found else len(self._data)) > MAX_HEADER_BYTES:
            raise Malformed(f"the headers are longer than {MAX_HEADER_BYTES // 1024} KiB")
        if found is None:
            return None
        whole, self._data = self._data, b""
        return self._read(whole[: found.end()]), whole[found.end() :]


def read_head(raw: bytes) -> Head:
    """Read the whole head of a request, its last empty line included.

    Raises:
        Malformed: it is not what HTTP allows, or may be understood in two ways.
    """
    line, headers = _split(raw)
    found = _REQUEST_LINE.fullmatch(line)
    if not found:
        raise Malformed("it does not begin with a request line of HTTP/1.1 or 1.0")
    minor = int(found["minor"])
    if minor and len(values(headers, b"host")) != 1:
        raise Malformed("it does not name its host once")
    return Head(found["method"].decode(), found["target"].decode(), minor, headers, _read_framing(headers, minor))


def read_answer_head(raw: bytes) -> AnswerHead:
    """Read the whole head of an answer. Raises: as `read_head`."""
    line, headers = _split(raw)
    found = _STATUS_LINE.fullmatch(line)
    if not found:
        raise Malformed("it does not begin with a status line of HTTP/1.1 or 1.0")
    minor = int(found["minor"])
    return AnswerHead(int(found["status"]), found["reason"] or b"", minor, headers, _read_framing(headers, minor))


def values(headers: Headers, name: bytes) -> list[bytes]:
    """Return the values of every header of a name, which is given in lower case."""
    return [value for lowered, _, value in headers if lowered == name]


def _split(raw: bytes) -> tuple[bytes, Headers]:
    """Return the first line and the headers."""
    line, _, block = raw.partition(CRLF)
    if not block.endswith(CRLF) or not _HEADER_LINES.fullmatch(block, 0, len(block) - len(CRLF)):
        raise Malformed(_what_is_wrong_with(block))
    fields = HEADER_LINE.findall(block)
    if len(fields) > MAX_HEADER_LINES:
        raise Malformed(f"it has more than {MAX_HEADER_LINES} headers")
    return line, tuple((name.lower(), name, value.strip(b" \t")) for name, value in fields)


def _what_is_wrong_with(block: bytes) -> str:
    lines = block.removesuffix(CRLF).split(CRLF)[:-1]
    wrong = next((line for line in lines if not HEADER_LINE.fullmatch(line + CRLF)), b"")
    name = wrong.partition(b":")[0].decode("latin-1")
    return f"a line of its headers is no header: {quoted(name)}" if name else "a line of its headers ends in LF alone"


def _read_framing(headers: Headers, minor: int) -> Framing:
    lengths, codings = values(headers, b"content-length"), values(headers, b"transfer-encoding")
    if len(lengths) > 1 or not all(CONTENT_LENGTH.fullmatch(length.decode("latin-1")) for length in lengths):
        raise Malformed("the length of its body is in doubt")
    if codings and (len(codings) > 1 or codings[0].lower() != b"chunked"):
        raise Malformed("the transfer coding of its body is not known")
    if codings and (lengths or not minor):
        raise Malformed("its body has a length and chunks at once, or chunks in HTTP/1.0")
    return Framing(bool(codings), int(lengths[0]) if lengths else None)
