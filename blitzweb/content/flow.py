"""Where running text and blocks go while a page is read: the open containers, the open paragraph, the open spans.

It knows nothing of HTML. A paragraph ends at every block boundary; spans that are open across one go on in the next.
"""

from __future__ import annotations

from collections.abc import Sequence

from blitzweb.content.blocks import BREAK, Block, Paragraph, Pieces, Span, SpanKind
from blitzweb.content.invisible import strip_invisible
from blitzweb.limits import MAX_BLOCK_DEPTH


class Flow:
    """Takes text, breaks and spans, and makes paragraphs of them in the container that is open."""

    __slots__ = (
        *("top", "hidden", "flat", "coding"),
        *("_container", "_outer", "_line", "_pieces", "_spans", "_has_text"),
    )

    def __init__(self) -> None:
        self.top: list[Block] = []
        self.hidden = 0  # characters that nobody sees
        self.flat = 0  # above zero, boundaries of blocks are blanks: inside links and headings
        self.coding = 0  # above zero, text is code
        self._container = self.top
        self._outer: list[list[Block]] = []
        self._line: Pieces = []
        self._pieces = self._line
        self._spans: list[Span] = []
        self._has_text = False

    # --- containers -----------------------------------------------------------

    @property
    def full(self) -> bool:
        """Tell whether containers are nested as deep as they may be."""
        return len(self._outer) >= MAX_BLOCK_DEPTH

    def open(self, container: list[Block]) -> None:
        """Let what follows go into a container, until `close`."""
        self._outer.append(self._container)
        self._container = container

    def close(self) -> None:
        """Go back to the container before."""
        self.end_paragraph(spaced=False)
        self._container = self._outer.pop()

    def add(self, block: Block) -> None:
        """Put a block into the open container."""
        self.end_paragraph(spaced=False)
        self._container.append(block)

    def extend(self, blocks: Sequence[Block]) -> None:
        """Put blocks into the open container."""
        self._container.extend(blocks)

    def contents(self) -> list[Block]:
        """Return what the open container holds so far."""
        return self._container

    # --- running text ---------------------------------------------------------

    def add_text(self, text: str) -> None:
        """Take text of the page; runs of blanks become one."""
        if text.isspace():
            if self._line:
                self._pieces.append(" ")
            return
        if not text.isascii():
            text, unseen = strip_invisible(text)
            self.hidden += unseen
        line = " ".join(text.split())
        if not line:
            return
        before = " " if text[0].isspace() else ""
        after = " " if text[-1].isspace() else ""
        self._has_text = True
        if self.coding:
            self._add_code(before, line, after)
        else:
            self._pieces.append(before + line + after)

    def clean(self, text: str) -> str:
        """Return text from an attribute or the like, on one line and without what nobody sees."""
        seen, unseen = strip_invisible(text)
        self.hidden += unseen
        return " ".join(seen.split())

    def add_mark(self, text: str) -> None:
        """Take text of our own, or of the page, as it is."""
        self._has_text = True
        self._pieces.append(text)

    def add_span(self, span: Span) -> None:
        """Take a whole span."""
        self._has_text = True
        self._pieces.append(span)

    def add_break(self) -> None:
        """Break the line."""
        if self._line:
            self._pieces.append(" " if self.flat else BREAK)

    def end_paragraph(self, *, spaced: bool) -> None:
        """Make a paragraph of the text so far, if there is any; in a flat part, only put a blank."""
        if self.flat:
            self._pieces.append(" ")
            return
        if self._has_text:
            self._container.append(Paragraph(self._line, spaced))
        if self._line:
            self._begin_line()

    def take_line(self) -> Pieces:
        """Return the text so far, which becomes no paragraph."""
        line = self._line if self._has_text else []
        self._begin_line()
        return line

    def open_span(self, kind: SpanKind, target: str = "") -> bool:
        """Begin a span, unless one of its kind is open; tell whether it began."""
        if self._spans and any(span.kind == kind for span in self._spans):
            return False
        self._begin_span(kind, target)
        return True

    @property
    def span(self) -> Span:
        """The newest span that is open."""
        return self._spans[-1]

    def close_span(self) -> None:
        """End the newest span."""
        self._spans.pop()
        self._pieces = self._spans[-1].pieces if self._spans else self._line

    def _begin_line(self) -> None:
        self._line = self._pieces = []
        self._has_text = False
        going_on, self._spans = self._spans, []
        for span in going_on:
            self._begin_span(span.kind, span.target)

    def _begin_span(self, kind: SpanKind, target: str) -> None:
        span = Span(kind, [], target)
        self._pieces.append(span)
        self._pieces = span.pieces
        self._spans.append(span)

    def _add_code(self, before: str, text: str, after: str) -> None:
        last = self._pieces[-1] if self._pieces else None
        if isinstance(last, Span) and last.kind == "code" and isinstance(last.pieces[0], str):
            last.pieces[0] += before + text + after
            return
        if before:
            self._pieces.append(before)
        self._pieces.append(Span("code", [text + after]))
