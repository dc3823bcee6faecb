"""A body to the lines and links of a page, semantically: no scripts, styles, forms, frames, objects (PAGE-35, PAGE-36).

The root is the first article, else the first main, else the body. Everything is bounded, and what did not fit counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from blitzweb.content.build import build
from blitzweb.content.charset import decode
from blitzweb.content.clip import ellipsize
from blitzweb.content.hazards import find_hazard
from blitzweb.content.head import clean_line, read_head
from blitzweb.content.hiding import is_hidden
from blitzweb.content.invisible import replace_unwritable, strip_invisible
from blitzweb.content.targets import Targets
from blitzweb.content.text import render_text
from blitzweb.content.tree import Node, Parser, attribute, elements, parse, text_of
from blitzweb.limits import (
    MAX_LABEL_CHARS,
    MAX_PAGE_DEPTH,
    MAX_PAGE_LINE_CHARS,
    MAX_PAGE_LINES_BYTES,
    MAX_PAGE_LINKS,
    MAX_PAGE_LINKS_BYTES,
    MAX_PAGE_NODES,
    MAX_TARGET_BYTES,
)
from blitzweb.pages.entries import Content, Link
from blitzweb.pages.failures import PageFailed, Trouble
from blitzweb.policy.urls import UrlRefused, parse_url

DROPPED: Final = frozenset(
    {"script", "style", "noscript", "template", "svg", "iframe", "object", "embed", "form", "head", "frameset"}
)


_MAX_ROOTS: Final = 100  # hidden articles that are looked at before one that is shown


class _Plain(Targets):
    """Resolves nothing: lines show no addresses, which stand with the links."""

    def resolve(self, href: str) -> str:  # noqa: ARG002
        """Return no address."""
        return ""


def extract_html(body: bytes, charset: str | None, *, url: str, parser: Parser = "auto") -> Content:
    """Return what a page of HTML says.

    Raises:
        PageFailed: too many nodes, too deep, or neither line nor link.
    """
    html, _ = decode(body, charset)
    if find_hazard(html) is not None:
        raise PageFailed(Trouble.UNPARSEABLE)
    document = parse(html, parser)
    head = read_head(document)
    root = _find_root(document)
    seen = list(_look_through(root))
    forms = {node.mem_id for node in seen if node.tag == "form"}
    built = build(root, _Plain(url), pruned=forms)
    links = _read_links((node for node in seen if node.tag == "a"), Targets(url, head.base))
    return _bound(head.title, render_text(built.blocks), links)


def extract_plain(body: bytes, charset: str | None) -> Content:
    """Return what a page of plain text says.

    Raises:
        PageFailed: there is not one line.
    """
    text, _ = decode(body, charset, markup=False)
    return _bound("", text, ())


def _find_root(document: Node) -> Node:
    body = next(elements(document, "body"), document)
    for name in ("article", "main"):
        some = islice(elements(body, name), _MAX_ROOTS)
        found = next((node for node in some if _is_seen(node, body)), None)
        if found is not None:
            return found
    return body


def _is_seen(node: Node, body: Node) -> bool:
    """Tell whether nothing drops or hides an element."""
    above: Node | None = node
    while above is not None and above.mem_id != body.mem_id:
        if above.tag in DROPPED or is_hidden(above.attributes):
            return False
        above = above.parent
    return True


def _look_through(root: Node) -> Iterator[Node]:
    """Give what a person sees below the root, and the dropped elements themselves; hold it to the bounds."""
    waiting = [(root.first_child, _depth(root) + 1)]
    left = MAX_PAGE_NODES
    while waiting:
        node, depth = waiting.pop()
        if node is None:
            continue
        left -= 1
        if left < 0 or depth > MAX_PAGE_DEPTH:
            raise PageFailed(Trouble.UNPARSEABLE)
        waiting.append((node.next, depth))
        yield node
        if node.tag not in DROPPED and not is_hidden(node.attributes):
            waiting.append((node.first_child, depth + 1))


def _depth(node: Node) -> int:
    depth, above = 0, node.parent
    while above is not None:
        depth, above = depth + 1, above.parent
    return depth


def _read_links(anchors: Iterable[Node], targets: Targets) -> Iterator[Link]:
    """Give each link to the web once, in the order of the page."""
    given: set[Link] = set()
    for anchor in anchors:
        href = attribute(anchor, "href").strip()
        target = _read_target(targets.resolve(href)) if href and not is_hidden(anchor.attributes) else ""
        if not target:
            continue
        label = ellipsize(_label(anchor), MAX_LABEL_CHARS)
        link = Link(label or target, target)
        if link not in given:
            given.add(link)
            yield link


def _label(anchor: Node) -> str:
    """Return what a link shows: its text, else what it says to those who do not see it."""
    return clean_line(text_of(anchor, DROPPED)) or clean_line(attribute(anchor, "aria-label"))


def _read_target(absolute: str) -> str:
    """Return a link's target without its fragment; empty for one that nobody may go to."""
    try:
        url = parse_url(absolute).without_fragment
    except UrlRefused:
        return ""
    return url if len(url) <= MAX_TARGET_BYTES else ""


def _bound(title: str, text: str, links: Iterable[Link]) -> Content:
    lines, lines_left_out = _fit_lines(_split(text))
    kept, links_left_out = _fit_links(links)
    if not lines and not kept:
        raise PageFailed(Trouble.UNPARSEABLE)
    return Content(title, tuple(lines), tuple(kept), lines_left_out, links_left_out)


def _split(text: str) -> Iterator[str]:
    """Give the lines that say something, none longer than the limit and none with a break inside."""
    seen = replace_unwritable(strip_invisible(text)[0])
    for whole in seen.splitlines():
        line = whole.rstrip()
        while len(line) > MAX_PAGE_LINE_CHARS:
            cut = line.rfind(" ", 1, MAX_PAGE_LINE_CHARS)
            cut = cut if cut > 0 else MAX_PAGE_LINE_CHARS
            yield line[:cut].rstrip()
            line = line[cut:].lstrip()
        if line.strip():
            yield line


def _fit_lines(lines: Iterable[str]) -> tuple[list[str], int]:
    """Return the first lines that fit, and how many did not."""
    kept: list[str] = []
    room, left_out = MAX_PAGE_LINES_BYTES, 0
    for line in lines:
        size = len(line.encode())
        if left_out or size > room:
            left_out += 1
        else:
            kept.append(line)
            room -= size
    return kept, left_out


def _fit_links(links: Iterable[Link]) -> tuple[list[Link], int]:
    """Return the links that fit, and how many did not; a long one does not keep short ones from coming in."""
    kept: list[Link] = []
    room, left_out = MAX_PAGE_LINKS_BYTES, 0
    for link in links:
        size = len(link.label.encode()) + len(link.url.encode())
        if size > room or len(kept) == MAX_PAGE_LINKS:
            left_out += 1
        else:
            kept.append(link)
            room -= size
    return kept, left_out
