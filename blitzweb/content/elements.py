"""What each HTML element means for the text of a page: a table from tags to what happens when it opens and closes.

An entry takes the reader, the node and its attributes, and returns what to do at the end tag, None, or `SKIP` when it
has dealt with all that is inside (WEB-07, CONTENT-05).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from blitzweb.content.blocks import (
    Cell,
    Code,
    Definition,
    Heading,
    Item,
    Listing,
    Paragraph,
    Quote,
    Row,
    Rule,
    Span,
    SpanKind,
    Table,
)
from blitzweb.content.flow import Flow
from blitzweb.content.pictures import image_target
from blitzweb.content.preformatted import language_of, verbatim
from blitzweb.content.targets import Targets
from blitzweb.content.tree import Node, text_of, walk

Attributes = dict[str, str | None]
Leave = Callable[["Elements"], None]
Enter = Callable[["Elements", Node, Attributes], Leave | None]

DROPPED: Final = frozenset(
    {
        *("script", "style", "noscript", "svg", "template", "iframe", "object", "embed", "canvas", "audio", "video"),
        *("head", "noframes", "noembed", "datalist", "progress", "meter", "rp", "area", "param", "frameset"),
    }
)
_LOOKED_AT: Final = 100  # nodes of a link that are searched for a heading
_MAX_SPAN: Final = 1000  # columns, as in browsers
_MAX_LIST_NUMBER: Final = 10**9
_LAYOUT_ROLES: Final = frozenset({"presentation", "none"})
_LAYOUT_BLOCKS: Final = 8  # a cell with more of them is a part of the page
_NUMBER = re.compile(r"\s*([+-]?\d{1,9})")


class Elements:
    """Reads the elements of one page into a flow."""

    def __init__(self, targets: Targets) -> None:
        self.flow = Flow()
        self.targets = targets
        self.tables: list[Table] = []
        self.counters: list[tuple[int, int] | None] = []  # next number and step of each open list; None: bullets
        self.heading_link = ""  # of a link that holds a heading: the heading alone is linked


def SKIP(reader: Elements) -> None:  # noqa: N802  # a sentinel with the type of what it stands for
    """Stand for "nothing below is to be read"."""


def DROP(reader: Elements, node: Node, attributes: Attributes) -> Leave | None:  # noqa: N802, ARG001  # as above
    """Stand for an element that is not to be read."""
    return SKIP


# --- blocks ---------------------------------------------------------------


def _enter_line(reader: Elements, node: Node, attributes: Attributes) -> Leave | None:  # noqa: ARG001
    reader.flow.end_paragraph(spaced=False)
    return _leave_line


def _leave_line(reader: Elements) -> None:
    reader.flow.end_paragraph(spaced=False)


def _enter_paragraph(reader: Elements, node: Node, attributes: Attributes) -> Leave | None:  # noqa: ARG001
    reader.flow.end_paragraph(spaced=False)
    return _leave_paragraph


def _leave_paragraph(reader: Elements) -> None:
    reader.flow.end_paragraph(spaced=True)


def _enter_heading(reader: Elements, node: Node, attributes: Attributes) -> Leave | None:  # noqa: ARG001
    flow = reader.flow
    if flow.flat:
        flow.end_paragraph(spaced=False)
        return _leave_line
    flow.end_paragraph(spaced=False)
    flow.flat += 1
    level = int((node.tag or "h6")[1])
    linked = bool(reader.heading_link) and flow.open_span("link", reader.heading_link)

    def leave(reader: Elements) -> None:
        flow = reader.flow
        if linked:
            flow.close_span()
        flow.flat -= 1
        pieces = flow.take_line()
        if pieces:
            flow.add(Heading(level, pieces))

    return leave


def _enter_quote(reader: Elements, node: Node, attributes: Attributes) -> Leave | None:
    return _enter_container(reader, node, attributes, Quote())


def _enter_definition(reader: Elements, node: Node, attributes: Attributes) -> Leave | None:
    return _enter_container(reader, node, attributes, Definition())


def _enter_container(reader: Elements, node: Node, attributes: Attributes, block: Quote | Definition) -> Leave | None:
    flow = reader.flow
    if flow.flat or flow.full:
        return _enter_line(reader, node, attributes)
    flow.end_paragraph(spaced=False)
    flow.open(block.blocks)

    def leave(reader: Elements) -> None:
        reader.flow.close()
        if block.blocks:
            reader.flow.add(block)

    return leave


def _enter_dialog(reader: Elements, node: Node, attributes: Attributes) -> Leave | None:
    if "open" in attributes:
        return _enter_line(reader, node, attributes)
    reader.flow.hidden += len(" ".join(text_of(node, DROPPED).split()))
    return SKIP


def _enter_rule(reader: Elements, node: Node, attributes: Attributes) -> Leave | None:  # noqa: ARG001
    reader.flow.end_paragraph(spaced=False)
    if not reader.flow.flat:
        reader.flow.add(Rule())
    return None


def _enter_pre(reader: Elements, node: Node, attributes: Attributes) -> Leave | None:
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


# --- lists ----------------------------------------------------------------


def _enter_list(reader: Elements, node: Node, attributes: Attributes) -> Leave | None:
    flow = reader.flow
    reader.counters.append(_counter(node, attributes) if node.tag == "ol" else None)
    if flow.flat or flow.full:
        flow.end_paragraph(spaced=False)
        return _leave_flat_list
    flow.end_paragraph(spaced=False)
    listing = Listing()
    flow.open(listing.items)

    def leave(reader: Elements) -> None:
        reader.counters.pop()
        reader.flow.close()
        if listing.items:
            reader.flow.add(listing)

    return leave


def _leave_flat_list(reader: Elements) -> None:
    reader.counters.pop()
    reader.flow.end_paragraph(spaced=False)


def _counter(node: Node, attributes: Attributes) -> tuple[int, int]:
    """Return the first number of an ordered list, and the step to the next."""
    if "reversed" not in attributes:
        return _integer(attributes.get("start"), 1), 1
    items = 0
    child = node.first_child
    while child is not None:
        items += child.tag == "li"
        child = child.next
    return _integer(attributes.get("start"), items), -1


def _enter_item(reader: Elements, node: Node, attributes: Attributes) -> Leave | None:
    flow = reader.flow
    number = _next_number(reader, attributes)
    if flow.flat or flow.full:
        return _enter_line(reader, node, attributes)
    flow.end_paragraph(spaced=False)
    item = Item(number)
    flow.open(item.blocks)

    def leave(reader: Elements) -> None:
        reader.flow.close()
        _read_tick(item)
        if item.blocks:
            reader.flow.add(item)

    return leave


def _next_number(reader: Elements, attributes: Attributes) -> int | None:
    counter = reader.counters[-1] if reader.counters else None
    if counter is None:
        return None
    number = _integer(attributes.get("value"), counter[0])
    reader.counters[-1] = (number + counter[1], counter[1])
    return number


_TICKS: Final = {"\x00[x]": True, "\x00[ ]": False}  # no page can write NUL: parsers replace it


def _enter_input(reader: Elements, node: Node, attributes: Attributes) -> Leave | None:  # noqa: ARG001
    if (attributes.get("type") or "").lower() == "checkbox" and reader.counters:
        reader.flow.add_mark("\x00[x]" if "checked" in attributes else "\x00[ ]")
    return None


def _read_tick(item: Item) -> None:
    """Turn a checkbox at the start of an item into its mark, and drop those elsewhere."""
    first = item.blocks[0] if item.blocks else None
    pieces = first.pieces if isinstance(first, Paragraph) else []
    while pieces and isinstance(pieces[0], Span) and pieces[0].kind != "image":
        pieces = pieces[0].pieces
    while pieces and isinstance(pieces[0], str) and not pieces[0].strip():
        del pieces[0]
    if pieces and isinstance(pieces[0], str) and pieces[0] in _TICKS:
        item.done = _TICKS[pieces[0]]
        del pieces[0]


# --- tables ---------------------------------------------------------------


def _enter_table(reader: Elements, node: Node, attributes: Attributes) -> Leave | None:
    flow = reader.flow
    if flow.flat or flow.full:
        return _enter_line(reader, node, attributes)
    flow.end_paragraph(spaced=False)
    table = Table()
    laid_out = (attributes.get("role") or "") in _LAYOUT_ROLES
    reader.tables.append(table)
    flow.open([])

    def leave(reader: Elements) -> None:
        reader.tables.pop()
        reader.flow.end_paragraph(spaced=False)
        captions = reader.flow.contents()
        reader.flow.close()
        reader.flow.extend(captions)
        _place_table(reader.flow, table, laid_out=laid_out)

    return leave


def _place_table(flow: Flow, table: Table, *, laid_out: bool) -> None:
    """Add a table; one that only places things on the page is taken apart."""
    table.rows = [row for row in table.rows if any(cell.blocks for cell in row.cells)]
    if laid_out or _is_layout(table):
        for row in table.rows:
            for cell in row.cells:
                flow.extend(cell.blocks)
    else:
        flow.add(table)


def _is_layout(table: Table) -> bool:
    if any(cell.header for row in table.rows for cell in row.cells):
        return False
    if all(len(row.cells) == 1 for row in table.rows):
        return True
    return any(
        len(cell.blocks) > _LAYOUT_BLOCKS
        or any(
            isinstance(block, Table | Heading) or (isinstance(block, Code) and "\n" in block.text.strip())
            for block in cell.blocks
        )
        for row in table.rows
        for cell in row.cells
    )


def _enter_row(reader: Elements, node: Node, attributes: Attributes) -> Leave | None:
    if not reader.tables or reader.flow.flat:
        return _enter_line(reader, node, attributes)
    parent = node.parent
    reader.tables[-1].rows.append(Row(header=parent is not None and parent.tag == "thead"))
    return None


def _enter_cell(reader: Elements, node: Node, attributes: Attributes) -> Leave | None:
    if not reader.tables or not reader.tables[-1].rows or reader.flow.flat or reader.flow.full:
        return _enter_line(reader, node, attributes)
    columns, rows = (max(1, min(_integer(attributes.get(name), 1), _MAX_SPAN)) for name in ("colspan", "rowspan"))
    cell = Cell(node.tag == "th", columns, rows)
    reader.tables[-1].rows[-1].cells.append(cell)
    reader.flow.end_paragraph(spaced=False)
    reader.flow.open(cell.blocks)
    return _leave_container


def _leave_container(reader: Elements) -> None:
    reader.flow.close()


# --- running text ---------------------------------------------------------


def _spanning(kind: SpanKind) -> Enter:
    def enter(reader: Elements, node: Node, attributes: Attributes) -> Leave | None:  # noqa: ARG001
        return _leave_span if reader.flow.open_span(kind) else None

    return enter


def _leave_span(reader: Elements) -> None:
    reader.flow.close_span()


def _enter_code(reader: Elements, node: Node, attributes: Attributes) -> Leave | None:  # noqa: ARG001
    reader.flow.coding += 1
    return _leave_code


def _leave_code(reader: Elements) -> None:
    reader.flow.coding -= 1


def _enter_link(reader: Elements, node: Node, attributes: Attributes) -> Leave | None:
    href = attributes.get("href")
    target = reader.targets.resolve(href) if href else ""
    if not target:
        return None
    if _holds_heading(node):
        reader.heading_link = target
        return _leave_heading_link
    flow = reader.flow
    if not flow.open_span("link", target):
        return None
    flow.flat += 1
    label = attributes.get("aria-label") or attributes.get("title") or ""

    def leave(reader: Elements) -> None:
        flow = reader.flow
        if not has_text(flow.span) and (text := label or _drawn_title(node)):
            flow.add_mark(" ".join(text.split()))
        flow.close_span()
        flow.flat -= 1

    return leave


def _leave_heading_link(reader: Elements) -> None:
    reader.heading_link = ""


def has_text(span: Span) -> bool:
    """Tell whether a span shows anything."""
    return any(
        piece.strip() if isinstance(piece, str) else piece.kind in {"image", "code"} or has_text(piece)
        for piece in span.pieces
    )


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


def _enter_image(reader: Elements, node: Node, attributes: Attributes) -> Leave | None:  # noqa: ARG001
    alt = " ".join((attributes.get("alt") or attributes.get("title") or "").split())
    target = image_target(attributes, reader.targets)
    if alt or (target and attributes.get("alt") is None):
        reader.flow.add_span(Span("image", [alt] if alt else [], target))
    return None


def _enter_break(reader: Elements, node: Node, attributes: Attributes) -> Leave | None:  # noqa: ARG001
    reader.flow.add_break()
    return None


def _around(before: str, after: str) -> Enter:
    def leave(reader: Elements) -> None:
        reader.flow.add_mark(after)

    def enter(reader: Elements, node: Node, attributes: Attributes) -> Leave | None:  # noqa: ARG001
        reader.flow.add_mark(before)
        return leave

    return enter


def _enter_math(reader: Elements, node: Node, attributes: Attributes) -> Leave | None:
    tex = next(
        (
            text_of(below)
            for below in walk(node)
            if below.tag == "annotation" and "tex" in (below.attributes.get("encoding") or "")
        ),
        attributes.get("alttext") or "",
    )
    text = " ".join((tex or text_of(node)).split())
    if text:
        reader.flow.add_span(Span("math", [text], attributes.get("display") or ""))
    return SKIP


def _integer(text: str | None, otherwise: int) -> int:
    found = _NUMBER.match(text or "")
    return otherwise if found is None else int(found.group(1))


ENTER: Final[dict[str | None, Enter]] = {
    **dict.fromkeys((*DROPPED, "-comment", "-doctype", None), DROP),
    **dict.fromkeys(
        [
            "div",
            "section",
            "article",
            "main",
            "header",
            "footer",
            "aside",
            "nav",
            "dt",
            "figcaption",
            "form",
            "fieldset",
            "address",
            "details",
            "summary",
            "legend",
            "option",
            "optgroup",
            "select",
            "textarea",
            "button",
            "center",
            "hgroup",
            "search",
            "caption",
            "body",
        ],
        _enter_line,
    ),
    **dict.fromkeys(("p", "figure", "dl"), _enter_paragraph),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _enter_heading),
    **dict.fromkeys(("ul", "ol", "menu", "dir"), _enter_list),
    **dict.fromkeys(("pre", "listing", "xmp", "plaintext"), _enter_pre),
    **dict.fromkeys(("strong", "b"), _spanning("strong")),
    **dict.fromkeys(("em", "i"), _spanning("em")),
    **dict.fromkeys(("del", "s", "strike"), _spanning("strike")),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), _enter_code),
    **dict.fromkeys(("td", "th"), _enter_cell),
    "sup": _spanning("sup"),
    "blockquote": _enter_quote,
    "dd": _enter_definition,
    "hr": _enter_rule,
    "li": _enter_item,
    "input": _enter_input,
    "table": _enter_table,
    "tr": _enter_row,
    "a": _enter_link,
    "img": _enter_image,
    "br": _enter_break,
    "q": _around("“", "”"),
    "rt": _around("(", ")"),
    "math": _enter_math,
    "dialog": _enter_dialog,
}
