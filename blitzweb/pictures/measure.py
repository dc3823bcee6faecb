"""The size and type of a picture, from its first bytes; nothing is decoded. Values only."""

from __future__ import annotations

import struct
from typing import Final, NamedTuple

_JPEG_FRAMES: Final = frozenset({0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF})
_MARKER: Final = 0xFF
_ALONE: Final = frozenset({0x01, *range(0xD0, 0xD8)})  # markers of JPEG without a length


class Size(NamedTuple):
    """In pixels; 0 where it is not known."""

    width: int
    height: int


UNKNOWN: Final = Size(0, 0)


def image_size(data: bytes) -> Size:
    """Return the size of a PNG, JPEG or WebP; `UNKNOWN` for anything else."""
    try:
        if data.startswith(b"\x89PNG\r\n\x1a\n"):
            return Size(*struct.unpack_from(">II", data, 16))
        if data.startswith(b"\xff\xd8"):
            return _jpeg_size(data)
        if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
            return _webp_size(data)
    except struct.error:
        pass
    return UNKNOWN


def _jpeg_size(data: bytes) -> Size:
    at = 2
    while at + 4 <= len(data) and data[at] == _MARKER:
        marker = data[at + 1]
        if marker in _JPEG_FRAMES:
            height, width = struct.unpack_from(">HH", data, at + 5)
            return Size(width, height)
        at += 2 if marker in _ALONE else 2 + max(2, int(struct.unpack_from(">H", data, at + 2)[0]))
    return UNKNOWN


def _webp_size(data: bytes) -> Size:
    kind = data[12:16]
    if kind == b"VP8X":
        return Size(1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little"))
    if kind == b"VP8L":
        bits = int(struct.unpack_from("<I", data, 21)[0])
        return Size(1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF))
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", data, 26)
        return Size(width & 0x3FFF, height & 0x3FFF)
    return UNKNOWN
