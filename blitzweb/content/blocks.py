r"""What a page says, without its markup: blocks that hold blocks or running text. Values, made by `build`.

Running text is a list of pieces: `str` with single blanks, `"\\n"` alone for a forced line break, and `Span`.
Nothing here is nested deeper than `limits.MAX_BLOCK_DEPTH`, so that renderers may recurse.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

SpanKind = Literal["link", "strong", "em", "strike", "code", "image", "math", "sup"]

BREAK: Final = "\n"


@dataclass(slots=True)
class Span:
    """A part of running text; `target` is the address of a link or an image."""

    kind: SpanKind
    pieces: Pieces
    target: str = ""


Pieces = list[str | Span]


@dataclass(slots=True)
class Paragraph:
    """Running text; one that is `spaced` stands between blank lines."""

    pieces: Pieces
    spaced: bool = True


@dataclass(slots=True)
class Heading:
    """A heading of level 1 to 6."""

    level: int
    pieces: Pieces


@dataclass(slots=True)
class Code:
    """Text to be kept letter for letter."""

    text: str
    language: str = ""


@dataclass(slots=True)
class Gap:
    """A blank line; a `ruled` one is a thematic break."""

    ruled: bool = False


@dataclass(slots=True)
class Quote:
    """What somebody else said."""

    blocks: list[Block] = field(default_factory=list)


@dataclass(slots=True)
class Definition:
    """What a term of a description list means."""

    blocks: list[Block] = field(default_factory=list)


@dataclass(slots=True)
class Item:
    """An item of a list: numbered, ticked (or not), or neither."""

    number: int | None = None
    done: bool | None = None
    blocks: list[Block] = field(default_factory=list)


@dataclass(slots=True)
class Listing:
    """A list; what is no item in it belongs to the item before."""

    items: list[Block] = field(default_factory=list)


@dataclass(slots=True)
class Cell:
    """A cell of a table, and how many columns and rows it takes."""

    header: bool = False
    columns: int = 1
    rows: int = 1
    blocks: list[Block] = field(default_factory=list)


@dataclass(slots=True)
class Row:
    """A row of a table; `header` for those of its head."""

    header: bool = False
    cells: list[Cell] = field(default_factory=list)


@dataclass(slots=True)
class Table:
    """A table of data; tables that only place things on the page do not become one."""

    rows: list[Row] = field(default_factory=list)


Block = Paragraph | Heading | Code | Gap | Quote | Definition | Item | Listing | Table


def says_something(blocks: list[Block]) -> bool:
    """Tell whether there is more than gaps."""
    return any(not isinstance(block, Gap) for block in blocks)
