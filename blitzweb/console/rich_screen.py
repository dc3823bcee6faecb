"""The screen with colour and wrapping, by `rich`; it knows by itself what each stream can show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from blitzweb.console.printable import one_line, printable
from blitzweb.console.screen import pretty

_THEME: Final = Theme(
    {
        "title": "bold",
        "good": "green",
        "warn": "yellow",
        "error": "red",
        "dim": "dim",
        "sent": "cyan",
        "taken": "magenta",
    },
    inherit=True,
)


class RichScreen:
    """Text with colour where the stream is a terminal."""

    def __init__(self) -> None:
        self._out = Console(theme=_THEME, highlight=False, markup=False, emoji=False)
        self._err = Console(theme=_THEME, highlight=False, markup=False, emoji=False, stderr=True)

    def say(self, text: str, style: str = "") -> None:
        """Write text to stdout."""
        self._out.print(Text(printable(text), style=style), soft_wrap=True)

    def note(self, text: str, style: str = "") -> None:
        """Write text to stderr."""
        self._err.print(Text(printable(text), style=style), soft_wrap=True)

    def ask(self, text: str) -> None:
        """Write a question to stderr."""
        self._err.print(Text(printable(text), style="title"), end="", soft_wrap=True)

    def explain(self, text: str, style: str = "") -> None:
        """Write prose, wrapped."""
        self._out.print(Text(printable(text), style=style))

    def table(self, rows: Sequence[Sequence[str]], heads: Sequence[str]) -> None:
        """Write a table; its last column wraps."""
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="title")
        for head in heads:
            table.add_column(head, no_wrap=head != heads[-1], overflow="fold")
        for row in rows:
            table.add_row(*(Text(one_line(cell)) for cell in row))
        self._out.print(table)

    def value(self, value: Any) -> None:
        """Write coloured JSON."""
        if not self._out.is_terminal:
            self.say(pretty(value))
            return
        self._out.print(Syntax(pretty(value), "json", theme="ansi_dark", background_color="default", word_wrap=True))
