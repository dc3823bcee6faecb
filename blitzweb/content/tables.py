"""Tables as grids: cells that span columns or rows take their places, empty but for the first (CONTENT-05)."""

from __future__ import annotations

from blitzweb.content.blocks import Block, Row, Table
from blitzweb.limits import MAX_TABLE_COLUMNS, MAX_TABLE_PLACES

Grid = list[list[list[Block]]]


def grid(table: Table) -> Grid:
    """Return the rows of a table, of the same length unless most of it would be empty places."""
    reaching: dict[int, int] = {}  # column → rows that a cell above still takes
    rows: Grid = []
    left = MAX_TABLE_PLACES
    for row in table.rows:
        rows.append(_place(row, reaching, left))
        left -= len(rows[-1])
    width = max(map(len, rows), default=0)
    if width * len(rows) > MAX_TABLE_PLACES:
        return rows
    return [row + [[]] * (width - len(row)) for row in rows]


def _place(row: Row, reaching: dict[int, int], left: int) -> list[list[Block]]:
    placed: list[list[Block]] = []
    for cell in row.cells:
        _skip(placed, reaching)
        columns = max(1, min(cell.columns, MAX_TABLE_COLUMNS - len(placed), left - len(placed)))
        for column in range(len(placed), len(placed) + columns):
            if cell.rows > 1:
                reaching[column] = cell.rows - 1
        placed += [cell.blocks, *([[]] * (columns - 1))]
    _skip(placed, reaching)
    return placed


def _skip(placed: list[list[Block]], reaching: dict[int, int]) -> None:
    """Leave the places that cells above take."""
    while reaching.get(len(placed), 0) > 0:
        reaching[len(placed)] -= 1
        placed.append([])
