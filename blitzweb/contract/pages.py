"""The arguments and outputs of `web_open`, `web_find`, `web_click` (PAGE-02…04, PAGE-06)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from blitzweb.contract.shapes import Length, Range
from blitzweb.limits import MAX_PATTERN_CHARS


@dataclass(frozen=True, slots=True, kw_only=True)
class WebOpenArguments:
    """Which reference to open, and where to start."""

    ref_id: Annotated[str, "such as web-3"]
    line: Annotated[int, Range(1), "first line to show"] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class WebFindArguments:
    """What to look for in an opened page."""

    ref_id: Annotated[str, "of an opened page"]
    pattern: Annotated[str, Length(1, MAX_PATTERN_CHARS), "literal text, case ignored"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WebClickArguments:
    """Which link of an opened page to open."""

    ref_id: Annotated[str, "of an opened page"]
    id: Annotated[int, "number of the link"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLine:
    """One line of a page."""

    number: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLink:
    """One link of a page."""

    id: int
    label: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WebPageOutput:
    """A window of an opened page."""

    ref_id: str | None = None
    source_ref: str | None = None
    url: str | None = None
    title: str | None = None
    lines: tuple[PageLine, ...] | None = None
    total_lines: int | None = None
    links: tuple[PageLink, ...] | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LineMatch:
    """One line that holds the pattern."""

    line: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WebFindOutput:
    """Where the pattern stands."""

    ref_id: str | None = None
    pattern: str | None = None
    matches: tuple[LineMatch, ...] | None = None
    total: int | None = None
    error: str | None = None
