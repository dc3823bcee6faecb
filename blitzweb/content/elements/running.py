"""What stands within running text: links, images, emphasis, code, formulas (WEB-07, CONTENT-05)."""

from __future__ import annotations

from typing import Final

from blitzweb.content.blocks import Span, SpanKind
from blitzweb.content.elements.reader import SKIP, Attributes, Enter, Leave, Reader
from blitzweb.content.pictures import image_target
from blitzweb.content.tree import Node, text_of, walk

_LOOKED_AT: Final = 100  # nodes of a link that are searched for a heading


def spanning(kind: SpanKind) -> Enter:
    """Return the entry of an element that marks its text."""

    def enter(reader: Reader, node: Node, attributes: Attributes) -> Leave | None:  # noqa: ARG001
        return _leave_span if reader.flow.open_span(kind) else None

    return enter


def _leave_span(reader: Reader) -> None:
    reader.flow.close_span()


def enter_code(reader: Reader, node: Node, attributes: Attributes) -> Leave | None:  # noqa: ARG001
    """Take the text as code, links in it included."""
    reader.flow.coding += 1
    return _leave_code


def _leave_code(reader: Reader) -> None:
    reader.flow.coding -= 1


def enter_link(reader: Reader, node: Node, attributes: Attributes) -> Leave | None:
    """Open a link; its text stays on one line, and a heading in it is what is linked."""
    href = attributes.get("href")
    target = reader.targets.resolve(href) if href else ""
    if not target:
        return None
    if _holds_heading(node):
        reader.heading_link = target
        return _leave_heading_link
    if not reader.flow.open_span("link", target):
        return None
    reader.flow.flat += 1
    reader.links.append((node, attributes))
    return _leave_link


def _leave_link(reader: Reader) -> None:
    flow = reader.flow
    node, attributes = reader.links.pop()
    if not _has_text(flow.span):
        label = attributes.get("aria-label") or attributes.get("title") or _drawn_title(node)
        if label:
            flow.add_mark(flow.clean(label))
    flow.close_span()
    flow.flat -= 1


def _leave_heading_link(reader: Reader) -> None:
    reader.heading_link = ""


def _has_text(span: Span) -> bool:
    """Tell whether a span shows anything."""
    for piece in span.pieces:
        if isinstance(piece, str):
            if piece and not piece.isspace():
                return True
        elif piece.kind in {"image", "code"} or _has_text(piece):
            return True
    return False


def _holds_heading(node: Node) -> bool:
    child = node.first_child
    if child is None or (child.next is None and child.first_child is None):
        return False
    return any(
        below.tag in {"h1", "h2", "h3", "h4", "h5", "h6"}
        for below, _ in zip(walk(node), range(_LOOKED_AT), strict=False)
    )


def _drawn_title(node: Node) -> str:
    """Return the title of a drawing in a link that has nothing else."""
    looked_at = zip(walk(node), range(_LOOKED_AT), strict=False)
    return next((text_of(below) for below, _ in looked_at if below.tag == "title"), "")


def enter_image(reader: Reader, node: Node, attributes: Attributes) -> Leave | None:  # noqa: ARG001
    """Take an image by its text; one that says to have none is a decoration."""
    alt = reader.flow.clean(attributes.get("alt") or attributes.get("title") or "")
    target = image_target(attributes, reader.targets)
    if alt or (target and attributes.get("alt") is None):
        reader.flow.add_span(Span("image", [alt] if alt else [], target))
    return None


def enter_break(reader: Reader, node: Node, attributes: Attributes) -> Leave | None:  # noqa: ARG001
    """Break the line."""
    reader.flow.add_break()
    return None


def around(before: str, after: str) -> Enter:
    """Return the entry of an element that stands between two signs."""

    def leave(reader: Reader) -> None:
        reader.flow.add_mark(after)

    def enter(reader: Reader, node: Node, attributes: Attributes) -> Leave | None:  # noqa: ARG001
        reader.flow.add_mark(before)
        return leave

    return enter


def enter_math(reader: Reader, node: Node, attributes: Attributes) -> Leave | None:
    """Take a formula as the TeX that it was made from, else as its text."""
    tex = next(
        (
            text_of(below)
            for below in walk(node)
            if below.tag == "annotation" and "tex" in (below.attributes.get("encoding") or "")
        ),
        attributes.get("alttext") or "",
    )
    text = reader.flow.clean(tex or text_of(node))
    if text:
        reader.flow.add_span(Span("math", [text], attributes.get("display") or ""))
    return SKIP
