"""The main content of a page: which part holds it, and what in it is not of it (CONTENT-06).

Prose is a block's own text that is longer than a label and not mostly linked. The main content is the smallest part
that holds most of the prose, where prose that stands together counts for more than prose that is scattered; then what
comes before and after its prose, and what its own names call something else, is left out. Nothing here knows a site.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from blitzweb.content.parts import Part, measure
from blitzweb.content.tree import Node, text_of

# What authors of pages call what is not the article, as whole words of class and id.
_OTHER: Final = (
    *(r"ads?", r"advert\w*", "agegate", "also-?read", "authors?", "banner", "bio", "breadcrumbs?", "byline", "caption"),
    *(
        "combx",
        "commentlist",
        "comments?",
        "community",
        "consent",
        "cookies?",
        "credit",
        "disclaimer",
        "disqus",
        "email",
    ),
    *(
        "extra",
        "foot",
        "footer",
        "gdpr",
        "latest",
        "legends",
        "login",
        "masthead",
        "menu",
        "meta",
        "modal",
        "more-?from",
    ),
    *("most-?read", "nav", "navbar", "navigation", "newsletter", "outbrain", "overlay", "pager", r"paginat\w+"),
    *("popular", "popup", "print", r"promo\w*", "read-?more", r"recirc\w*", r"recommend\w*", r"related\w*", "remark"),
    *("replies", "respond", "rss", r"share\w*", "sharing", "shoutbox", "sidebars?", "sign-?up", "skyscraper"),
    *(r"social\w*", r"sponsor\w*", r"subscri\w+", "supplemental", "taboola", "tagcloud", "tags?", "toc", "toolbar"),
    *("tools", "trending", r"widget\w*"),
)
_UNLIKELY = re.compile(rf"(?:^|[\s_-])(?:{'|'.join(_OTHER)})(?:$|[\s_-])")
_LIKELY = re.compile(r"(?:article|entry|post|story)-?(?:body|content|text)")
_OTHER_ROLES: Final = frozenset(
    {
        *("alert", "alertdialog", "banner", "complementary", "contentinfo", "dialog", "menu", "menubar"),
        *("navigation", "search"),
    }
)
_NEVER: Final = frozenset({"nav", "aside", "footer", "form", "select", "button", "search", "textarea", "label"})
_NAMED: Final = frozenset({"html", "body", "article", "main", "p"})  # whatever their names say
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LEAVES: Final = frozenset({"p", "pre", "blockquote", "td", "dd", "li", "tr", "ul", "ol", "table", "tbody"})
_LISTS: Final = frozenset({"div", "section", "ul", "ol", "table", "header", "dl"})

_SHORTEST_PROSE: Final = 25  # characters
_LONG_PROSE: Final = 100  # stays prose among links
_MOST: Final = 0.8
_TOGETHER: Final = 1.25  # the power to which the prose in one holder counts
_CONTINUED: Final = 0.1  # the share of prose beside a part that makes it a piece of a larger one
_ENOUGH: Final = 0.3  # of the prose of the page: what has less is taken to be excluded by mistake
_LEAST_SHARE: Final = 0.15  # an article that keeps less of the page's prose is none
_LEAST_CHARS: Final = 200
_LINKED: Final = 0.6  # the share of links above which a list is navigation
_LEAST_TITLE: Final = 10
_BLANKS = re.compile(r"\W+")


@dataclass(frozen=True, slots=True)
class Article:
    """The part that holds the main content, and what in it to leave out, by `mem_id`."""

    root: Node
    pruned: frozenset[int]


def find_article(root: Node, title: str = "") -> Article | None:
    """Return where the main content of a page is; None where no part stands out, and the page is to be read whole."""
    parts = measure(root)
    whole = sum(map(_prose, parts))
    for lenient in (False, True):
        _exclude(parts, lenient=lenient)
        kept = sum(_prose(part) for part in parts if not part.excluded)
        if kept > whole * _ENOUGH:
            break
    best = _descend(parts[0], _weigh(parts))
    inner = list(_below(best))
    title_at = _find_title(inner, title)
    texts = [part for part in inner if part.order > title_at and _prose(part) and not part.excluded]
    own = _prose(best) if best.own_last > title_at else 0
    if own + sum(map(_prose, texts)) < max(_LEAST_CHARS, whole * _LEAST_SHARE):
        return None
    first = min([part.order for part in texts[:1]] + ([max(best.own_first, title_at + 1)] if own else []))
    last = max([_end(part) for part in texts] + ([best.own_last] if own else []))
    return Article(best.node, frozenset(_clutter(inner, first, last)))


def _end(part: Part) -> int:
    """Return the order of the first part behind all that is in one."""
    while part.below:
        part = part.below[-1]
    return part.order + 1


def _prose(part: Part) -> int:
    """Return the characters of a part's own text, if it reads like prose."""
    free = part.own - part.own_linked
    if part.tag in _HEADINGS or free < _SHORTEST_PROSE or (part.own_linked > free and free < _LONG_PROSE):
        return 0
    return free


def _exclude(parts: list[Part], *, lenient: bool) -> None:
    """Mark the parts that are not of an article by their tag, role or name, and all below them."""
    for part in parts:
        part.excluded = (part.above is not None and part.above.excluded) or _is_other(part, lenient=lenient)


def _is_other(part: Part, *, lenient: bool) -> bool:
    if part.tag in _NEVER or (part.role and not _OTHER_ROLES.isdisjoint(part.role.split())):
        return not (lenient and part.tag in {"form", "aside"})
    if lenient or part.tag in _NAMED or not part.names:
        return False
    return _UNLIKELY.search(part.names) is not None and _LIKELY.search(part.names) is None


def _weigh(parts: list[Part]) -> dict[Part, int]:
    """Give every part the weight of the prose below it; return how much prose each holder holds."""
    together: dict[Part, int] = {}
    for part in parts:
        if not part.excluded and (prose := _prose(part)):
            holder = _holder(part)
            together[holder] = together.get(holder, 0) + prose
    for part in reversed(parts):
        part.weight += together.get(part, 0) ** _TOGETHER
        if part.above is not None:
            part.above.weight += part.weight
    return together


def _holder(part: Part) -> Part:
    """Return what holds a paragraph beside others."""
    holder = part if part.below or part.above is None else part.above
    while holder.tag in _LEAVES and holder.above is not None:
        holder = holder.above
    return holder


def _descend(page: Part, together: dict[Part, int]) -> Part:
    """Return the smallest part that holds most of the weight, and no paragraph of the same text outside of it."""
    part = page
    while part.below:
        heaviest = max(part.below, key=lambda below: below.weight)
        if heaviest.weight < part.weight * _MOST or heaviest.tag in _LEAVES:
            break
        part = heaviest
    while part.above is not None and together.get(part.above, 0) > part.text * _CONTINUED:
        part = part.above
    return part


def _below(part: Part) -> Iterator[Part]:
    """Give the parts below one, in document order."""
    waiting = part.below[::-1]
    while waiting:
        inner = waiting.pop()
        yield inner
        waiting.extend(reversed(inner.below))


def _find_title(inner: list[Part], title: str) -> int:
    """Return the order of the heading that says the page's title; 0 where there is none."""
    wanted = _BLANKS.sub(" ", title).strip().lower()
    for part in inner:
        if part.tag in _HEADINGS and part.text >= _LEAST_TITLE:
            heading = _BLANKS.sub(" ", text_of(part.node)).strip().lower()
            if len(heading) >= _LEAST_TITLE and heading in wanted:
                return part.order
    return 0


def _clutter(inner: list[Part], first: int, last: int) -> Iterator[int]:
    """Give what to leave out: what ends before the prose or begins after it, what is excluded, and navigation."""
    for part in inner:
        outside = _end(part) <= first or part.order >= last
        if outside or part.excluded or _is_navigation(part):
            yield part.node.mem_id


def _is_navigation(part: Part) -> bool:
    return part.tag in _LISTS and part.text > 0 and part.weight == 0 and part.link_density > _LINKED
