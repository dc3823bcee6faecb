"""How the tour looks: numbered steps, the messages both ways, and excerpts of answers. Everything goes to stdout."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Sequence
from typing import Any, Final

from blitzweb.console.screen import Screen
from blitzweb.demo.stops import Stop

_INDENT: Final = "   "
_MAX_TRACE_CHARS: Final = 160


class Stage:
    """A screen with steps. It is a screen itself, so that questions appear among the steps."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._number = 0
        self._width = min(shutil.get_terminal_size((100, 24)).columns, _MAX_TRACE_CHARS)

    def open(self, url: str) -> None:
        """Say what this is."""
        self.say("blitzweb demo: what a host sees", "title")
        self.say(f"The site, Tidewater Ferries, is at {url}/ for as long as this runs.")
        self.say(
            "The daemon is `blitzweb serve`; web.allow_private opens this machine's own network to it, for this run."
        )

    def begin(self, title: str, lesson: str) -> None:
        """Start a step."""
        self._number += 1
        self.say(f"\n{self._number}. {title}", "title")
        self.explain(lesson)

    def explain(self, text: str) -> None:
        """Say a sentence of a step."""
        self.say(textwrap.fill(text, self._width, initial_indent=_INDENT, subsequent_indent=_INDENT), "dim")

    def trace(self, line: str, style: str) -> None:
        """Show a message, cut to one line of the terminal."""
        room = self._width - len(_INDENT)
        self.say(_INDENT + (line if len(line) <= room else line[: room - 1] + "…"), style)

    def show(self, text: str, *, is_error: bool = False, lines: int = 0) -> None:
        """Show an answer, as far as `lines` if given."""
        parts = text.strip().splitlines()
        shown = parts[:lines] if lines else parts
        self.say(textwrap.indent("\n".join(shown), f"{_INDENT}│ ", lambda _line: True), "warn" if is_error else "")
        if len(shown) < len(parts):
            self.say(f"{_INDENT}│ … {len(parts) - len(shown)} more lines", "dim")

    def surprise(self, stop: Stop, missing: Sequence[str]) -> None:
        """Say that a step went another way than it should."""
        kind = "an error" if stop.is_error else "no error"
        wanted = f", and the text should hold {', '.join(missing)}" if missing else ""
        self.say(f"{_INDENT}This was not expected: it should be {kind}{wanted}.", "error")

    def say(self, text: str, style: str = "") -> None:
        """Write text."""
        self._screen.say(text, style)

    def note(self, text: str, style: str = "") -> None:
        """Write a note, in its place among the rest."""
        self._screen.say(textwrap.indent(text, _INDENT), style)

    def ask(self, text: str) -> None:
        """Write a question."""
        self._screen.ask(textwrap.indent(text, _INDENT))

    def table(self, rows: Sequence[Sequence[str]], heads: Sequence[str]) -> None:
        """Write a table."""
        self._screen.table(rows, heads)

    def value(self, value: Any) -> None:
        """Write JSON."""
        self._screen.value(value)
