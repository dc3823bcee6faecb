"""Bodies decoded as a stream that stops at a cap, so that a bomb costs no more than the cap (FETCH-04).

Decoders are asked for 64 KiB at a time. One coding at most: a chain of them is only ever an attack.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from urllib3.response import HTTPResponse

from blitzweb.limits import READ_CHUNK_BYTES
from blitzweb.net.failures import MalformedResponse
from blitzweb.net.strict_response import StrictResponse

CODINGS: Final = ("gzip", "deflate", "br", "zstd")
ACCEPT_ENCODING: Final = ", ".join(CODINGS)


class Body(NamedTuple):
    """Decoded bytes; `whole` tells whether the response was read to its end, so that its connection may be kept."""

    data: bytes
    truncated: bool
    whole: bool


def read_body(response: StrictResponse, max_bytes: int, *, method: str = "GET", decode: bool = True) -> Body:
    """Read at most `max_bytes` decoded bytes.

    Raises: what the socket, http.client and urllib3's decoders raise; mapped by the caller.
    """
    coding = find_coding(response)
    if coding and not decode:
        raise MalformedResponse(f'the body is encoded ("{coding}"), which was not asked for')
    source = HTTPResponse(
        body=response,
        headers=_headers_for_decoder(response, coding),
        status=response.status,
        preload_content=False,
        decode_content=True,
        request_method=method,
        original_response=response,
    )
    data = bytearray()
    while len(data) <= max_bytes:
        part = source.read(min(READ_CHUNK_BYTES, max_bytes + 1 - len(data)))
        if not part:
            return Body(bytes(data), truncated=False, whole=True)
        data += part
    return Body(bytes(data[:max_bytes]), truncated=True, whole=False)


def find_coding(response: StrictResponse) -> str:
    """Return the one coding of the body, "" where there is none.

    Raises:
        MalformedResponse: more than one, or one that is not known.
    """
    named = [
        name.strip().lower() for value in response.headers.get_all("content-encoding", []) for name in value.split(",")
    ]
    codings = [name.removeprefix("x-") for name in named if name not in {"", "identity"}]
    if len(codings) > 1:
        raise MalformedResponse(f"the body is encoded {len(codings)} times over")
    if codings and codings[0] not in CODINGS:
        raise MalformedResponse(f'the body has the coding "{codings[0]:.40}", which was not asked for')
    return codings[0] if codings else ""


def _headers_for_decoder(response: StrictResponse, coding: str) -> dict[str, str]:
    """Return what urllib3 needs to know: chunks have been taken apart below it."""
    headers = {}
    if coding:
        headers["content-encoding"] = coding
    length = response.headers.get("content-length")
    if length is not None:
        headers["content-length"] = length
    return headers
