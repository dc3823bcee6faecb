"""The way in: a body, and what the server said about it, to a document (WEB-07, CONTENT-01, CONTENT-09, CONTENT-12)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from blitzweb.content.charset import decode
from blitzweb.content.document import Document, Format
from blitzweb.content.feed_page import feed_blocks, one_line
from blitzweb.content.feeds import NoFeed, parse_feed
from blitzweb.content.hazards import ANYWHERE, IN_WORKER, find_hazard
from blitzweb.content.head import clean_line
from blitzweb.content.images import image_size
from blitzweb.content.invisible import replace_unwritable, strip_invisible
from blitzweb.content.json_text import pretty
from blitzweb.content.page import read_page, render
from blitzweb.content.pdf import read_pdf
from blitzweb.content.sniff import Kind, classify
from blitzweb.content.targets import Targets
from blitzweb.content.tree import Parser, is_fast
from blitzweb.limits import MAX_CONTENT_BYTES, MAX_UNBOUNDED_BYTES


class NeedsBounds(Exception):
    """Raised for a body that is only read with limits on memory and time; after some, a process is not used again."""

    def __init__(self, *, reusable: bool) -> None:
        super().__init__("the body is to be read in a worker")
        self.reusable = reusable


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A body, and how it is to be read."""

    body: bytes
    media_type: str
    charset: str | None
    url: str
    format: Format
    parser: Parser
    truncated: bool
    pages: str | None
    bounded: bool


def convert(
    body: bytes,
    *,
    media_type: str | None,
    charset: str | None,
    url: str,
    format: Format = "text",  # noqa: A002
    parser: Parser = "auto",
    truncated: bool = False,
    pages: str | None = None,
    bounded: bool = False,
) -> Document:
    """Return what a body says.

    `media_type` and `charset` are the header's, None where it has none (`sniff.split_content_type`); `truncated` says
    that the body was cut off; `pages` chooses pages of a PDF. `bounded` says that the caller has limits on memory and
    time, as `workers.conversion` has: only then bodies are read that are large, or that no parser is safe with.

    Raises:
        NeedsBounds: the body is one to be read in a worker.
        UnusableContent: the type cannot be read, or the bytes are not what their type says.
        InvalidArguments: `pages` is no list of pages.
    """
    kind, media_type = classify(body, media_type)
    source = Source(
        body=body,
        media_type=media_type,
        charset=charset,
        url=url,
        format=format,
        parser=parser,
        truncated=truncated,
        pages=pages,
        bounded=bounded,
    )
    if not bounded and (kind is Kind.PDF or (len(body) > MAX_UNBOUNDED_BYTES and kind is not Kind.IMAGE)):
        raise NeedsBounds(reusable=kind is not Kind.PDF)
    document = _READERS[kind](source)
    return replace(document, truncated=True) if truncated and not document.truncated else document


def _read_html(source: Source) -> Document:
    html, encoding = decode(source.body, source.charset, truncated=source.truncated)
    hazard = find_hazard(html, IN_WORKER if source.bounded else ANYWHERE)
    if not source.bounded and (hazard is not None or not is_fast(source.parser)):
        raise NeedsBounds(reusable=True)
    document = read_page(html[:hazard], url=source.url, format=source.format, parser=source.parser)
    return replace(
        document,
        media_type=source.media_type,
        encoding=encoding,
        truncated=document.truncated or hazard is not None,
    )


def _read_text(source: Source) -> Document:
    text, encoding = decode(source.body, source.charset, markup=False, truncated=source.truncated)
    return _passed(source, text, encoding)


def _read_xml(source: Source) -> Document:
    text, encoding = decode(source.body, source.charset, truncated=source.truncated)
    return _passed(source, text, encoding)


def _read_markdown(source: Source) -> Document:
    return replace(_read_text(source), format="markdown")


def _read_json(source: Source) -> Document:
    text, encoding = decode(source.body, source.charset or "utf-8", markup=False, truncated=source.truncated)
    return _passed(source, pretty(text, MAX_CONTENT_BYTES) or text, encoding)


def _read_feed(source: Source) -> Document:
    text, encoding = decode(source.body, source.charset, truncated=source.truncated)
    try:
        feed = parse_feed(text)
    except NoFeed:
        return _passed(source, text, encoding)
    targets = Targets(source.url, feed.about.get("link"))
    seen, unseen = strip_invisible(render(feed_blocks(feed, targets), source.format))
    return Document(
        content=replace_unwritable(seen),
        format=source.format,
        media_type=source.media_type,
        encoding=encoding,
        title=clean_line(one_line(feed.about.get("title"))) or None,
        hidden_dropped=unseen,
    )


def _read_image(source: Source) -> Document:
    width, height = image_size(source.body, source.media_type)
    content = f"{source.media_type} image, {width} × {height} pixels, {len(source.body)} bytes"
    return Document(content=content, format="text", media_type=source.media_type, width=width, height=height)


def _read_pdf(source: Source) -> Document:
    return read_pdf(source.body, pages=source.pages, truncated=source.truncated)


_READERS: Final[dict[Kind, Callable[[Source], Document]]] = {
    Kind.HTML: _read_html,
    Kind.XML: _read_xml,
    Kind.FEED: _read_feed,
    Kind.JSON: _read_json,
    Kind.MARKDOWN: _read_markdown,
    Kind.TEXT: _read_text,
    Kind.PDF: _read_pdf,
    Kind.IMAGE: _read_image,
}


def _passed(source: Source, text: str, encoding: str) -> Document:
    """Return text as it is, without what nobody sees."""
    seen, unseen = strip_invisible(text.replace("\r\n", "\n"))
    return Document(
        content=replace_unwritable(seen),
        format="text",
        media_type=source.media_type,
        encoding=encoding,
        hidden_dropped=unseen,
    )
