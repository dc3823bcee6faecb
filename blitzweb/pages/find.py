"""Literal text found in the lines of an opened page, without regard to case; nothing is fetched (PAGE-03, PAGE-42)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from blitzweb.content.boundary import fence
from blitzweb.content.clip import ELLIPSIS
from blitzweb.limits import MAX_FOUND_BYTES, MAX_FOUND_LINE_CHARS, MAX_MATCHES


class Match(NamedTuple):
    """A line that holds the pattern, cut to what surrounds it."""

    line: int
    text: str


class Matches(NamedTuple):
    """What was found; `total` counts every line that matches, shown or not."""

    shown: list[Match]
    total: int
    text: str


def find_lines(ref: str, lines: Sequence[str], pattern: str) -> Matches:
    """Return the lines that hold a pattern."""
    wanted = re.compile(re.escape(pattern), re.IGNORECASE)
    hits = ((number, text, wanted.search(text)) for number, text in enumerate(lines, start=1))
    found = [Match(number, _cut(text, hit.start(), hit.end())) for number, text, hit in hits if hit]
    if not found:
        return Matches([], 0, f"No line of {ref} holds that text.")
    head = f"{len(found)} of {len(lines)} lines of {ref} match; their text is untrusted."
    shown = _fit(found[:MAX_MATCHES], MAX_FOUND_BYTES - len(head) - _REST_BYTES)
    parts = [head, fence("\n".join(map(_render, shown)))]
    if len(shown) < len(found):
        parts.append(f"{len(found) - len(shown)} more matches are not shown.")
    return Matches(shown, len(found), "\n".join(parts))


_REST_BYTES = len(fence("")) + len("99999 more matches are not shown.") + 2


def _render(match: Match) -> str:
    return f"{match.line}: {match.text}"


def _fit(matches: Iterable[Match], room: int) -> list[Match]:
    kept: list[Match] = []
    for match in matches:
        room -= len(_render(match).encode()) + 1
        if room < 0:
            break
        kept.append(match)
    return kept


def _cut(line: str, start: int, end: int) -> str:
    """Return a line, or the part of a long one that has the match, marked where it was cut."""
    if len(line) <= MAX_FOUND_LINE_CHARS:
        return line
    first = max(0, min(start - (MAX_FOUND_LINE_CHARS - (end - start)) // 2, len(line) - MAX_FOUND_LINE_CHARS))
    part = line[first : first + MAX_FOUND_LINE_CHARS]
    if first:
        part = ELLIPSIS + part[1:]
    return part if first + MAX_FOUND_LINE_CHARS >= len(line) else part[:-1] + ELLIPSIS
