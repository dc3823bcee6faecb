"""What came out of a body: a value that the tool pages, fences and describes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Format = Literal["text", "markdown", "article", "links"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """Readable content and what is known about it; what is not known is None.

    `format` is what `content` really is: it differs from what was asked for where the type has only one form.
    `truncated` says that not all of the body was read.
    """

    content: str
    format: Format
    media_type: str
    encoding: str | None = None
    title: str | None = None
    truncated: bool = False
    hidden_dropped: int = 0
    refresh: str | None = None
    needs_javascript: bool = False
    byline: str | None = None
    date: str | None = None
    language: str | None = None
    pages: int | None = None
    width: int | None = None
    height: int | None = None
