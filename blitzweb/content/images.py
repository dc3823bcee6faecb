"""The size of an image, read from its first bytes: no pixel is decoded (CONTENT-09)."""

from __future__ import annotations

import re
import struct
from typing import Final

from blitzweb.errors import UnusableContent

_MARK: Final = 0xFF
_JPEG_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_JPEG_ALONE: Final = frozenset({0x01, *range(0xD0, 0xD9)})  # markers without a length
_AVIF_SIZE = re.compile(rb"ispe\0{4}(.{8})", re.DOTALL)


def image_size(body: bytes, media_type: str) -> tuple[int, int]:
    """Return width and height in pixels.

    Raises:
        UnusableContent: the image is damaged, or cut off before its size.
    """
    try:
        size = _READERS[media_type](body)
    except (struct.error, IndexError, KeyError):
        size = None
    if size is None:
        raise UnusableContent(f"{media_type}: the image is damaged or cut off: its size cannot be read")
    return size


def _png(body: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from(">II", body, 16)
    return width, height


def _gif(body: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from("<HH", body, 6)
    return width, height


def _bmp(body: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from("<ii", body, 18)
    return abs(width), abs(height)


def _icon(body: bytes) -> tuple[int, int]:
    return body[6] or 256, body[7] or 256


def _jpeg(body: bytes) -> tuple[int, int] | None:
    """Return the size in the frame header, past the segments before it."""
    place = 2
    while place + 9 <= len(body):
        if body[place] != _MARK:
            return None
        marker = body[place + 1]
        if marker in _JPEG_FRAMES:
            height, width = struct.unpack_from(">HH", body, place + 5)
            return width, height
        if marker == _MARK:  # a byte that only fills
            place += 1
        else:
            place += 2 if marker in _JPEG_ALONE else 2 + struct.unpack_from(">H", body, place + 2)[0]
    return None


def _webp(body: bytes) -> tuple[int, int] | None:
    chunk = body[12:16]
    if chunk == b"VP8X":
        return 1 + int.from_bytes(body[24:27], "little"), 1 + int.from_bytes(body[27:30], "little")
    if chunk == b"VP8L":
        bits = struct.unpack_from("<I", body, 21)[0]
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if chunk == b"VP8 ":
        width, height = struct.unpack_from("<HH", body, 26)
        return width & 0x3FFF, height & 0x3FFF
    return None


def _avif(body: bytes) -> tuple[int, int] | None:
    sizes = [struct.unpack(">II", found) for found in _AVIF_SIZE.findall(body)]
    return max(sizes, default=None)


_READERS: Final = {
    "image/png": _png,
    "image/jpeg": _jpeg,
    "image/gif": _gif,
    "image/bmp": _bmp,
    "image/x-icon": _icon,
    "image/webp": _webp,
    "image/avif": _avif,
}
