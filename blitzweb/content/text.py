"""Blocks as plain text, by the fixed rules of WEB-07: `#` before headings, `- ` before items, ` (url)` after links."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from blitzweb.content.blocks import (
    Block,
    Cell,
    Code,
    Definition,
    Gap,
    Heading,
    Item,
    Listing,
    Paragraph,
    Pieces,
    Quote,
    Span,
    Table,
)
from blitzweb.content.lines import Lines, tidy
from blitzweb.content.targets import is_web

_RAISED = re.compile(r"[+-]?\d{1,3}|[a-z]")
_CELLS: Final = " | "


def render_text(blocks: Iterable[Block]) -> str:
    """Return blocks as plain text."""
    lines = Lines()
    _put_all(blocks, lines, spaced=True)
    return lines.text()


def running_text(pieces: Pieces) -> str:
    """Return running text on as many lines as it breaks into."""
    return tidy(_flatten(pieces))


def plain_text(pieces: Pieces) -> str:
    """Return running text on one line, without the addresses of its links."""
    return " ".join("".join(_letters(pieces)).split())


def _letters(pieces: Pieces) -> Iterator[str]:
    for piece in pieces:
        if isinstance(piece, str):
            yield piece
        else:
            yield from _letters(piece.pieces)


def _put_all(blocks: Iterable[Block], lines: Lines, *, spaced: bool) -> None:
    """Put blocks; lists that are not `spaced`, being inside items, stand close to what is before them."""
    for block in blocks:
        if isinstance(block, Listing):
            _put_list(block, lines, spaced=spaced)
        else:
            _PUT[type(block)](block, lines)


def _put_paragraph(block: Paragraph, lines: Lines) -> None:
    if text := running_text(block.pieces):
        lines.put(text, spaced=block.spaced)


def _put_heading(block: Heading, lines: Lines) -> None:
    if text := running_text(block.pieces).replace("\n", " "):
        lines.put(f"{'#' * block.level} {text}", spaced=True)


def _put_code(block: Code, lines: Lines) -> None:
    lines.put(block.text, spaced=True, verbatim=True)


def _put_table(block: Table, lines: Lines) -> None:
    rows = [_row_text(row.cells) for row in block.rows]
    if rows := [row for row in rows if row.strip(_CELLS)]:
        lines.put("\n".join(rows), spaced=True)


def _put_inner(block: Quote | Definition, lines: Lines) -> None:
    _put_all(block.blocks, lines, spaced=True)


def _put_gap(block: Gap, lines: Lines) -> None:  # noqa: ARG001  # a rule is not drawn
    lines.loosen()


def _put_list(listing: Listing, lines: Lines, *, spaced: bool) -> None:
    if spaced:
        lines.loosen()
    for item in listing.items:
        if isinstance(item, Item):
            _put_item(item, lines)
        else:
            with lines.within("  "):
                _put_all([item], lines, spaced=False)
    if spaced:
        lines.loosen()


def _put_item(item: Item, lines: Lines) -> None:
    marker = "- " if item.number is None else f"{item.number}. "
    tick = "" if item.done is None else "[x] " if item.done else "[ ] "
    with lines.within(" " * len(marker), marker + tick):
        _put_all(item.blocks, lines, spaced=False)


def _row_text(cells: list[Cell]) -> str:
    return tidy(_CELLS.join(cell_text(cell.blocks) for cell in cells))


def cell_text(blocks: list[Block]) -> str:
    """Return all that a cell holds on one line."""
    lines = Lines()
    _put_all(blocks, lines, spaced=False)
    return " ".join(lines.text().split())


_PUT: Final[dict[type[Block], Callable[[Any, Lines], None]]] = {
    Paragraph: _put_paragraph,
    Heading: _put_heading,
    Code: _put_code,
    Item: _put_item,
    Table: _put_table,
    Quote: _put_inner,
    Definition: _put_inner,
    Gap: _put_gap,
}


def _flatten(pieces: Pieces) -> str:
    return "".join(piece if isinstance(piece, str) else _span_text(piece) for piece in pieces)


def _span_text(span: Span) -> str:
    text = _flatten(span.pieces)
    if span.kind == "link" and is_web(span.target) and not shows_target(text, span.target):
        shown = text.rstrip()
        return f"{shown} ({span.target}){text[len(shown) :]}" if shown else text
    if span.kind == "sup":
        return raised(text)
    return text


def shows_target(text: str, target: str) -> bool:
    """Tell whether the text of a link is its address, or its address but for the slash at the end."""
    text = text.strip()
    return target in {text, f"{text}/"}


def raised(text: str) -> str:
    """Return superscript: an exponent keeps its meaning by a `^`."""
    return f"^{text}" if _RAISED.fullmatch(text) else text
