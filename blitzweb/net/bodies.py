"""Bodies decoded as a stream that stops at a cap, so that a bomb costs no more than the cap (FETCH-04).

Decoders are asked for 64 KiB at a time. One coding at most: a chain of them is only ever an attack.
"""

from __future__ import annotations

import http.client
import io
from typing import Final, NamedTuple

from urllib3.response import HTTPResponse

from blitzweb.limits import READ_CHUNK_BYTES
from blitzweb.net.failures import MalformedResponse
from blitzweb.net.strict_response import StrictResponse
from blitzweb.policy.texts import quoted

CODINGS: Final = ("gzip", "deflate", "br", "zstd")
ACCEPT_ENCODING: Final = ", ".join(CODINGS)
_SPELLINGS: Final = {"x-gzip": "gzip"}  # RFC 9110 asks that it be taken for the same
_SPARE_BYTES: Final = 2 * READ_CHUNK_BYTES  # a coded body may be a little longer than what it decodes to


class Body(NamedTuple):
    """Decoded bytes; `whole` tells whether the response was read to its end, so that its connection may be kept."""

    data: bytes
    truncated: bool
    whole: bool


NOT_READ: Final = Body(b"", truncated=False, whole=False)


def read_body(response: StrictResponse, max_bytes: int, *, decode: bool = True) -> Body:
    """Read at most `max_bytes` decoded bytes.

    Raises: what the socket, http.client and urllib3's decoders raise; mapped by the caller.
    """
    coding = find_coding(response)
    if coding and not decode:
        raise MalformedResponse(f"the body has the coding {quoted(coding)}, which was not asked for")
    response.wire_left = max_bytes + _SPARE_BYTES
    source = _decode(response, coding) if coding else response
    data = io.BytesIO()  # hands its bytes over without a copy
    while (room := max_bytes + 1 - data.tell()) > 0:
        part = source.read(min(READ_CHUNK_BYTES, room))
        if not part:
            _check_end(response)
            return Body(data.getvalue(), truncated=False, whole=True)
        data.write(part)
    data.truncate(max_bytes)
    return Body(data.getvalue(), truncated=True, whole=False)


def _check_end(response: StrictResponse) -> None:
    """Make sure that a body ended where it should."""
    if response.length:
        raise http.client.IncompleteRead(b"", response.length)


def find_coding(response: StrictResponse) -> str:
    """Return the one coding of the body, "" where there is none.

    Raises:
        MalformedResponse: more than one, or one that is not known.
    """
    named = [name.strip().lower() for name in response.headers.get("content-encoding", "").split(",")]
    codings = [_SPELLINGS.get(name, name) for name in named if name not in {"", "identity"}]
    if len(codings) > 1:
        raise MalformedResponse(f"the body is encoded {len(codings)} times over")
    if codings and codings[0] not in CODINGS:
        raise MalformedResponse(f"the body has the coding {quoted(codings[0])}, which was not asked for")
    return codings[0] if codings else ""


def _decode(response: StrictResponse, coding: str) -> HTTPResponse:
    """Return urllib3's decoding reader, which need not know of lengths and chunks: they are seen to below it."""
    return HTTPResponse(body=response, headers={"content-encoding": coding}, preload_content=False)
