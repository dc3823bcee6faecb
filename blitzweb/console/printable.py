"""What comes from the web, made fit for a terminal: no escape sequence, no turned text direction, no forged line.

Values only.
"""

from __future__ import annotations

import re

# C0 but tab and newline, DEL, C1; the controls that turn text round; the separators that terminals take for newlines.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """Return text whose controls are written out in hexadecimal; tabs and newlines stay."""
    return _UNSAFE.sub(lambda found: _written_out(found[0]), text)


def one_line(text: str) -> str:
    """Return text that can end no line."""
    return printable(text).replace("\n", "\\n").replace("\t", " ")


def printable_json(text: str) -> str:
    """Return JSON text of the same meaning without controls: those that JSON leaves as they are stand in strings."""
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _written_out(char: str) -> str:
    return f"\\x{ord(char):02x}" if ord(char) < 0x100 else f"\\u{ord(char):04x}"  # noqa: PLR2004
