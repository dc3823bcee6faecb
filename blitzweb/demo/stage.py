"""How the tour looks: numbered steps, the messages both ways, and excerpts of answers. Everything goes to stdout."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Sequence
from typing import Final

from blitzweb.console.screen import Screen
from blitzweb.demo.stops import Stop

_INDENT: Final = "   "
_FRAME: Final = "   │ "
_MAX_WIDTH: Final = 160
_SAID_ONCE: Final = '"jsonrpc":"2.0",'  # stands in every message, and would take the room of what differs


class Stage:
    """A screen with steps, among which questions appear too."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._number = 0
        self._width = min(shutil.get_terminal_size((120, 24)).columns, _MAX_WIDTH)

    def open(self, url: str) -> None:
        """Say what this is."""
        self.say("blitzweb demo: what a host sees", "title")
        self.say(f"The site, Tidewater Ferries, is at {url}/ for as long as this runs.")
        self.say("The daemon is `blitzweb serve`; for this run, web.allow_private opens this machine to it.")
        self.say('→ goes to the daemon and ← comes from it, one message a line; each also has "jsonrpc":"2.0".')

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
        line = line.replace(_SAID_ONCE, "", 1)
        room = self._width - len(_INDENT)
        self.say(_INDENT + (line if len(line) <= room else line[: room - 1] + "…"), style)

    def show(self, lines: Sequence[str], *, is_error: bool = False) -> None:
        """Show lines of an answer, wrapped inside their frame."""
        for line in lines:
            for part in textwrap.wrap(line, self._width - len(_FRAME), break_on_hyphens=False) or [""]:
                self.say((_FRAME + part).rstrip(), "warn" if is_error else "")

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


def excerpt(text: str, start: str, count: int) -> list[str]:
    """Return the header of an answer and `count` lines of the page in its fence, from the line `start` on."""
    lines = text.strip().splitlines()
    if start not in lines:
        return lines
    first = lines.index(start)
    fence = next(index for index, line in enumerate(lines) if line.startswith("---") or index == first)
    page, end = lines[first:-1], lines[-1]
    return [*lines[: fence + 1], "…", *page[:count], *(["…"] if len(page) > count else []), end]
