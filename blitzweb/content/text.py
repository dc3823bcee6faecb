"""Blocks as plain text, by the fixed rules of WEB-07: `#` before headings, `- ` before items, ` (url)` after links."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from blitzweb.content.blocks import (
    Block,
    Cell,
    Code,
    Definition,
    Heading,
    Item,
    Listing,
    Paragraph,
    Pieces,
    Quote,
    Rule,
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


def _put_all(blocks: Iterable[Block], lines: Lines, *, spaced: bool) -> None:
    """Put blocks; lists inside items stand close, those outside between blank lines."""
    for block in blocks:
        if isinstance(block, Paragraph):
            if text := running_text(block.pieces):
                lines.put(text, spaced=block.spaced)
        elif isinstance(block, Heading):
            if text := running_text(block.pieces).replace("\n", " "):
                lines.put(f"{'#' * block.level} {text}", spaced=True)
        elif isinstance(block, Code):
            lines.put(block.text, spaced=True, verbatim=True)
        elif isinstance(block, Listing):
            _put_list(block, lines, spaced=spaced)
        elif isinstance(block, Item):
            _put_item(block, lines)
        elif isinstance(block, Table):
            if rows := [row for row in map(_row_text, (row.cells for row in block.rows)) if row.strip(" |")]:
                lines.put("\n".join(rows), spaced=True)
        elif isinstance(block, Quote | Definition):
            _put_all(block.blocks, lines, spaced=True)
        elif isinstance(block, Rule):
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
    return text == target or f"{text}/" == target


def raised(text: str) -> str:
    """Return superscript: an exponent keeps its meaning by a `^`."""
    return f"^{text}" if _RAISED.fullmatch(text) else text
