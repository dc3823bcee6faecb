"""The arguments and the output of `web_fetch` (WEB-01…08, FETCH-13, FETCH-14)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from blitzweb.contract.shapes import Range
from blitzweb.limits import MAX_CONTENT_BYTES

Format = Literal["text", "markdown", "article", "links"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WebFetchArguments:
    """What to read, and how."""

    url: str
    format: Annotated[Format, "article: main content only"] = "text"
    offset: Annotated[int, Range(0), "in characters: next_offset of the reply before"] = 0
    max_chars: Annotated[int | None, Range(1, MAX_CONTENT_BYTES)] = None
    max_age_s: Annotated[int, Range(0), "a copy this old will do"] = 0
    pages: Annotated[str | None, "of a PDF, such as 1-3,7"] = None
    render: Annotated[bool, "run its JavaScript first, in the browser"] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WebFetchOutput:
    """What was read; members that do not apply are left out."""

    url: str | None = None
    final_url: str | None = None
    status: int | None = None
    content_type: str | None = None
    title: str | None = None
    format: str | None = None
    content: str | None = None
    truncated: bool | None = None
    offset: int | None = None
    next_offset: int | None = None
    total_chars: int | None = None
    hidden_dropped: int | None = None
    error: str | None = None
