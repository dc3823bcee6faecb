"""The arguments and the output of `web_search` (WEB-12…14, SEARCH-01)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from blitzweb.contract.shapes import Range
from blitzweb.limits import MAX_SEARCH_RESULTS


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSearchArguments:
    """What to look for."""

    query: str
    max_results: Annotated[int | None, Range(1, MAX_SEARCH_RESULTS)] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """One result."""

    title: str
    url: str
    snippet: str
    ref: Annotated[str | None, "for web_open"] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSearchOutput:
    """What was found."""

    query: str | None = None
    provider: str | None = None
    results: tuple[SearchHit, ...] | None = None
    answer: str | None = None
    error: str | None = None
