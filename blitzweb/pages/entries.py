"""What stands under a reference: a source (somewhere to go) or a page (what was there), as text alone (PAGE-36)."""

from __future__ import annotations

from typing import NamedTuple


class Link(NamedTuple):
    """One link of a page."""

    label: str
    url: str


class Source(NamedTuple):
    """A result of a search."""

    url: str
    title: str

    @property
    def weight(self) -> int:
        """The bytes of its text."""
        return _weigh(self.url, self.title)


class Content(NamedTuple):
    """What was made of one response; what did not fit is counted."""

    title: str
    lines: tuple[str, ...]
    links: tuple[Link, ...]
    lines_left_out: int = 0
    links_left_out: int = 0


class Page(NamedTuple):
    """An opened page; `source_ref` is the reference that it was opened from."""

    url: str
    content: Content
    source_ref: str

    @property
    def weight(self) -> int:
        """The bytes of its text."""
        linked = (text for link in self.content.links for text in link)
        return _weigh(self.url, self.content.title, self.source_ref, *self.content.lines, *linked)


Entry = Source | Page


def _weigh(*texts: str) -> int:
    return sum(len(text.encode()) for text in texts)
