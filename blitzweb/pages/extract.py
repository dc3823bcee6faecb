"""What the page tools keep of a response: lines and links, bounded, with what did not fit counted (PAGE-36)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from blitzweb.content.charset import decode
from blitzweb.content.clip import ellipsize
from blitzweb.content.invisible import replace_unwritable, strip_invisible
from blitzweb.limits import (
    MAX_LABEL_CHARS,
    MAX_PAGE_LINE_CHARS,
    MAX_PAGE_LINES_BYTES,
    MAX_PAGE_LINKS,
    MAX_PAGE_LINKS_BYTES,
    MAX_TARGET_BYTES,
)
from blitzweb.pages.entries import Content, Link
from blitzweb.pages.failures import PageFailed, Trouble
from blitzweb.policy.urls import UrlRefused, parse_url

if TYPE_CHECKING:
    from blitzweb.content.outline import Outline


def bound_outline(outline: Outline) -> Content:
    """Return what is kept of a page of HTML.

    Raises:
        PageFailed: it has neither line nor link.
    """
    return _bound(outline.title, outline.text, _judge_links(outline.links))


def extract_plain(body: bytes, charset: str | None) -> Content:
    """Return what a page of plain text says.

    Raises:
        PageFailed: there is not one line.
    """
    text, _ = decode(body, charset, markup=False)
    return _bound("", text, ())


def _judge_links(links: Iterable[tuple[str, str]]) -> Iterator[Link]:
    """Give each link that may be gone to once, in the order of the page."""
    given: set[Link] = set()
    for label, absolute in links:
        target = _read_target(absolute)
        if not target:
            continue
        link = Link(ellipsize(label, MAX_LABEL_CHARS) or target, target)
        if link not in given:
            given.add(link)
            yield link


def _read_target(absolute: str) -> str:
    """Return a link's target without its fragment; empty for one that nobody may go to."""
    try:
        url = parse_url(absolute).without_fragment
    except UrlRefused:
        return ""
    return url if len(url) <= MAX_TARGET_BYTES else ""


def _bound(title: str, text: str, links: Iterable[Link]) -> Content:
    lines, lines_left_out = _fit_lines(_split(text))
    kept, links_left_out = _fit_links(links)
    if not lines and not kept:
        raise PageFailed(Trouble.UNPARSEABLE)
    return Content(title, tuple(lines), tuple(kept), lines_left_out, links_left_out)


def _split(text: str) -> Iterator[str]:
    """Give the lines that say something, none longer than the limit and none with a break inside."""
    seen = replace_unwritable(strip_invisible(text)[0])
    for whole in seen.splitlines():
        line = whole.rstrip()
        while len(line) > MAX_PAGE_LINE_CHARS:
            cut = line.rfind(" ", 1, MAX_PAGE_LINE_CHARS)
            cut = cut if cut > 0 else MAX_PAGE_LINE_CHARS
            yield line[:cut].rstrip()
            line = line[cut:].lstrip()
        if line.strip():
            yield line


def _fit_lines(lines: Iterable[str]) -> tuple[list[str], int]:
    """Return the first lines that fit, and how many did not."""
    kept: list[str] = []
    room, left_out = MAX_PAGE_LINES_BYTES, 0
    for line in lines:
        size = len(line.encode())
        if left_out or size > room:
            left_out += 1
        else:
            kept.append(line)
            room -= size
    return kept, left_out


def _fit_links(links: Iterable[Link]) -> tuple[list[Link], int]:
    """Return the links that fit, and how many did not; a long one does not keep short ones from coming in."""
    kept: list[Link] = []
    room, left_out = MAX_PAGE_LINKS_BYTES, 0
    for link in links:
        size = len(link.label.encode()) + len(link.url.encode())
        if size > room or len(kept) == MAX_PAGE_LINKS:
            left_out += 1
        else:
            kept.append(link)
            room -= size
    return kept, left_out
