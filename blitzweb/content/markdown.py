"""Blocks as GitHub-flavoured markdown: what a page says cannot pass for the structure that we write (CONTENT-05).

Only what would change structure is escaped: brackets in link texts, pipes in cells, and marks of headings, lists,
quotes and fences at the start of a line. All else stands as the page has it, so that code and names stay whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final

from blitzweb.content.blocks import (
    Block,
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
from blitzweb.content.tables import grid
from blitzweb.content.text import raised

_MARKS: Final = {"strong": "**", "em": "*", "strike": "~~"}
_AT_LINE_START = re.compile(r"^(#{1,6}(?=\s|$)|>|[-+*](?=\s)|~~~|```|(?:-{3,}|={3,}|\*{3,}|_{3,})$)", re.MULTILINE)
_NUMBER_AT_START = re.compile(r"^(\d{1,9})([.)])(?=\s)", re.MULTILINE)
_TICKS = re.compile(r"`+")
_AWKWARD = re.compile(r"[()\s<>\\]")
_BRACKET = re.compile(r"([\[\]])")
_FENCE_LENGTH: Final = 3


def render_markdown(blocks: Iterable[Block]) -> str:
    """Return blocks as markdown."""
    lines = Lines()
    _put_all(blocks, lines, spaced=True)
    return lines.text()


def _put_all(blocks: Iterable[Block], lines: Lines, *, spaced: bool) -> None:
    """Put blocks; lists that are not `spaced`, being inside items, stand close to what is before them."""
    for block in blocks:
        if isinstance(block, Listing):
            _put_list(block, lines, spaced=spaced)
        else:
            _PUT[type(block)](block, lines)


def _put_paragraph(block: Paragraph, lines: Lines) -> None:
    if text := _shield(_running(block.pieces)):
        lines.put(text, spaced=block.spaced)


def _put_heading(block: Heading, lines: Lines) -> None:
    if text := _running(block.pieces).replace("\n", " "):
        lines.put(f"{'#' * block.level} {text}", spaced=True)


def _put_code(block: Code, lines: Lines) -> None:
    longest = max(map(len, _TICKS.findall(block.text)), default=0)
    fence = "`" * max(_FENCE_LENGTH, longest + 1)
    lines.put(f"{fence}{block.language}\n{block.text}\n{fence}", spaced=True)


def _put_table(block: Table, lines: Lines) -> None:
    if rows := _rows(block):
        lines.put("\n".join(rows), spaced=True)


def _put_quote(block: Quote, lines: Lines) -> None:
    lines.loosen()
    with lines.within("> "):
        _put_all(block.blocks, lines, spaced=True)
    lines.loosen()


def _put_definition(block: Definition, lines: Lines) -> None:
    with lines.within("  ", ": "):
        _put_all(block.blocks, lines, spaced=False)


def _put_gap(block: Gap, lines: Lines) -> None:
    if block.ruled:
        lines.put("---", spaced=True)
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


_PUT: Final[dict[type[Block], Callable[[Any, Lines], None]]] = {
    Paragraph: _put_paragraph,
    Heading: _put_heading,
    Code: _put_code,
    Item: _put_item,
    Table: _put_table,
    Quote: _put_quote,
    Definition: _put_definition,
    Gap: _put_gap,
}


def _shield(text: str) -> str:
    """Escape what the page has at the start of a line and markdown would take for structure."""
    if text[:1] in "#>-+*~`=_0123456789" or "\n" in text:
        text = _AT_LINE_START.sub(r"\\\1", text)
        text = _NUMBER_AT_START.sub(r"\1\\\2", text)
    return text


# --- tables ---------------------------------------------------------------


def _rows(table: Table) -> list[str]:
    """Return the lines of a table; every one has one head, if an empty one, and one line below it."""
    rows = [[_cell(blocks) for blocks in row] for row in grid(table)]
    rows = [row for row in rows if any(row)]
    if not rows:
        return []
    first = table.rows[0]
    headed = first.header or (all(cell.header for cell in first.cells) and len(rows) > 0)
    if not headed:
        rows.insert(0, [""] * len(rows[0]))
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, f"|{' --- |' * len(rows[0])}")
    return lines


def _cell(blocks: list[Block]) -> str:
    """Return all that a cell holds on one line."""
    return "<br>".join(part.replace("\n", "<br>").replace("|", "\\|") for part in _parts_of(blocks) if part)


def _cell_parts(block: Block) -> list[str]:
    """Return the parts of a block that stand apart in a cell."""
    if isinstance(block, Paragraph | Heading):
        return [_running(block.pieces)]
    if isinstance(block, Code):
        return [_ticked(" ".join(block.text.split()))]
    if isinstance(block, Table):
        return [" ".join(filter(None, map(_cell, row))) for row in grid(block)]
    if isinstance(block, Item):
        marker = "- " if block.number is None else f"{block.number}. "
        return [marker + " ".join(_parts_of(block.blocks))]
    return _parts_of([] if isinstance(block, Gap) else block.items if isinstance(block, Listing) else block.blocks)


def _parts_of(blocks: list[Block]) -> list[str]:
    return [part for block in blocks for part in _cell_parts(block)]


# --- running text ---------------------------------------------------------


def _running(pieces: Pieces) -> str:
    return tidy(_flatten(pieces))


def _flatten(pieces: Pieces, *, linked: bool = False) -> str:
    """Return pieces as markdown; inside of a link, brackets of the page's own are escaped."""
    text = ""
    for piece in pieces if len(pieces) < 2 else _joined(pieces):  # noqa: PLR2004  # one piece has none beside it
        if isinstance(piece, str):
            text += _BRACKET.sub(r"\\\1", piece) if linked and ("[" in piece or "]" in piece) else piece
            continue
        part = _span(piece, linked=linked)
        if part[:1] in {"*", "~"} and text.endswith(part[0]):
            part = _flatten(piece.pieces, linked=linked)
        text += part
    return text


def _joined(pieces: Pieces) -> Pieces:
    """Return pieces with spans of one kind side by side made one, since their marks would run together."""
    joined: Pieces = []
    last: str | Span | None = None
    for piece in pieces:
        if not isinstance(piece, str) and piece.kind in _MARKS and isinstance(last, Span) and piece.kind == last.kind:
            last = joined[-1] = Span(piece.kind, last.pieces + piece.pieces)
        else:
            joined.append(piece)
            last = piece
    return joined


def _span(span: Span, *, linked: bool) -> str:
    kind = span.kind
    if kind == "image":
        return _linked("!", _flatten(span.pieces, linked=True), span.target)
    if kind == "math":
        dollars = "$$" if span.target == "block" else "$"
        return f"{dollars}{_flatten(span.pieces)}{dollars}"
    text = _flatten(span.pieces, linked=linked or kind == "link")
    shown = text.strip()
    if not shown:
        return text
    if kind == "link":
        marked = _linked("", tidy(shown).replace("\n", " "), span.target)
    elif kind == "code":
        marked = _ticked(shown)
    else:
        marked = raised(shown) if kind == "sup" else f"{_MARKS[kind]}{shown}{_MARKS[kind]}"
    if len(shown) == len(text):
        return marked
    return text[: len(text) - len(text.lstrip())] + marked + text[len(text.rstrip()) :]


def _linked(sign: str, text: str, target: str) -> str:
    """Return a link or an image; `text` has no brackets of its own."""
    if not target:
        return text
    target = f"<{target}>" if _AWKWARD.search(target) else target
    return f"{sign}[{text}]({target})"


def _ticked(text: str) -> str:
    """Return code within a line, between more backticks than it holds."""
    runs = _TICKS.findall(text)
    ticks = "`" * (max(map(len, runs), default=0) + 1)
    pad = " " if runs and (text[0] == "`" or text[-1] == "`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"
