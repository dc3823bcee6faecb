"""Images say their type and size; damaged ones say so."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.content.convert import convert
from blitzweb.content.images import image_size
from blitzweb.errors import UnusableContent
from tests.support.content import URL
from tests.support.covers import covers

IMAGES = {
    "image/png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 640, 480),
    "image/gif": b"GIF89a" + struct.pack("<HH", 640, 480),
    "image/bmp": b"BM\0\0\0\0\0\0\0\0" + bytes(8) + struct.pack("<ii", 640, -480),
    "image/jpeg": b"\xff\xd8\xff\xe0\0\4ab\xff\xff\xc2\0\x11\x08" + struct.pack(">HH", 480, 640) + bytes(9),
    "image/webp": b"RIFF\0\0\0\0WEBPVP8X" + bytes(8) + (639).to_bytes(3, "little") + (479).to_bytes(3, "little"),
    "image/avif": b"\0\0\0\x1cftypavif" + bytes(8) + b"ispe\0\0\0\0" + struct.pack(">II", 640, 480),
}


@covers("CONTENT-09")
@pytest.mark.parametrize("media_type", IMAGES)
def test_sizes(media_type: str) -> None:
    document = convert(IMAGES[media_type], media_type=None, charset=None, url=URL)
    assert (document.media_type, document.width, document.height) == (media_type, 640, 480)
    assert document.content == f"{media_type} image, 640 × 480 pixels, {len(IMAGES[media_type])} bytes"


def test_other_kinds_of_webp_and_icons() -> None:
    lossless = b"RIFF\0\0\0\0WEBPVP8L" + bytes(5) + struct.pack("<I", 639 | 479 << 14)
    lossy = b"RIFF\0\0\0\0WEBPVP8 " + bytes(10) + struct.pack("<HH", 640, 480)
    assert image_size(lossless, "image/webp") == image_size(lossy, "image/webp") == (640, 480)
    assert image_size(b"\0\0\1\0\1\0\x10\0", "image/x-icon") == (16, 256)


@pytest.mark.parametrize(
    "body", [b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF89a", b"RIFF\0\0\0\0WEBPxxxx", b"\xff\xd8\xff\xe0\xff"]
)
def test_damaged_images_say_so(body: bytes) -> None:
    with pytest.raises(UnusableContent, match="size cannot be read"):
        convert(body, media_type="image/png", charset=None, url=URL)


@given(st.sampled_from(sorted(IMAGES)), st.binary(max_size=60))
def test_no_bytes_raise_anything_else(media_type: str, tail: bytes) -> None:
    try:
        image_size(IMAGES[media_type][:14] + tail, media_type)
    except UnusableContent:
        return
