"""What all elements share while a page is read: the flow, the open lists and tables, and what an entry returns."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from blitzweb.content.blocks import Table
from blitzweb.content.flow import Flow
from blitzweb.content.targets import Targets
from blitzweb.content.tree import Node

Attributes = dict[str, str | None]
Leave = Callable[["Reader"], None]
Enter = Callable[["Reader", Node, Attributes], Leave | None]

DROPPED: Final = frozenset(
    {
        *("script", "style", "noscript", "svg", "template", "iframe", "object", "embed", "canvas", "audio", "video"),
        *("head", "noframes", "noembed", "datalist", "progress", "meter", "rp", "area", "param", "frameset"),
    }
)
_NUMBER = re.compile(r"\s*([+-]?\d{1,9})")


class Reader:
    """Reads the elements of one page into a flow."""

    def __init__(self, targets: Targets) -> None:
        self.flow = Flow()
        self.targets = targets
        self.tables: list[Table] = []
        self.counters: list[tuple[int, int] | None] = []  # next number and step of each open list; None: bullets
        self.links: list[tuple[Node, Attributes]] = []
        self.heading_link = ""  # of a link that holds a heading: the heading alone is linked


def SKIP(reader: Reader) -> None:  # noqa: N802  # a sentinel with the type of what it stands for
    """Stand for "nothing below is to be read"."""


def DROP(reader: Reader, node: Node, attributes: Attributes) -> Leave | None:  # noqa: N802, ARG001  # as above
    """Stand for an element that is not to be read."""
    return SKIP


def enter_line(reader: Reader, node: Node, attributes: Attributes) -> Leave | None:  # noqa: ARG001
    """Break the line before and after."""
    reader.flow.end_paragraph(spaced=False)
    return leave_line


def leave_line(reader: Reader) -> None:
    """End the line."""
    reader.flow.end_paragraph(spaced=False)


def integer(text: str | None, otherwise: int) -> int:
    """Return the number that a text starts with, as HTML reads numbers."""
    found = _NUMBER.match(text or "")
    return otherwise if found is None else int(found.group(1))
