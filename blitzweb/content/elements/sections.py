"""Paragraphs, headings, quotes, definitions, code and rules (WEB-07, CONTENT-05)."""

from __future__ import annotations

from blitzweb.content.blocks import Code, Definition, Gap, Heading, Quote, Span
from blitzweb.content.elements.reader import DROPPED, SKIP, Attributes, Leave, Reader, enter_line, leave_line
from blitzweb.content.preformatted import language_of, verbatim
from blitzweb.content.tree import Node, text_of


def enter_paragraph(reader: Reader, node: Node, attributes: Attributes) -> Leave | None:  # noqa: ARG001
    """Make a paragraph between blank lines."""
    reader.flow.end_paragraph(spaced=False)
    return _leave_paragraph


def _leave_paragraph(reader: Reader) -> None:
    reader.flow.end_paragraph(spaced=True)


def enter_group(reader: Reader, node: Node, attributes: Attributes) -> Leave | None:  # noqa: ARG001
    """Have blank lines before and after."""
    _leave_group(reader)
    return _leave_group


def _leave_group(reader: Reader) -> None:
    flow = reader.flow
    flow.end_paragraph(spaced=False)
    if not flow.flat:
        flow.add(Gap())


def enter_heading(reader: Reader, node: Node, attributes: Attributes) -> Leave | None:  # noqa: ARG001
    """Make a heading of all that is inside, on one line."""
    flow = reader.flow
    if flow.flat:
        flow.end_paragraph(spaced=False)
        return leave_line
    flow.end_paragraph(spaced=False)
    flow.flat += 1
    level = int((node.tag or "h6")[1])
    linked = bool(reader.heading_link) and flow.open_span("link", reader.heading_link)

    def leave(reader: Reader) -> None:
        flow = reader.flow
        if linked:
            flow.close_span()
        flow.flat -= 1
        pieces = flow.take_line()
        if pieces:
            flow.add(Heading(level, pieces))

    return leave


def enter_quote(reader: Reader, node: Node, attributes: Attributes) -> Leave | None:
    """Open a quotation."""
    return _enter_container(reader, node, attributes, Quote())


def enter_definition(reader: Reader, node: Node, attributes: Attributes) -> Leave | None:
    """Open what a term means."""
    return _enter_container(reader, node, attributes, Definition())


def _enter_container(reader: Reader, node: Node, attributes: Attributes, block: Quote | Definition) -> Leave | None:
    flow = reader.flow
    if flow.flat or flow.full:
        return enter_line(reader, node, attributes)
    flow.end_paragraph(spaced=False)
    flow.open(block.blocks)

    def leave(reader: Reader) -> None:
        reader.flow.close()
        if block.blocks:
            reader.flow.add(block)

    return leave


def enter_dialog(reader: Reader, node: Node, attributes: Attributes) -> Leave | None:
    """Take an open dialog; a closed one is hidden."""
    if "open" in attributes:
        return enter_line(reader, node, attributes)
    reader.flow.hidden += len(" ".join(text_of(node, DROPPED).split()))
    return SKIP


def enter_rule(reader: Reader, node: Node, attributes: Attributes) -> Leave | None:  # noqa: ARG001
    """Draw a line."""
    reader.flow.end_paragraph(spaced=False)
    if not reader.flow.flat:
        reader.flow.add(Gap(ruled=True))
    return None


def enter_pre(reader: Reader, node: Node, attributes: Attributes) -> Leave | None:
    """Take code letter for letter."""
    flow = reader.flow
    text, hidden = verbatim(node)
    flow.hidden += hidden
    if flow.flat:
        flow.add_span(Span("code", [" ".join(text.split())]))
        return SKIP
    flow.end_paragraph(spaced=False)
    if text.strip():
        flow.add(Code(text, language_of(node, attributes)))
    return SKIP
