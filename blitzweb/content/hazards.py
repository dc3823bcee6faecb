"""Which HTML no parser reads in linear time: found in one linear pass, before any parser sees it (CONTENT-10).

Three shapes cost parsers the square of their length or more: elements nested by the thousand, thousands of attributes
in one tag, and unclosed formatting that is opened anew in every block. What is far from them may be parsed anywhere;
the rest needs a worker, where what is beyond reading is cut off. The pass knows no scripts and comments: it may take a
page for worse than it is, never for better.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from operator import itemgetter
from typing import Final, NamedTuple

# Possessive throughout, so that nothing is looked at twice: an unclosed quote is passed over as one character.
_REST: Final = r"""((?:[^>"'=]++|=[ \t\r\n\f]*+(?:"[^"]*+"|'[^']*+')?+|["'])*+)"""
_START_TAG = re.compile(r"<([a-zA-Z][^\s/>]*+)" + _REST)
_ANY_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*+)" + _REST)
_ATTRIBUTE = re.compile(r"""[^\s/"'=]++(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s"']++)?+)?+""")
_CHARS_PER_ATTRIBUTE: Final = 2  # the shortest: a letter and a blank

_UNNESTED: Final = frozenset(
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
        *("p", "li", "dt", "dd", "tr", "td", "th", "tbody", "thead", "tfoot", "colgroup", "option", "optgroup"),
        *("rp", "rt", "html", "head", "body"),
        # An `a` closes the one before; of the others, all up to the end tag is text.
        *("a", "script", "style", "title", "textarea", "noscript", "iframe", "xmp", "noembed", "noframes"),
    }
)
# Without `a` and `nobr`, which close the one before.
_FORMATTING: Final = frozenset({"b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u"})


class Bounds(NamedTuple):
    """How much of each shape is allowed; `reopened` counts elements that open formatting makes parsers add."""

    depth: int
    attributes: int
    reopened: int


ANYWHERE: Final = Bounds(depth=2_000, attributes=1_000, reopened=400_000)  # a few milliseconds each
IN_WORKER: Final = Bounds(depth=8_000, attributes=8_000, reopened=1_000_000)  # about 0.1 s each


def find_hazard(html: str, bounds: Bounds = ANYWHERE) -> int | None:
    """Return where a page goes beyond the bounds; None for one that stays within them."""
    tags = _START_TAG.findall(html)
    names = Counter(map(itemgetter(0), tags))
    nested = sum(count for name, count in names.items() if name.lower() not in _UNNESTED)
    formatting = sum(count for name, count in names.items() if name.lower() in _FORMATTING)
    if nested <= bounds.depth and formatting * len(tags) <= bounds.reopened:
        longest = max(map(len, map(itemgetter(1), tags)), default=0)
        if longest <= bounds.attributes * _CHARS_PER_ATTRIBUTE:
            return None
        if not any(_has_more(rest, bounds.attributes) for _, rest in tags):
            return None
    return next(_beyond(html, bounds), None)


def _beyond(html: str, bounds: Bounds) -> Iterator[int]:
    """Give the places of the tags that go beyond the bounds."""
    opened: Counter[str] = Counter()
    depth = formatting = reopened = 0
    for tag in _ANY_TAG.finditer(html):
        slash, name, rest = tag.groups()
        name = name.lower()
        step = 0 if name in _UNNESTED else 1
        if slash:
            step = -step if opened[name] else 0
        else:
            reopened += formatting
        opened[name] += step
        depth += step
        formatting += step if name in _FORMATTING else 0
        if depth > bounds.depth or reopened > bounds.reopened or _has_more(rest, bounds.attributes):
            yield tag.start()


def _has_more(rest: str, attributes: int) -> bool:
    """Tell whether a tag has more attributes than allowed."""
    if len(rest) <= attributes * _CHARS_PER_ATTRIBUTE:
        return False
    return sum(1 for _ in _ATTRIBUTE.finditer(rest)) > attributes
