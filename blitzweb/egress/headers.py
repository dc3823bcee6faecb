"""Which headers go on through the proxy: all but those that are between two neighbours alone, and ours (EGRESS-05)."""

from __future__ import annotations

from typing import Final

from blitzweb.egress.answers import OWN_HEADERS
from blitzweb.egress.head import AnswerHead, Head, Headers

# How a body is framed is said anew by whoever writes it.
_HOP_BY_HOP: Final = frozenset(
    {
        *(b"connection", b"keep-alive", b"proxy-connection", b"te", b"trailer", b"upgrade", b"http2-settings"),
        *(b"proxy-authorization", b"proxy-authenticate", b"proxy-authentication-info", b"transfer-encoding"),
    }
)
_NOT_TO_BE_NAMED: Final = frozenset({b"content-length", b"host"})  # a Connection header that drops these would lie
_CONNECTION: Final = frozenset({b"connection", b"proxy-connection"})
_OWN: Final = OWN_HEADERS.encode()
_CHUNKED: Final = b"Transfer-Encoding: chunked\r\n"


def write_request(head: Head, path: str, authority: str) -> bytes:
    """Return a request's head as the origin gets it, with the Host that the request line names."""
    dropped = _dropped(head.headers) | {b"host"}
    lines = [f"{head.method} {path} HTTP/1.1\r\nHost: {authority}\r\n".encode("ascii")]
    lines += [b"%b: %b\r\n" % (name, value) for lowered, name, value in head.headers if lowered not in dropped]
    return b"".join([*lines, _CHUNKED if head.framing.chunked else b"", b"\r\n"])


def write_answer(head: AnswerHead, *, chunked: bool = False, closes: bool = False) -> bytes:
    """Return an answer's head as the client gets it; none of its headers can be taken for ours."""
    dropped = _dropped(head.headers)
    lines = [b"HTTP/1.1 %d %b\r\n" % (head.status, head.reason)]
    for lowered, name, value in head.headers:
        if lowered not in dropped and not lowered.startswith(_OWN):
            lines.append(b"%b: %b\r\n" % (name, value))
    return b"".join([*lines, _CHUNKED if chunked else b"", b"Connection: close\r\n" if closes else b"", b"\r\n"])


def asks_to_close(headers: Headers, minor: int) -> bool:
    """Tell whether the sender of some headers takes or sends nothing more afterwards."""
    return not minor or b"close" in _options(headers)


def _dropped(headers: Headers) -> frozenset[bytes]:
    return _HOP_BY_HOP | (_options(headers) - _NOT_TO_BE_NAMED)


def _options(headers: Headers) -> set[bytes]:
    """Return what the headers about the connection name."""
    named = [value for lowered, _, value in headers if lowered in _CONNECTION]
    return {option.strip().lower() for value in named for option in value.split(b",")}
