"""Which headers go on through the proxy: all but those that are between two neighbours alone, and ours."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from blitzweb.egress.answers import OWN_HEADERS

RawHeaders = list[tuple[bytes, bytes]]

_HOP_BY_HOP: Final = frozenset(
    {
        *(b"connection", b"keep-alive", b"proxy-connection", b"te", b"trailer", b"upgrade", b"http2-settings"),
        *(b"proxy-authorization", b"proxy-authenticate", b"proxy-authentication-info"),
    }
)
_FRAMING: Final = frozenset({b"content-length", b"transfer-encoding", b"host"})  # nobody may name these in Connection


def for_origin(headers: Iterable[tuple[bytes, bytes]], authority: str) -> RawHeaders:
    """Return a request's headers as the origin gets them, with the Host that the request line names."""
    kept = [(name, value) for name, value in _end_to_end(list(headers)) if name.lower() != b"host"]
    return [(b"Host", authority.encode("ascii")), *kept]


def for_client(headers: Iterable[tuple[bytes, bytes]]) -> RawHeaders:
    """Return an answer's headers as the client gets them; none of them can be taken for ours."""
    own = OWN_HEADERS.encode()
    return [(name, value) for name, value in _end_to_end(list(headers)) if not name.lower().startswith(own)]


def connection_options(headers: Iterable[tuple[bytes, bytes]]) -> set[bytes]:
    """Return what the Connection headers name."""
    values = (value for name, value in headers if name.lower() == b"connection")
    return {option.strip().lower() for value in values for option in value.split(b",")}


def _end_to_end(headers: RawHeaders) -> RawHeaders:
    dropped = _HOP_BY_HOP | (connection_options(headers) - _FRAMING)
    return [(name, value) for name, value in headers if name.lower() not in dropped]
