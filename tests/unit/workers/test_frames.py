"""Frames: whole ones pass, everything else is a BadFrame and never an endless read."""

from __future__ import annotations

import io
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.workers.frames import BadFrame, pack_frame, read_frame


@given(st.dictionaries(st.text(), st.integers() | st.text() | st.none()), st.binary(max_size=1000), st.integers(1, 7))
def test_what_was_packed_is_read_in_parts_of_any_size(head, body, part):
    stream = io.BytesIO(pack_frame(head, body))
    assert read_frame(lambda length: stream.read(min(length, part)), 1_000_000) == (head, body)


def test_the_end_of_the_stream_is_no_frame():
    assert read_frame(io.BytesIO().read, 100) is None


@pytest.mark.parametrize(
    "data",
    [
        b"\0",
        struct.pack(">IQ", 2, 0) + b"{",
        struct.pack(">IQ", 2, 5) + b"{}ab",
        struct.pack(">IQ", 2, 0) + b"[]",
        struct.pack(">IQ", 2, 0) + b"{,",
        struct.pack(">IQ", 2, 1 << 60) + b"{}",
        struct.pack(">IQ", 90_000, 0) + b"[" * 90_000,
    ],
)
def test_nonsense_is_refused(data):
    with pytest.raises(BadFrame):
        read_frame(io.BytesIO(data).read, 100_000)
