"""The arguments and outputs of the digest tools (DIGEST-05…11, DIGEST-20)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from blitzweb.contract.shapes import Length, Range
from blitzweb.limits import DEFAULT_EXTRACT_CHARS, MAX_EXTRACT_CHARS, MAX_LISTED_ELEMENTS, MAX_PATTERN_CHARS


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserNavigateArguments:
    """Which page to load."""

    url: str
    wait_ms: Annotated[int, "settle up to 15000"] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserStateArguments:
    """How to look at the page again."""

    max_elements: Annotated[int | None, Range(1, MAX_LISTED_ELEMENTS)] = None
    scroll_pages: Annotated[float | None, "screens; negative is up"] = None
    scroll_to_index: int | None = None
    changes_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserClickArguments:
    """Which element to click."""

    index: int
    generation: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldValue:
    """One field and what it is to hold."""

    index: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserFillArguments:
    """Which field to fill, or several of them in `fields`."""

    generation: int
    index: int | None = None
    text: Annotated[str | None, "of an option: its label"] = None
    submit: Annotated[bool, "press Enter"] = False
    fields: Annotated[tuple[FieldValue, ...] | None, "several at once"] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserExtractArguments:
    """What of the page to read."""

    mode: Annotated[Literal["text", "links", "html"], "html needs selector"] = "text"
    selector: str | None = None
    max_chars: Annotated[int, Range(1, MAX_EXTRACT_CHARS)] = DEFAULT_EXTRACT_CHARS
    offset: Annotated[int, Range(0)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserScreenshotArguments:
    """What to picture, and what to call the file."""

    full_page: bool = False
    filename: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserFindArguments:
    """What to look for."""

    pattern: Annotated[str, Length(1, MAX_PATTERN_CHARS), "literal"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestElement:
    """One thing that a person could use."""

    index: int
    role: str
    name: str
    type: str | None = None
    href: str | None = None
    value: str | None = None
    checked: bool | None = None
    disabled: bool | None = None
    options: tuple[str, ...] | None = None
    protected: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestOutput:
    """The page in short."""

    url: str | None = None
    title: str | None = None
    generation: int | None = None
    elements: tuple[DigestElement, ...] | None = None
    shown: int | None = None
    total: int | None = None
    page_text: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserExtractOutput:
    """A part of the page's content."""

    url: str | None = None
    mode: str | None = None
    content: str | None = None
    offset: int | None = None
    next_offset: int | None = None
    total_chars: int | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserScreenshotOutput:
    """Where the picture is; never its bytes."""

    name: str | None = None
    path: str | None = None
    bytes: int | None = None
    mime_type: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TextMatch:
    """One place, and what can be used near it."""

    text: str
    indices: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserFindOutput:
    """Where the text stands in the page."""

    pattern: str | None = None
    generation: int | None = None
    matches: tuple[TextMatch, ...] | None = None
    total: int | None = None
    error: str | None = None
