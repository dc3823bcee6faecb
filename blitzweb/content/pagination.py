"""Long content in windows: where a window ends, the next one begins, and no character is split (FETCH-14, WEB-07)."""

from __future__ import annotations

from typing import NamedTuple

from blitzweb.content.clip import clip_bytes
from blitzweb.limits import MAX_CONTENT_BYTES


class Window(NamedTuple):
    """A part of a text; offsets count characters, and `next_offset` is None at the end."""

    content: str
    offset: int
    next_offset: int | None
    total_chars: int


def window(text: str, offset: int = 0, max_chars: int | None = None, max_bytes: int = MAX_CONTENT_BYTES) -> Window:
    """Return the part of a text that starts at `offset` and stays within both limits; behind the end it is empty."""
    start = min(max(offset, 0), len(text))
    # A character has a byte at least: no more than `max_bytes` of them can fit.
    wanted = max_bytes if max_chars is None else min(max_chars, max_bytes)
    content = clip_bytes(text[start : start + wanted], max_bytes)
    end = start + len(content)
    return Window(content, start, end if end < len(text) else None, len(text))
