"""What a page says about itself: title, base, language, `meta` elements, a refresh (FETCH-03, CONTENT-06)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from blitzweb.content.clip import ellipsize
from blitzweb.content.invisible import replace_unwritable, strip_invisible
from blitzweb.content.targets import Targets, is_web
from blitzweb.content.tree import Node, attribute, elements, text_of
from blitzweb.limits import MAX_TITLE_CHARS

_REFRESH = re.compile(r"\s*\d*\.?\d*\s*[;,]?\s*(?:url\s*=)?\s*(?P<quote>['\"]?)(?P<target>[^\r\n]*)", re.IGNORECASE)
_BASE = re.compile(r"<base\b", re.IGNORECASE)
_META = re.compile(r"<meta\b", re.IGNORECASE)


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
    top = root.first_child
    places = [top] if top is not None else []
    if top is not None and top.next is not None and not _is_whole(top):
        places.append(top.next)
    for place in places:
        for element in elements(place, "title", "base", "meta"):
            _read(element, head)
    head.title = clean_line(head.title or head.metas.get("og:title", ""))
    return head


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


def _is_whole(head: Node) -> bool:
    """Tell whether the head has its title: parsers end it early at what does not belong there."""
    return next(elements(head, "title"), None) is not None


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
