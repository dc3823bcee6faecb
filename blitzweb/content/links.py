"""The links of a page, one a line, in the order of the page and each once (CONTENT-07)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from blitzweb.content.blocks import Block, Code, Gap, Listing, Pieces, Span, Table
from blitzweb.content.clip import ellipsize
from blitzweb.content.targets import is_web
from blitzweb.content.text import plain_text
from blitzweb.limits import MAX_LINK_TEXT_CHARS


def render_links(blocks: Iterable[Block]) -> str:
    """Return `- [text](url)` for each link to a web page; one without text is named by its address."""
    return "\n".join(f"- [{text}]({target})" for text, target in dict.fromkeys(links_of(blocks)))


def links_of(blocks: Iterable[Block]) -> Iterator[tuple[str, str]]:
    """Give text and address of each link to a web page."""
    for block in blocks:
        yield from _in_block(block)


def _in_block(block: Block) -> Iterator[tuple[str, str]]:
    if isinstance(block, Code | Gap):
        return
    if isinstance(block, Table):
        for row in block.rows:
            for cell in row.cells:
                yield from links_of(cell.blocks)
        return
    pieces = getattr(block, "pieces", None)
    if pieces is not None:
        yield from _in_pieces(pieces)
    else:
        yield from links_of(block.items if isinstance(block, Listing) else getattr(block, "blocks", ()))


def _in_pieces(pieces: Pieces) -> Iterator[tuple[str, str]]:
    for piece in pieces:
        if not isinstance(piece, Span):
            continue
        if piece.kind != "link":
            yield from _in_pieces(piece.pieces)
        elif is_web(piece.target) and (text := plain_text(piece.pieces)):
            yield ellipsize(text.replace("[", "(").replace("]", ")"), MAX_LINK_TEXT_CHARS), piece.target
