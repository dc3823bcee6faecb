"""The one parser seam: HTML text to a tree of read-only nodes, by selectolax (Lexbor) or by html5lib.

Both trees are met through `Node`, which is what selectolax's own nodes offer, so that the fast parser pays nothing for
the seam. Both parse as with scripting on: what stands in `noscript` is text. html5lib is the reference and what runs
where selectolax is missing; it is not linear, so callers keep it in a worker (CONTENT-10).
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from typing import Final, Literal, Protocol

from blitzweb.content.hazards import find_hazard
from blitzweb.content.plain import from_etree
from blitzweb.errors import UnusableContent

Parser = Literal["auto", "html5lib"]

TEXT: Final = "-text"


class Node(Protocol):
    """An element, text (`-text`) or anything else of a document (a tag that starts with `-`)."""

    @property
    def tag(self) -> str | None:
        """The name: in lower case, except in SVG and MathML."""

    @property
    def first_child(self) -> Node | None:
        """The first child."""

    @property
    def next(self) -> Node | None:
        """The next sibling."""

    @property
    def parent(self) -> Node | None:
        """The parent."""

    @property
    def attributes(self) -> dict[str, str | None]:
        """The attributes of an element; one that is empty may have None."""

    @property
    def text_content(self) -> str | None:
        """The text of a text node."""

    @property
    def mem_id(self) -> int:
        """A number that no other node of the tree has."""


def is_fast(parser: Parser) -> bool:
    """Tell whether the fast parser is meant, and installed."""
    return parser == "auto" and importlib.util.find_spec("selectolax") is not None


def parse(html: str, parser: Parser = "auto") -> Node:
    """Return the `html` element of a document that any thread may parse: small, and of no shape that parsers choke on.

    Raises:
        UnusableContent: it is of such a shape.
    """
    if find_hazard(html) is not None:
        raise UnusableContent("the page is nested so deep, or has so many attributes, that it is not parsed")
    return parse_bounded(html, parser)


def parse_bounded(html: str, parser: Parser) -> Node:
    """Return the `html` element of a document; the caller has looked at its shape, or has limits on memory and time."""
    if is_fast(parser):
        return _parse_fast(html)
    return _parse_reference(html)


def walk(root: Node) -> Iterator[Node]:
    """Give all nodes below `root`, in document order, without recursion."""
    above: list[Node] = []
    node = root.first_child
    while node is not None:
        yield node
        below = node.first_child
        if below is not None:
            above.append(node)
            node = below
            continue
        following = node.next
        while following is None and above:
            following = above.pop().next
        node = following


def elements(root: Node, *tags: str) -> Iterator[Node]:
    """Give the elements of these names below `root`, in document order."""
    return (node for node in walk(root) if node.tag in tags)


def attribute(node: Node, name: str) -> str:
    """Return the value of an attribute, empty where it is missing."""
    return node.attributes.get(name) or ""


def text_of(root: Node, skipped: frozenset[str] = frozenset()) -> str:
    """Return all text below a node, apart from what stands in elements of the skipped names; blanks are kept."""
    parts: list[str] = []
    waiting = [root.first_child]
    while waiting:
        node = waiting.pop()
        if node is None:
            continue
        waiting.append(node.next)
        if node.tag == TEXT:
            parts.append(node.text_content or "")
        elif node.tag not in skipped:
            waiting.append(node.first_child)
    return "".join(parts)


def _parse_fast(html: str) -> Node:
    from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

    # Without events: mirroring `selectedcontent` is quadratic, and nothing here reads it.
    document = LexborHTMLParser(html, options=LexborDocumentOptions.WO_EVENTS.value, scripting=True)
    root: Node | None = document.root
    assert root is not None, "every document has an html element"  # noqa: S101
    return root


def _parse_reference(html: str) -> Node:
    import html5lib

    builder = html5lib.treebuilders.getTreeBuilder("etree")
    document = html5lib.HTMLParser(builder, namespaceHTMLElements=False).parse(html, scripting=True)
    return from_etree(document)
