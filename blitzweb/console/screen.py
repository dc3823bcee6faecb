"""What people see: text on stdout, notes and questions on stderr; colour and wrapping where `rich` is installed.

Everything passes `printable`, so that no page can drive the terminal.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Sequence
from typing import Any, Protocol

from blitzweb.console.printable import one_line, printable, printable_json


class Screen(Protocol):
    """Where a console writes. `style` is one of title, good, warn, error, dim, sent, taken, or nothing."""

    def say(self, text: str, style: str = "") -> None:
        """Write text to stdout."""
        ...

    def note(self, text: str, style: str = "") -> None:
        """Write text to stderr: what is not the answer."""
        ...

    def ask(self, text: str) -> None:
        """Write a question to stderr, without a newline at its end."""
        ...

    def explain(self, text: str, style: str = "") -> None:
        """Write prose to stdout, which may be wrapped between its words."""
        ...

    def table(self, rows: Sequence[Sequence[str]], heads: Sequence[str]) -> None:
        """Write a table to stdout."""
        ...

    def value(self, value: Any) -> None:
        """Write JSON for people to stdout."""
        ...


class PlainScreen:
    """Text without colour."""

    def say(self, text: str, style: str = "") -> None:
        """Write text to stdout."""
        del style
        print(printable(text), flush=True)

    def note(self, text: str, style: str = "") -> None:
        """Write text to stderr."""
        del style
        print(printable(text), file=sys.stderr, flush=True)

    def ask(self, text: str) -> None:
        """Write a question to stderr."""
        print(printable(text), end="", file=sys.stderr, flush=True)

    def explain(self, text: str, style: str = "") -> None:
        """Write prose to stdout."""
        self.say(text, style)

    def table(self, rows: Sequence[Sequence[str]], heads: Sequence[str]) -> None:
        """Write columns as wide as their longest cell."""
        lines = [[one_line(cell) for cell in line] for line in (heads, *rows)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        for line in lines:
            cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
            print("  ".join(cells).rstrip(), flush=True)

    def value(self, value: Any) -> None:
        """Write JSON over several lines."""
        print(pretty(value), flush=True)


def open_screen() -> Screen:
    """Return the screen for this process: coloured if stdout or stderr is a terminal and `rich` is installed."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without UTF-8 is no reason to fail
    if sys.stdout.isatty() or sys.stderr.isatty():
        try:
            from blitzweb.console.rich_screen import RichScreen
        except ImportError:
            return PlainScreen()
        return RichScreen()
    return PlainScreen()


def pretty(value: Any) -> str:
    """Return JSON for people."""
    return "\n".join(map(printable_json, json.dumps(value, ensure_ascii=False, indent=2).split("\n")))
