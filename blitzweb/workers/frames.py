"""What goes through the pipes between the daemon and a worker: a JSON object and raw bytes, with their lengths first.

Never pickle: a worker that a page has taken over must not be able to run anything in the daemon (CONTENT-10). How bytes
are read and written is the caller's.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from typing import Any, Final

_LENGTHS: Final = struct.Struct(">IQ")

Read = Callable[[int], bytes]  # returns at most so many bytes; none at the end


class BadFrame(Exception):
    """Raised for what is no frame, or is longer than allowed."""


def pack_frame(head: dict[str, Any], body: bytes = b"") -> bytes:
    """Return the bytes of a frame."""
    data = json.dumps(head, separators=(",", ":")).encode("ascii")
    return b"".join((_LENGTHS.pack(len(data), len(body)), data, body))


def read_frame(read: Read, max_bytes: int) -> tuple[dict[str, Any], bytes] | None:
    """Return a frame; None at the end of the stream.

    Raises:
        BadFrame: the stream ended inside a frame, the frame is too long, or its head is no JSON object.
    """
    lengths = _read_exactly(read, _LENGTHS.size, may_end=True)
    if not lengths:
        return None
    head_length, body_length = _LENGTHS.unpack(lengths)
    if head_length + body_length > max_bytes:
        raise BadFrame(f"it announced {head_length + body_length} bytes, more than {max_bytes}")
    data, body = _read_exactly(read, head_length), _read_exactly(read, body_length)
    try:
        head = json.loads(data)
    except (ValueError, RecursionError):
        raise BadFrame("its head is no JSON") from None
    if not isinstance(head, dict):
        raise BadFrame("its head is no JSON object")
    return head, body


def _read_exactly(read: Read, length: int, *, may_end: bool = False) -> bytes:
    parts: list[bytes] = []
    left = length
    while left and (part := read(left)):
        parts.append(part)
        left -= len(part)
    if left and not (may_end and not parts):
        raise BadFrame("it ended inside a frame")
    return b"".join(parts)
