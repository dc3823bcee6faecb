"""What a page says about itself: title, base, language, `meta` elements, a refresh (FETCH-03, CONTENT-06)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from blitzweb.content.clip import ellipsize
from blitzweb.content.invisible import replace_unwritable, strip_invisible
from blitzweb.content.targets import Targets, is_web
from blitzweb.content.tree import Node, attribute, text_of, walk
from blitzweb.limits import MAX_TITLE_CHARS

_REFRESH = re.compile(r"\s*\d*\.?\d*\s*[;,]?\s*(?:url\s*=)?\s*(?P<quote>['\"]?)(?P<target>[^\r\n]*)", re.IGNORECASE)
_TELLING: Final = frozenset({"title", "base", "meta"})
_LOOKED_AT: Final = 3_000  # nodes of the head; the longest have 800
# Browsers heed such elements there too, and parsers end the head early at what does not belong in it.
_LOOKED_AT_IN_BODY: Final = 200


@dataclass(slots=True)
class Head:
    """The facts of a page's head; what is missing is empty."""

    title: str = ""
    base: str = ""
    language: str = ""
    refresh: str = ""
    metas: dict[str, str] = field(default_factory=dict)


def read_head(root: Node) -> Head:
    """Return what the page says about itself, wherever in the page the elements stand."""
    head = Head(language=attribute(root, "lang").strip())
    for place, most in zip(_children(root), (_LOOKED_AT, _LOOKED_AT_IN_BODY), strict=False):
        for node, _ in zip(walk(place), range(most), strict=False):
            if node.tag in _TELLING:
                _read(node, head)
    head.title = clean_line(head.title or head.metas.get("og:title", ""))
    return head


def _children(root: Node) -> Iterator[Node]:
    """Give the head and the body."""
    child = root.first_child
    while child is not None:
        if child.tag in {"head", "body"}:
            yield child
        child = child.next


def refresh_target(value: str, targets: Targets) -> str | None:
    """Return where a refresh leads; None for one that loads the same page again or leads to no web page."""
    found = _REFRESH.match(value)
    text = found.group("target") if found else ""
    if found and found.group("quote"):
        text = text.partition(found.group("quote"))[0]
    target = targets.resolve(text.strip()) if text.strip() else ""
    return target if is_web(target) else None


def clean_line(text: str) -> str:
    """Return text of a page as one short line without invisible characters."""
    seen, _ = strip_invisible(" ".join(text.split()))
    return ellipsize(replace_unwritable(" ".join(seen.split())), MAX_TITLE_CHARS)


def _read(element: Node, head: Head) -> None:
    if element.tag == "title":
        parent = element.parent
        if not head.title and (parent is None or parent.tag in {"head", "body", "html"}):
            head.title = text_of(element)
        return
    attributes = element.attributes
    if element.tag == "base":
        head.base = head.base or (attributes.get("href") or "").strip()
        return
    content = attributes.get("content") or ""
    if (attributes.get("http-equiv") or "").lower() == "refresh":
        head.refresh = head.refresh or content
    name = attributes.get("property") or attributes.get("name") or attributes.get("itemprop")
    if name:
        head.metas.setdefault(name.lower(), content)
