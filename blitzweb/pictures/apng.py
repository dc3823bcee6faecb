"""An animated PNG out of PNGs: their chunks are spliced, and no pixel is decoded (WEB-37). Values only.

The frames of an APNG share one header. A frame becomes an `fcTL` (place and time) and its `IDAT` chunks, which from the
second frame on are `fdAT`: a running number, then the same bytes.
"""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from blitzweb.limits import FRAME_MS

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_HEADER_BYTES: Final = 25  # the whole chunk: it says size, depth, colour type, interlacing
_PALETTE: Final = frozenset({b"PLTE", b"tRNS"})  # what pixels mean beside the header
_COLOURS: Final = frozenset({b"sRGB", b"gAMA", b"cHRM", b"iCCP", b"cICP", b"sBIT"})


class Animation(NamedTuple):
    """`data` is empty where no frame could be used; `left_out` frames differ from most others, or are no PNGs."""

    data: bytes
    left_out: int


class _Frame(NamedTuple):
    look: bytes  # equal in all frames of an animation
    head: list[memoryview]  # whole chunks
    pixels: list[memoryview]  # whole chunks


def splice(pngs: Sequence[bytes]) -> Animation:
    """Return an animation that shows the PNGs one after the other, again and again."""
    frames = [frame for png in pngs if (frame := _read(png)) is not None]
    if not frames:
        return Animation(b"", len(pngs))
    ((look, _),) = Counter(frame.look for frame in frames).most_common(1)
    alike = [frame for frame in frames if frame.look == look]
    return Animation(b"".join(_write(alike)), len(pngs) - len(alike))


def _read(png: bytes) -> _Frame | None:
    """Return the parts of a PNG; None if it is none, or not whole."""
    look = b""
    head: list[memoryview] = []
    pixels: list[memoryview] = []
    for kind, chunk in _chunks(png):
        if kind == b"IHDR" and len(chunk) == _HEADER_BYTES and not head:
            look, head = bytes(chunk), [chunk]
        elif not head:
            return None
        elif kind == b"IDAT":
            pixels.append(chunk)
        elif kind == b"IEND":
            return _Frame(look, head, pixels) if pixels else None
        elif not pixels and kind in _PALETTE | _COLOURS:
            look += bytes(chunk) if kind in _PALETTE else b""
            head.append(chunk)
    return None


def _chunks(png: bytes) -> Iterator[tuple[bytes, memoryview]]:
    """Yield kind and whole chunk, up to the first that is cut off."""
    view = memoryview(png)
    at = len(_SIGNATURE) if png.startswith(_SIGNATURE) else len(png)
    while at + 12 <= len(view):
        (length, kind) = struct.unpack_from(">I4s", view, at)
        end = at + 12 + length
        if end > len(view):
            return
        yield kind, view[at:end]
        at = end


def _write(frames: Sequence[_Frame]) -> Iterator[bytes | memoryview]:
    header, *more = frames[0].head
    yield _SIGNATURE
    yield header
    yield _chunk(b"acTL", struct.pack(">II", len(frames), 0))
    yield from more
    number = 0
    for frame in frames:
        yield _chunk(b"fcTL", struct.pack(">I8sIIHHBB", number, header[8:16].tobytes(), 0, 0, FRAME_MS, 1000, 0, 0))
        number += 1
        if frame is frames[0]:
            yield from frame.pixels
            continue
        for chunk in frame.pixels:
            yield from _renamed(number, chunk)
            number += 1
    yield _chunk(b"IEND", b"")


def _renamed(number: int, chunk: memoryview) -> Iterator[bytes | memoryview]:
    """Yield an `IDAT` as an `fdAT`, its bytes uncopied."""
    data = chunk[8:-4]
    start = b"fdAT" + struct.pack(">I", number)
    yield struct.pack(">I", len(data) + 4) + start
    yield data
    yield struct.pack(">I", zlib.crc32(data, zlib.crc32(start)))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
