"""Shapes of HTML that cost a parser the square of their size, found by one linear look before they are parsed.

Nesting by the ten thousand and tags with ten thousands of attributes are never a page that somebody wants to read: no
real page that was measured nests deeper than 800.
"""

from __future__ import annotations

import re
from typing import Final

from blitzweb.limits import MAX_ATTRIBUTES, MAX_NESTING

_TAG: Final = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
_TAG_START: Final = re.compile(r"<[a-zA-Z]")
# Void, or closed by what follows.
_UNCOUNTED: Final = frozenset(
    {
        *(
            "area",
            "base",
            "br",
            "col",
            "embed",
            "hr",
            "img",
            "input",
            "link",
            "meta",
            "param",
            "source",
            "track",
            "wbr",
        ),
        *("html", "head", "body", "p", "li", "dt", "dd", "option", "optgroup", "rt", "rp"),
        *("colgroup", "caption", "thead", "tbody", "tfoot", "tr", "td", "th"),
    }
)


def find_hazard(html: str) -> str | None:
    """Return what makes a page too dear to parse, or `None`."""
    if html.count("<") > MAX_NESTING and _nests_too_deep(html):
        return f"its elements are nested deeper than {MAX_NESTING}"
    if any(_has_too_many_attributes(part) for part in html.split(">")):
        return f"one of its tags has more than {MAX_ATTRIBUTES} attributes"
    return None


def _nests_too_deep(html: str) -> bool:
    depth = 0
    for closing, name in _TAG.findall(html):
        if name.lower() in _UNCOUNTED:
            continue
        depth = max(0, depth - 1) if closing else depth + 1
        if depth > MAX_NESTING:
            return True
    return False


def _has_too_many_attributes(part: str) -> bool:
    """Judge what stands before a `>`: text, and perhaps a tag at its end."""
    if len(part) <= MAX_ATTRIBUTES:
        return False
    start = _TAG_START.search(part)
    return start is not None and len(part[start.start() :].split(None, MAX_ATTRIBUTES + 1)) > MAX_ATTRIBUTES
