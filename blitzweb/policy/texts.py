"""How a value that came from outside is shown inside the text of a refusal.

Its one responsibility: quote so that no control character, invisible character, password or endless value reaches a
person, a model or a log by way of an error (POLICY-14).
"""

from __future__ import annotations

import re

from blitzweb.limits import MAX_QUOTED_CHARS

_AUTHORITY_ENDS = re.compile(r"([/?#])")


def quoted(text: str) -> str:
    r"""Return `text` in double quotes, clipped, with everything that does not print as `\u{…}`."""
    shown = text if len(text) <= MAX_QUOTED_CHARS else text[: MAX_QUOTED_CHARS - 1] + "…"
    return '"' + "".join(char if char.isprintable() else f"\\u{{{ord(char):x}}}" for char in shown) + '"'


def quoted_url(text: str) -> str:
    """Return a text that may be a URL in quotes, without what may be a user and a password."""
    parts = (part.rpartition("@") for part in _AUTHORITY_ENDS.split(text))
    return quoted("".join(f"…@{rest}" if at else rest for _, at, rest in parts))
