"""One line for a message, for traces and for the texts of failed tests; values only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from blitzweb.wire.encoding import NotEncodable, encode

Direction = Literal["→", "←"]

_MAX_STRING_CHARS = 200  # enough to recognise a page by
_MAX_LINE_CHARS = 2_000  # a screen or two
_MAX_DEPTH = 8


def render(direction: Direction, message: Any, mask: Callable[[str], str] = str) -> str:
    """Return `→ message` as one line, with long strings cut and secrets masked.

    Every string is masked before it is cut (half a secret would not be recognised), and the line as a whole once more
    (what makes a value a secret may be its key).
    """
    try:
        text = encode(_clip(message, mask, _MAX_DEPTH)).decode()
    except NotEncodable as error:
        text = f"({error})"
    return _shorten(f"{direction} {mask(text)}", _MAX_LINE_CHARS)


def _clip(value: Any, mask: Callable[[str], str], depth: int) -> Any:
    if isinstance(value, str):
        return _shorten(mask(value), _MAX_STRING_CHARS)
    if not isinstance(value, (dict, list, tuple)):
        return value
    if depth == 0:
        return "…"
    if isinstance(value, dict):
        return {key: _clip(item, mask, depth - 1) for key, item in value.items()}
    return [_clip(item, mask, depth - 1) for item in value]


def _shorten(text: str, limit: int) -> str:
    """Cut a text to `limit` characters, the ellipsis and the count of what is missing not included."""
    return text if len(text) <= limit else f"{text[:limit]}…(+{len(text) - limit})"
