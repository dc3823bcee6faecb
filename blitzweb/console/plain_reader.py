"""Lines without completion: from a pipe, or where `prompt_toolkit` is not installed."""

from __future__ import annotations

import sys


class PlainReader:
    """Reads stdin; shows the prompt on stderr if a person is there."""

    def read(self, prompt: str) -> str:
        """Return the next line."""
        if sys.stdin.isatty():
            print(prompt, end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line
