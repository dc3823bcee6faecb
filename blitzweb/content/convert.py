"""The way in: a body, and what the server said about it, to a document (WEB-07, CONTENT-01, CONTENT-12)."""

from __future__ import annotations

from blitzweb.content.charset import decode
from blitzweb.content.document import Document
from blitzweb.content.invisible import replace_unwritable, strip_invisible
from blitzweb.content.page import read_page
from blitzweb.content.sniff import Kind, classify
from blitzweb.content.tree import Parser


def convert(
    body: bytes,
    *,
    media_type: str | None,
    charset: str | None,
    url: str,
    format: str = "text",  # noqa: A002
    parser: Parser = "auto",
    truncated: bool = False,
) -> Document:
    """Return what a body says.

    `media_type` and `charset` are the header's, None where it has none (`sniff.split_content_type`). `truncated` says
    that the body was cut off. It is not linear for every HTML: `hazards` tells which needs a worker.

    Raises:
        UnusableContent: the type cannot be read, or the bytes are not what their type says.
    """
    kind, media_type = classify(body, media_type)
    is_markup = kind in {Kind.HTML, Kind.XML, Kind.FEED}
    text, encoding = decode(body, charset, markup=is_markup, truncated=truncated)
    if kind is Kind.HTML:
        return read_page(text, url=url, format=format, parser=parser, media_type=media_type, encoding=encoding)
    return _pass_through(text, media_type=media_type, encoding=encoding, truncated=truncated)


def _pass_through(text: str, *, media_type: str, encoding: str, truncated: bool) -> Document:
    seen, unseen = strip_invisible(text.replace("\r\n", "\n"))
    return Document(
        content=replace_unwritable(seen),
        format="text",
        media_type=media_type,
        encoding=encoding,
        hidden_dropped=unseen,
        truncated=truncated,
    )
