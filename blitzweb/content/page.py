"""An HTML page to a document: parsed, read into blocks, rendered in the format that was asked for."""

from __future__ import annotations

from blitzweb.content.blocks import Block
from blitzweb.content.build import build
from blitzweb.content.document import Document
from blitzweb.content.head import read_head, refresh_target
from blitzweb.content.hiding import STREAMING
from blitzweb.content.invisible import replace_unwritable
from blitzweb.content.markdown import render_markdown
from blitzweb.content.scripted import needs_javascript
from blitzweb.content.targets import Targets
from blitzweb.content.text import render_text
from blitzweb.content.tree import Parser, parse

Format = str


def read_page(html: str, *, url: str, format: Format, parser: Parser, media_type: str, encoding: str) -> Document:  # noqa: A002
    """Return the document of a page."""
    root = parse(html, parser)
    head = read_head(root)
    targets = Targets(url, head.base)
    built = build(root, targets, streaming=STREAMING in html)
    content = replace_unwritable(_render(built.blocks, format))
    return Document(
        content=content,
        format=format,
        media_type=media_type,
        encoding=encoding,
        title=head.title or None,
        truncated=built.cut,
        hidden_dropped=built.hidden,
        refresh=refresh_target(head.refresh, targets) if head.refresh else None,
        needs_javascript=needs_javascript(html, content),
        language=head.language or None,
    )


def _render(blocks: list[Block], format: Format) -> str:  # noqa: A002
    return render_markdown(blocks) if format == "markdown" else render_text(blocks)
