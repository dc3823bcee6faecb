"""A page of HTML to its outline: title, text and links, semantically, as the page tools show it (PAGE-35).

The root is the first article, else the first main, else the body; no scripts, styles, forms, frames, objects. What is
hidden is left out. Bounds on what is shown of it are not decided here.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from blitzweb.content.build import build
from blitzweb.content.charset import decode
from blitzweb.content.convert import NeedsBounds
from blitzweb.content.hazards import ANYWHERE, find_hazard
from blitzweb.content.head import clean_line, read_head
from blitzweb.content.hiding import is_hidden
from blitzweb.content.targets import Targets
from blitzweb.content.text import render_text
from blitzweb.content.tree import Node, Parser, attribute, elements, is_fast, parse, text_of
from blitzweb.errors import UnusableContent
from blitzweb.limits import MAX_PAGE_DEPTH, MAX_PAGE_NODES, MAX_UNBOUNDED_BYTES

DROPPED: Final = frozenset(
    {"script", "style", "noscript", "template", "svg", "iframe", "object", "embed", "form", "head", "frameset"}
)
_MAX_ROOTS: Final = 100  # hidden articles that are looked at before one that is shown


class _Plain(Targets):
    """Resolves nothing: lines show no addresses, which stand with the links."""

    def resolve(self, href: str) -> str:  # noqa: ARG002
        """Return no address."""
        return ""


class Outline(NamedTuple):
    """What a page says; `links` are labels and absolute addresses in the order of the page, not yet judged."""

    title: str
    text: str
    links: tuple[tuple[str, str], ...]


def read_outline(
    body: bytes, *, charset: str | None, url: str, parser: Parser = "auto", bounded: bool = False
) -> Outline:
    """Return the outline of a page; `bounded` says that the caller has limits on memory and time.

    Raises:
        NeedsBounds: the body is one to be read in a worker.
        UnusableContent: too many nodes, or nested too deep.
    """
    if not bounded and len(body) > MAX_UNBOUNDED_BYTES:
        raise NeedsBounds(reusable=True)
    html, _ = decode(body, charset)
    if find_hazard(html, ANYWHERE) is not None:
        raise UnusableContent("the page has too many nodes, or is nested too deep")
    if not bounded and not is_fast(parser):
        raise NeedsBounds(reusable=True)
    document = parse(html, parser)
    head = read_head(document)
    root = _find_root(document)
    seen = list(_look_through(root))
    forms = {node.mem_id for node in seen if node.tag == "form"}
    built = build(root, _Plain(url), pruned=forms)
    links = _read_links((node for node in seen if node.tag == "a"), Targets(url, head.base))
    return Outline(head.title, render_text(built.blocks), tuple(links))


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
            raise UnusableContent("the page has too many nodes, or is nested too deep")
        waiting.append((node.next, depth))
        yield node
        if node.tag not in DROPPED and not is_hidden(node.attributes):
            waiting.append((node.first_child, depth + 1))


def _depth(node: Node) -> int:
    depth, above = 0, node.parent
    while above is not None:
        depth, above = depth + 1, above.parent
    return depth


def _read_links(anchors: Iterator[Node], targets: Targets) -> Iterator[tuple[str, str]]:
    """Give what each link that is seen shows, and where it leads."""
    for anchor in anchors:
        href = attribute(anchor, "href").strip()
        target = targets.resolve(href) if href and not is_hidden(anchor.attributes) else ""
        if target:
            yield _label(anchor), target


def _label(anchor: Node) -> str:
    """Return what a link shows: its text, else what it says to those who do not see it."""
    return clean_line(text_of(anchor, DROPPED)) or clean_line(attribute(anchor, "aria-label"))
