"""The image store, and the sizes of pictures."""

from __future__ import annotations

import os
import struct
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.errors import ToolFailure
from blitzweb.pictures.measure import UNKNOWN, image_size
from blitzweb.pictures.store import ImageStore
from tests.support.covers import covers

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 30, 20) + b"\x08\x06\0\0\0"
JPEG = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08" + struct.pack(">HH", 20, 30) + b"\x03"
WEBP = {
    "lossy": b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a" + struct.pack("<HH", 30, 20),
    "lossless": b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f" + struct.pack("<I", 29 | 19 << 14),
    "extended": b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0" + (29).to_bytes(3, "little") + (19).to_bytes(3, "little"),
}


@covers("WEB-36")
@pytest.mark.parametrize("data", [PNG, JPEG, *WEBP.values()])
def test_sizes(data):
    assert image_size(data) == (30, 20)


@given(st.binary(max_size=60), st.sampled_from([b"", PNG[:16], JPEG[:6], WEBP["lossy"][:16], WEBP["extended"][:16]]))
def test_any_bytes_have_a_size_or_none(data, begin):
    size = image_size(begin + data)
    assert size == UNKNOWN or size.width >= 0


@covers("WEB-36")
def test_a_picture_is_kept_once_for_the_owner(tmp_path):
    store = ImageStore(str(tmp_path / "images"), retain_days=30, enabled=True)
    first = store.save(PNG, "image/png")
    assert store.save(PNG, "image/png") == first
    assert [path.name for path in (tmp_path / "images").iterdir()] == [os.path.basename(first.path)]
    assert first.uri == f"blitzweb-image:{os.path.basename(first.path)[:64]}"
    assert (first.width, first.height, first.bytes) == (30, 20, len(PNG))
    assert os.stat(first.path).st_mode & 0o777 == 0o600
    assert (tmp_path / "images").stat().st_mode & 0o777 == 0o700


@covers("WEB-36")
def test_old_pictures_are_swept_and_used_ones_are_not_old(tmp_path):
    store = ImageStore(str(tmp_path), retain_days=30, enabled=True)
    old, used = store.save(PNG, "image/png"), store.save(JPEG, "image/jpeg")
    long_ago = time.time() - 31 * 86_400
    for image in (old, used):
        os.utime(image.path, (long_ago, long_ago))
    store.save(JPEG, "image/jpeg")
    store.sweep()
    assert (os.path.exists(old.path), os.path.exists(used.path)) == (False, True)


@covers("WEB-36")
def test_what_cannot_be_kept_is_said(tmp_path):
    with pytest.raises(ToolFailure, match=r"images\.enabled"):
        ImageStore(str(tmp_path), retain_days=30, enabled=False).save(PNG, "image/png")
    (tmp_path / "file").write_text("")
    with pytest.raises(ToolFailure, match="could not be saved"):
        ImageStore(str(tmp_path / "file" / "images"), retain_days=30, enabled=True).save(PNG, "image/png")
