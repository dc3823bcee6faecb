"""PNGs made and taken apart, by the specification alone: what tests compare our animations with."""

from __future__ import annotations

import struct
import zlib
from typing import NamedTuple

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}


def chunk(kind: bytes, data: bytes) -> bytes:
    """Return a chunk."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def row_bytes(width: int, colour: int) -> int:
    """Return the bytes of a row of 8-bit pixels, with its filter."""
    return 1 + width * CHANNELS[colour]


def make_png(
    raw: bytes = b"", size: tuple[int, int] = (2, 2), colour: int = 2, cut: int = 0, extra: tuple[bytes, ...] = ()
) -> bytes:
    """Return a PNG whose filtered rows are `raw` (all 0 if it is empty), its data in two chunks if `cut`."""
    raw = raw or bytes(row_bytes(size[0], colour) * size[1])
    packed = zlib.compress(raw)
    parts = [packed[:cut], packed[cut:]] if 0 < cut < len(packed) else [packed]
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", *size, 8, colour, 0, 0, 0))
    palette = (chunk(b"PLTE", bytes(range(3)) * 256),) if colour == 3 else ()
    pixels = b"".join(chunk(b"IDAT", part) for part in parts)
    return b"".join([SIGNATURE, header, *extra, *palette, pixels, chunk(b"IEND", b"")])


class Animated(NamedTuple):
    """An APNG taken apart: the rows of each frame, what `acTL` promised, and each frame's milliseconds."""

    kinds: list[bytes]
    promised: int
    frames: list[bytes]
    delays: list[float]
    numbers: list[int]


def read_apng(data: bytes) -> Animated:
    """Take an APNG apart; every CRC is checked."""
    assert data.startswith(SIGNATURE)
    kinds, packed, delays, numbers, promised = [], [], [], [], 0
    at = len(SIGNATURE)
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + length]
        assert struct.unpack_from(">I", data, at + 8 + length)[0] == zlib.crc32(kind + body), kind
        kinds.append(kind)
        if kind == b"acTL":
            promised = struct.unpack(">II", body)[0]
        elif kind == b"fcTL":
            numbers.append(struct.unpack_from(">I", body)[0])
            numerator, denominator = struct.unpack_from(">HH", body, 20)
            delays.append(1000 * numerator / denominator)
            packed.append(b"")
        elif kind == b"IDAT":
            packed[-1] += body
        elif kind == b"fdAT":
            numbers.append(struct.unpack_from(">I", body)[0])
            packed[-1] += body[4:]
        at += 12 + length
    return Animated(kinds, promised, [zlib.decompress(one) for one in packed], delays, numbers)
