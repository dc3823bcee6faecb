"""Who wrote an article, when, and in what language, as the page says it to machines or to readers (CONTENT-06)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, Final, NamedTuple

from blitzweb.content.head import Head, clean_line
from blitzweb.content.hiding import Attributes, is_hidden
from blitzweb.content.tree import Node, attribute, elements, text_of, walk
from blitzweb.limits import MAX_BYLINE_CHARS, MAX_LINKED_DATA_CHARS, MAX_NODES

_AUTHORS: Final = (
    "author",
    "article:author",
    "parsely-author",
    "dc.creator",
    "dcterms.creator",
    "sailthru.author",
    "byl",
)
_DATES: Final = (
    *("article:published_time", "datepublished", "og:published_time", "parsely-pub-date", "dc.date", "dc.date.issued"),
    *("dcterms.created", "date", "pubdate", "publishdate", "sailthru.date", "article:modified_time"),
)
_BYLINE = re.compile(r"(?:^|[\s_-])(?:byline|author|post-author|entry-author|article-author)(?:$|[\s_-])")
_BY = re.compile(r"^(?:by|von|par|por|di|door|av)\b[\s:]*", re.IGNORECASE)
_DATED = re.compile(r"\d\d|\d[:/.]")  # a line that says more than who
_DATE = re.compile(r"(?:19|20)\d{2}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")
_MAX_DEPTH: Final = 6
_NAMING: Final = frozenset({"a", "span", "div", "p", "address", "strong", "em", "li", "cite", "h4"})
_UNREAD: Final = frozenset({"script", "style", "template", "svg"})


class Byline(NamedTuple):
    """What is known; None for what is not."""

    author: str | None
    date: str | None
    language: str | None
    headline: str | None


def read_byline(root: Node, head: Head) -> Byline:
    """Return what the page says: its `meta` elements first, then its linked data, then what a reader sees."""
    metas = head.metas
    author = _first((metas.get(name, "") for name in _AUTHORS), _author)
    date = _first((metas.get(name, "") for name in _DATES), _date)
    headline = metas.get("og:title")
    # Each of these walks the whole page: only for what is still missing.
    linked = {} if author and date and headline else _linked_data(root)
    author = author or _first(chain([linked.get("author", "")], _visible_authors(root)), _author)
    date = date or _first(chain([linked.get("date", "")], _visible_dates(root)), _date)
    language = _first([head.language, metas.get("og:locale", "")], _language)
    return Byline(author, date, language, clean_line(headline or linked.get("headline") or head.title) or None)


def _first(candidates: Iterable[str], read: Callable[[str], str]) -> str | None:
    return next((value for candidate in candidates if (value := read(candidate))), None)


def _author(text: str) -> str:
    """Return a name; empty for an address, a paragraph, or a line that says when too."""
    name = _BY.sub("", clean_line(text)).strip(" ,|·-")
    wrong = name.startswith(("http:", "https:", "@")) or len(name) > MAX_BYLINE_CHARS or _DATED.search(name)
    return "" if wrong else name


def _date(text: str) -> str:
    """Return a date of ISO 8601, with its time if it has one."""
    found = _DATE.search(text)
    return found.group().replace(" ", "T") if found else ""


def _language(text: str) -> str:
    found = _LANGUAGE.fullmatch(text.strip())
    return found.group().replace("_", "-") if found else ""


def _visible_authors(root: Node) -> Iterator[str]:
    for node, _ in zip(walk(root), range(MAX_NODES), strict=False):
        if node.tag in _NAMING:
            attributes = node.attributes
            if attributes and _names_author(attributes) and not is_hidden(attributes):
                yield text_of(node, _UNREAD)


def _names_author(attributes: Attributes) -> bool:
    """Tell whether an element says by its markup that it holds an author's name."""
    if "author" in (attributes.get("rel") or "", attributes.get("itemprop") or ""):
        return True
    return _BYLINE.search(f"{attributes.get('class') or ''} {attributes.get('id') or ''}".lower()) is not None


def _visible_dates(root: Node) -> Iterator[str]:
    for node in elements(root, "time", "meta"):
        if node.tag == "time" or "datepublished" in attribute(node, "itemprop").lower():
            yield attribute(node, "datetime") or attribute(node, "content")


def _linked_data(root: Node) -> dict[str, str]:
    """Return author, date and headline of the first object of linked data that has a date or a headline."""
    for script in elements(root, "script"):
        if attribute(script, "type").strip().lower() != "application/ld+json":
            continue
        text = text_of(script)
        if len(text) <= MAX_LINKED_DATA_CHARS and (found := _read_linked_data(text)):
            return found
    return {}


def _read_linked_data(text: str) -> dict[str, str]:
    try:
        data = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return {}
    for thing in _things(data, _MAX_DEPTH):
        if isinstance(thing.get("datePublished"), str) or isinstance(thing.get("headline"), str):
            found = {"author": _names(thing.get("author")), "date": thing.get("datePublished")}
            found["headline"] = thing.get("headline")
            return {name: value for name, value in found.items() if isinstance(value, str)}
    return {}


def _things(data: Any, depth: int) -> Iterator[dict[str, Any]]:
    """Give all objects in JSON, the outer ones first."""
    if not depth:
        return
    if isinstance(data, dict):
        yield data
        data = list(data.values())
    if isinstance(data, list):
        for inner in data:
            yield from _things(inner, depth - 1)


def _names(author: Any) -> str:
    """Return the names of one author or of several."""
    if isinstance(author, list):
        return ", ".join(filter(None, map(_names, author)))
    if isinstance(author, dict):
        author = author.get("name")
    return author if isinstance(author, str) else ""
