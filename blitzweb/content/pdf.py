"""A PDF to text, page by page, by pdfium (CONTENT-08).

pdfium is C++ that reads what strangers wrote: this runs in a worker only. Pages without text are said to be pictures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from blitzweb.content.document import Document
from blitzweb.content.head import clean_line
from blitzweb.content.invisible import replace_unwritable, strip_invisible
from blitzweb.errors import InvalidArguments, UnusableContent
from blitzweb.limits import MAX_PDF_CHARS

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

_RANGE = re.compile(r"\s*(\d{1,6})\s*(?:-\s*(\d{0,6})\s*)?")
_BROKEN_WORD = re.compile("[\x02\ufffe]\r?\n")  # pdfium's sign for a hyphen at the end of a line
_BREAKS = re.compile(r"\r\n?")
_TRAILING = re.compile(r"[ \t]+$", re.MULTILINE)
_MANY_BREAKS = re.compile(r"\n{3,}")


def read_pdf(body: bytes, *, pages: str | None = None, truncated: bool = False) -> Document:
    """Return the text of a PDF, or of the pages that were asked for.

    Raises:
        UnusableContent: it is damaged, cut off, or needs a password.
        InvalidArguments: `pages` is no list of pages of this document.
    """
    pdf = _open(body, truncated=truncated)
    try:
        total = len(pdf)
        chosen = choose_pages(pages, total)
        content, unseen, cut = _collect(pdf, chosen, total)
        return Document(
            content=content,
            format="text",
            media_type="application/pdf",
            title=clean_line(pdf.get_metadata_value("Title")) or None,
            pages=total,
            hidden_dropped=unseen,
            truncated=cut,
        )
    finally:
        pdf.close()


def choose_pages(text: str | None, total: int) -> list[int]:
    """Return the page numbers that a text such as `1-3,7` or `5-` names, in its order, each once.

    Raises:
        InvalidArguments: it names none, or one that the document does not have.
    """
    if text is None:
        return list(range(1, total + 1))
    chosen: dict[int, None] = {}
    for part in text.split(","):
        found = _RANGE.fullmatch(part)
        first = int(found.group(1)) if found else 0
        last = first if found is None or found.group(2) is None else int(found.group(2) or total)
        if not 1 <= first <= last <= total:
            raise InvalidArguments(
                f'pages: "{part.strip()[:20]}" is no page of this document, which has {total}; give pages as in 1-3,7'
            )
        chosen.update(dict.fromkeys(range(first, last + 1)))
    return list(chosen)


def _open(body: bytes, *, truncated: bool) -> PdfDocument:
    import pypdfium2

    start = body.find(b"%PDF-")
    try:
        return pypdfium2.PdfDocument(body[start:])
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise UnusableContent("the PDF is protected by a password, and cannot be read without it") from None
        if truncated:
            raise UnusableContent(
                f"the PDF was cut off after {len(body)} bytes, and cannot be read",
                advice="raise [web] max_bytes",
            ) from None
        raise UnusableContent("the PDF is damaged and cannot be read") from None


def _collect(pdf: PdfDocument, chosen: list[int], total: int) -> tuple[str, int, bool]:
    """Return the text of the pages, how many of its characters nobody sees, and whether there was too much of it."""
    parts: list[str] = []
    length = unseen = 0
    silent = 0
    for number, text in _texts(pdf, chosen):
        seen, dropped = strip_invisible(text)
        silent += not seen
        unseen += dropped
        parts.append(f"--- page {number} of {total} ---\n{replace_unwritable(seen) or '(no text: a picture or empty)'}")
        length += len(seen)
        if length > MAX_PDF_CHARS:
            return "\n\n".join(parts), unseen, True
    if silent == len(chosen):
        parts.append("(the document holds pictures of text, or none: there is no text to read)")
    return "\n\n".join(parts), unseen, False


def _texts(pdf: PdfDocument, chosen: list[int]) -> Iterator[tuple[int, str]]:
    import pypdfium2

    for number in chosen:
        try:
            yield number, _page_text(pdf[number - 1])
        except pypdfium2.PdfiumError:
            yield number, "(damaged)"


def _page_text(page: Any) -> str:
    text_page = page.get_textpage()
    try:
        text = text_page.get_text_bounded()
    finally:
        text_page.close()
        page.close()
    text = _BREAKS.sub("\n", _BROKEN_WORD.sub("", text))
    return _MANY_BREAKS.sub("\n\n", _TRAILING.sub("", text)).strip()
