"""Blocks put one under the other: line breaks or blank lines between them, prefixes of lists and quotes before them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

_BLANK_LINE = re.compile(r"^[ >]+$", re.MULTILINE)
_BLANKS = re.compile(r"  +")
_BLANKS_AT_BREAKS = re.compile(r" *\n[ \n]*")


class Lines:
    """Text that grows by blocks. At most one blank line stands between two."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._prefix = ""
        self._last_prefix = ""
        self._marker: str | None = None
        self._spaced = False

    def put(self, text: str, *, spaced: bool, verbatim: bool = False) -> None:
        """Add a block. Each of its lines gets the prefixes that are open, unless it is `verbatim`."""
        prefix = self._prefix
        first = prefix if self._marker is None else self._marker
        if self._parts:
            self._parts.append(self._gap(prefix) if spaced or self._spaced else "\n")
        if verbatim:
            self._parts.append(f"{first.rstrip()}\n{text}" if self._marker is not None else text)
        elif "\n" in text:
            rest = text.replace("\n", "\n" + prefix)
            self._parts.append(first + (_BLANK_LINE.sub(_bare, rest) if prefix else rest))
        else:
            self._parts.append(first + text)
        self._marker = None
        self._last_prefix = prefix
        self._spaced = spaced

    @contextmanager
    def within(self, prefix: str, marker: str | None = None) -> Iterator[None]:
        """Put blocks behind a further prefix; the first line of them behind `marker` instead."""
        before = self._prefix
        if marker is not None:
            self._marker = (before if self._marker is None else self._marker) + marker
        elif self._marker is not None:
            self._marker += prefix
        self._prefix = before + prefix
        try:
            yield
        finally:
            self._prefix = before
            self._marker = None

    def loosen(self) -> None:
        """Have a blank line before the next block."""
        self._spaced = True

    def _gap(self, prefix: str) -> str:
        """Return a blank line, with the prefixes that the blocks on both sides share."""
        if not (prefix and self._last_prefix):
            return "\n\n"
        shared = "".join(one for one, other in zip(prefix, self._last_prefix, strict=False) if one == other)
        return f"\n{shared.rstrip()}\n"

    def text(self) -> str:
        """Return all of it."""
        return "".join(self._parts)


def _bare(found: re.Match[str]) -> str:
    return found.group().rstrip()


def tidy(text: str) -> str:
    """Return running text with single blanks and no blanks at line breaks and ends."""
    if "  " in text:
        text = _BLANKS.sub(" ", text)
    if "\n" in text:
        text = _BLANKS_AT_BREAKS.sub("\n", text)
    return text.strip()
