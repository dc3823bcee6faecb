"""What a body is: by its own first bytes where the header is missing or lies, else by the header (CONTENT-12, WEB-07).

Magic numbers beat every header. A header that names a text type is believed, except that text with binary bytes in it
is no text, and that JSON or a feed stays one when it is served as HTML.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from blitzweb.content.prescan import charset_in
from blitzweb.errors import UnusableContent
from blitzweb.limits import MAX_QUOTED_CHARS, SNIFF_BYTES


class Kind(StrEnum):
    """What can be made of a body; `TEXT` passes through as it is."""

    HTML = "html"
    XML = "xml"
    FEED = "feed"
    JSON = "json"
    MARKDOWN = "markdown"
    TEXT = "text"
    PDF = "pdf"
    IMAGE = "image"


_BLANKS: Final = b" \t\r\n\f"
_MARKS: Final = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_IMAGES: Final = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
    (b"\x00\x00\x01\x00", "image/x-icon"),
)
_BITMAP_HEADER = re.compile(rb"BM.{4}\0\0\0\0", re.DOTALL)
_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_HTML = re.compile(
    rb"<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|meta|link)(?=[\s>/])|<!--",
    re.IGNORECASE,
)
_PROLOGUE = re.compile(rb"(?:\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*>)*", re.DOTALL)
_FEED = re.compile(rb"<(?:rss|feed|rdf:RDF)(?=[\s>])")
_JSON = re.compile(rb'\{\s*(?:"|\})|\[\s*(?:["\[\]{}\d-]|true|false|null)')

_HTML_TYPES: Final = frozenset({"text/html", "application/xhtml+xml"})
_UNKNOWN_TYPES: Final = frozenset(
    {"", "application/octet-stream", "binary/octet-stream", "application/unknown", "unknown/unknown", "*/*"}
)
_TEXT_TYPES: Final = frozenset(
    {
        *("application/javascript", "application/x-javascript", "application/ecmascript", "application/typescript"),
        *("application/yaml", "application/x-yaml", "application/toml", "application/sql", "application/graphql"),
        *("application/x-sh", "application/x-ndjson", "application/jsonl", "application/x-httpd-php"),
    }
)
_MARKDOWN_TYPES: Final = frozenset({"text/markdown", "text/x-markdown", "application/markdown"})
_FEED_TYPES: Final = frozenset({"application/rss+xml", "application/atom+xml", "application/rdf+xml"})


def split_content_type(header: str | None) -> tuple[str | None, str | None]:
    """Return media type and charset of a Content-Type header; None for what it does not have."""
    if not header:
        return None, None
    media_type = header.partition(";")[0].strip().lower()
    return (media_type if "/" in media_type else None), charset_in(header.partition(";")[2])


def classify(body: bytes, media_type: str | None) -> tuple[Kind, str]:
    """Return what a body is, and its media type: the header's, or what was found where that is missing or wrong.

    Raises:
        UnusableContent: nothing readable can be made of this type; the message names it.
    """
    declared = (media_type or "").strip().lower()
    head = body[:SNIFF_BYTES]
    found = _by_magic(head) or _by_header(declared, body) or _by_looks(head, declared)
    if found is None:
        raise UnusableContent(
            f'unsupported content type "{(declared or "application/octet-stream")[:MAX_QUOTED_CHARS]}"',
            advice="HTML, text, JSON, XML, feeds, PDF and images can be read",
        )
    return found


def _by_magic(head: bytes) -> tuple[Kind, str] | None:
    """Return what the first bytes prove."""
    if head.lstrip(_BLANKS).startswith(b"%PDF-"):
        return Kind.PDF, "application/pdf"
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return Kind.IMAGE, "image/webp"
    if head[4:8] == b"ftyp" and head[8:12] in {b"avif", b"avis"}:
        return Kind.IMAGE, "image/avif"
    if head.startswith(b"BM") and not _BITMAP_HEADER.match(head):
        return None
    return next(((Kind.IMAGE, name) for magic, name in _IMAGES if head.startswith(magic)), None)


def _by_header(declared: str, body: bytes) -> tuple[Kind, str] | None:
    """Return what a header that can be believed says."""
    if declared in _HTML_TYPES:
        return _despite_html(body) or (Kind.HTML, declared)
    if declared in _MARKDOWN_TYPES:
        return Kind.MARKDOWN, declared
    if declared.endswith(("+xml", "/xml")):
        is_feed = declared in _FEED_TYPES or _FEED.match(body, _after_prologue(body))
        return (Kind.FEED if is_feed else Kind.XML), declared
    if declared.endswith(("+json", "/json")):
        return Kind.JSON, declared
    if (declared.startswith("text/") or declared in _TEXT_TYPES) and not _is_binary(body[:SNIFF_BYTES]):
        return Kind.TEXT, declared
    return None


def _despite_html(body: bytes) -> tuple[Kind, str] | None:
    """Return what a body is that is served as HTML and is none."""
    if _JSON.match(body.lstrip(_BLANKS)[:SNIFF_BYTES]) and body.rstrip(_BLANKS).endswith((b"}", b"]")):
        return Kind.JSON, "application/json"
    if _FEED.match(body, _after_prologue(body)):
        return Kind.FEED, "application/xml"
    return None


def _by_looks(head: bytes, declared: str) -> tuple[Kind, str] | None:
    """Return what a body looks like whose header says nothing, or says an image that it is not."""
    if declared not in _UNKNOWN_TYPES and not declared.startswith("image/"):
        return None
    start = head.lstrip(_BLANKS)
    if _HTML.match(start):
        return Kind.HTML, "text/html"
    if _FEED.match(head, _after_prologue(head)):
        return Kind.FEED, "application/xml"
    if start.startswith(b"<?xml"):
        return Kind.XML, "application/xml"
    if _is_binary(head):
        return None
    return (Kind.JSON, "application/json") if _JSON.match(start) else (Kind.TEXT, "text/plain")


def _is_binary(head: bytes) -> bool:
    """Tell whether bytes are no text in any encoding; UTF-16 is full of NUL, and has a mark."""
    return not head.startswith(_MARKS) and _BINARY.search(head) is not None


def _after_prologue(body: bytes) -> int:
    """Return where the root element of a document starts."""
    found = _PROLOGUE.match(body[:SNIFF_BYTES])
    return 0 if found is None else found.end()
