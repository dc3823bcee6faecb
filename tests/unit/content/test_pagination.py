"""Windows over long content: page n+1 starts exactly where page n ended, and no character is split."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from blitzweb.content.clip import clip_bytes, ellipsize
from blitzweb.content.pagination import window
from blitzweb.limits import MAX_CONTENT_BYTES
from tests.support.covers import covers


@covers("FETCH-14", "WEB-07")
@given(st.text(max_size=60), st.integers(1, 20), st.integers(4, 40))
def test_windows_side_by_side_make_the_text(text: str, max_chars: int, max_bytes: int) -> None:
    parts = []
    offset: int | None = 0
    while offset is not None:
        part = window(text, offset, max_chars, max_bytes)
        assert len(part.content) <= max_chars
        assert len(part.content.encode()) <= max_bytes
        assert (part.offset, part.total_chars) == (offset, len(text))
        parts.append(part.content)
        offset = part.next_offset
    assert "".join(parts) == text


@covers("WEB-07")
def test_a_window_has_at_most_100_kib() -> None:
    part = window("é" * MAX_CONTENT_BYTES)
    assert len(part.content.encode()) == MAX_CONTENT_BYTES
    assert part.next_offset == MAX_CONTENT_BYTES // 2


def test_behind_the_end_there_is_nothing() -> None:
    assert window("abc", 7) == ("", 3, None, 3)


@given(st.text(max_size=30), st.integers(1, 40))
def test_cuts(text: str, limit: int) -> None:
    assert text.startswith(clip_bytes(text, limit))
    assert len(clip_bytes(text, limit).encode()) <= limit
    assert len(ellipsize(text, limit)) <= limit
    assert ellipsize(text, len(text)) == text
