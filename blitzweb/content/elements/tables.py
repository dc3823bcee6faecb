"""Tables of data, told from those that only place things on the page (CONTENT-05)."""

from __future__ import annotations

from typing import Final

from blitzweb.content.blocks import Block, Cell, Code, Heading, Row, Table, says_something
from blitzweb.content.elements.reader import Attributes, Leave, Reader, enter_line, integer
from blitzweb.content.flow import Flow
from blitzweb.content.tree import Node

_MAX_SPAN: Final = 1000  # columns, as in browsers
_LAYOUT_ROLES: Final = frozenset({"presentation", "none"})
_LAYOUT_BLOCKS: Final = 8  # a cell with more of them is a part of the page


def enter_table(reader: Reader, node: Node, attributes: Attributes) -> Leave | None:
    """Open a table."""
    flow = reader.flow
    if flow.flat or flow.full:
        return enter_line(reader, node, attributes)
    flow.end_paragraph(spaced=False)
    table = Table()
    laid_out = (attributes.get("role") or "") in _LAYOUT_ROLES
    reader.tables.append(table)
    flow.open([])

    def leave(reader: Reader) -> None:
        reader.tables.pop()
        reader.flow.end_paragraph(spaced=False)
        captions = reader.flow.contents()
        reader.flow.close()
        reader.flow.extend(captions)
        _place_table(reader.flow, table, laid_out=laid_out)

    return leave


def _place_table(flow: Flow, table: Table, *, laid_out: bool) -> None:
    """Add a table; one that only places things on the page is taken apart."""
    table.rows = [row for row in table.rows if any(says_something(cell.blocks) for cell in row.cells)]
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


def _lays_out(block: Block) -> bool:
    """Tell whether no cell of data would hold this."""
    return isinstance(block, Table | Heading) or (isinstance(block, Code) and "\n" in block.text)


def enter_row(reader: Reader, node: Node, attributes: Attributes) -> Leave | None:
    """Begin a row."""
    if not reader.tables or reader.flow.flat:
        return enter_line(reader, node, attributes)
    parent = node.parent
    reader.tables[-1].rows.append(Row(header=parent is not None and parent.tag == "thead"))
    return None


def enter_cell(reader: Reader, node: Node, attributes: Attributes) -> Leave | None:
    """Open a cell."""
    if not reader.tables or not reader.tables[-1].rows or reader.flow.flat or reader.flow.full:
        return enter_line(reader, node, attributes)
    columns, rows = (max(1, min(integer(attributes.get(name), 1), _MAX_SPAN)) for name in ("colspan", "rowspan"))
    cell = Cell(node.tag == "th", columns, rows)
    reader.tables[-1].rows[-1].cells.append(cell)
    reader.flow.end_paragraph(spaced=False)
    reader.flow.open(cell.blocks)
    return _leave_container


def _leave_container(reader: Reader) -> None:
    reader.flow.close()
