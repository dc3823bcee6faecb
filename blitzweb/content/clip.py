"""Cuts that split no character, and whose `…` counts inside the limit (WEB-07)."""

from __future__ import annotations

from typing import Final

ELLIPSIS: Final = "…"


def clip_bytes(text: str, max_bytes: int) -> str:
    """Return the longest beginning of a text that has at most `max_bytes` in UTF-8."""
    if len(text) * 4 <= max_bytes or len(data := text.encode("utf-8", "replace")) <= max_bytes:
        return text
    return data[:max_bytes].decode("utf-8", "ignore")


def ellipsize(text: str, max_chars: int) -> str:
    """Return a text of at most `max_chars` characters, marked where it was cut."""
    return text if len(text) <= max_chars else text[: max_chars - 1].rstrip() + ELLIPSIS
