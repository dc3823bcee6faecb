"""Tables of examples that document a rule: `*.tsv` beside the test that holds the rule to them.

The first line that is no comment (`#`) names the columns; runs of tabs separate them. `∅` is the empty text, and
`\\u{a}` the character with that code, so that nothing invisible stands in a table.
"""

from __future__ import annotations

import re
from pathlib import Path

EMPTY = "∅"
_CODE = re.compile(r"\\u\{([0-9a-f]+)\}")


def read_table(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table as dictionaries from column to text."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    columns, *rows = [re.split("\t+", line) for line in lines]
    wrong = [row for row in rows if len(row) != len(columns)]
    assert not wrong, f"{path.name}: not {len(columns)} cells: {wrong}"
    return [dict(zip(columns, map(_read_cell, row), strict=True)) for row in rows]


def _read_cell(text: str) -> str:
    return "" if text == EMPTY else _CODE.sub(lambda found: chr(int(found.group(1), 16)), text)
