"""An HTML page to a document: parsed, read into blocks, rendered in the format that was asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from blitzweb.content.article import find_article
from blitzweb.content.blocks import Block
from blitzweb.content.build import build
from blitzweb.content.bylines import read_byline
from blitzweb.content.document import Document, Format
from blitzweb.content.head import Head, read_head, refresh_target
from blitzweb.content.hiding import STREAMING
from blitzweb.content.invisible import replace_unwritable
from blitzweb.content.links import render_links
from blitzweb.content.markdown import render_markdown
from blitzweb.content.scripted import needs_javascript
from blitzweb.content.targets import Targets
from blitzweb.content.text import render_text
from blitzweb.content.tree import Node, Parser, parse_bounded

_RENDERERS: Final[dict[Format, Callable[[Iterable[Block]], str]]] = {
    "text": render_text,
    "markdown": render_markdown,
    "article": render_markdown,
    "links": render_links,
}


def render(blocks: Iterable[Block], format: Format) -> str:  # noqa: A002
    """Return blocks in a format."""
    return _RENDERERS[format](blocks)


def read_page(html: str, *, url: str, format: Format, parser: Parser) -> Document:  # noqa: A002
    """Return the document of a page."""
    root = parse_bounded(html, parser)
    head = read_head(root)
    targets = Targets(url, head.base)
    found = find_article(root, head.title) if format == "article" else None
    main, pruned = (found.root, found.pruned) if found else (root, frozenset[int]())
    built = build(main, targets, streams=lambda: STREAMING in html, pruned=pruned)
    content = replace_unwritable(render(built.blocks, format))
    document = Document(
        content=content,
        format=format,
        media_type="text/html",
        title=head.title or None,
        truncated=built.cut,
        hidden_dropped=built.hidden,
        refresh=refresh_target(head.refresh, targets) if head.refresh else None,
        needs_javascript=needs_javascript(html, content),
        language=head.language or None,
    )
    return _signed(document, root, head) if format == "article" else document


def _signed(document: Document, root: Node, head: Head) -> Document:
    """Return the document of an article with what is known about it."""
    author, date, language, headline = read_byline(root, head)
    return replace(document, title=headline, byline=author, date=date, language=language)
