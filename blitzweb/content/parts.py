"""A tree as parts with figures: how much text stands in each block, how much of it is linked, what its names hint at.

One pass, and one back over the parts. Hidden elements have no part. What the figures mean is `article`'s.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from blitzweb.content.elements import DROPPED
from blitzweb.content.hiding import HIDING, Attributes, is_hidden
from blitzweb.content.tree import TEXT, Node
from blitzweb.limits import MAX_NODES

_BLOCKS: Final = frozenset(
    {
        *("html", "body", "div", "section", "article", "main", "header", "footer", "aside", "nav", "form", "fieldset"),
        *("p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "ul", "ol", "li", "dl", "dt", "dd"),
        *(
            "table",
            "thead",
            "tbody",
            "tfoot",
            "tr",
            "td",
            "th",
            "caption",
            "figure",
            "figcaption",
            "address",
            "details",
        ),
        *("summary", "center", "hgroup", "search", "select", "button", "label", "textarea", "legend"),
    }
)


@dataclass(slots=True, eq=False)
class Part:
    """A block of the page. `own` counts characters that stand in no smaller block, `text` all of them."""

    node: Node
    tag: str
    names: str = ""  # class and id
    role: str = ""  # role and itemprop
    order: int = 0  # among all parts of the page
    above: Part | None = None
    below: list[Part] = field(default_factory=list)
    own: int = 0
    own_linked: int = 0
    own_first: int = 0  # the order of the part that would begin after the first, and the last, text of its own
    own_last: int = 0
    text: int = 0
    linked: int = 0
    weight: float = 0.0
    excluded: bool = False

    @property
    def link_density(self) -> float:
        """The share of the text that is linked."""
        return self.linked / self.text if self.text else 0.0


def measure(root: Node) -> list[Part]:
    """Return the parts of a page in document order, `root` first."""
    parts = [_new_part(root, root.attributes, None)]
    part, linked = parts[0], False
    above: list[tuple[Node, Part, bool]] = []
    node = root.first_child
    left = MAX_NODES
    while node is not None and left:
        left -= 1
        below = node.first_child
        outer = (node, part, linked)
        if node.tag == TEXT:
            _count(part, node.text_content or "", linked=linked, order=len(parts))
        elif _is_read(node):
            if node.tag in _BLOCKS:
                part = _new_part(node, node.attributes, part)
                part.order = len(parts)
                parts.append(part)
            elif node.tag == "a":
                linked = True
        else:
            below = None
        if below is not None:
            above.append(outer)
            node = below
            continue
        _, part, linked = outer
        following = node.next
        while following is None and above:
            node, part, linked = above.pop()
            following = node.next
        node = following
    _sum_up(parts)
    return parts


def _is_read(node: Node) -> bool:
    """Tell whether what is in an element is text of the page."""
    tag = node.tag
    if tag is None or tag[0] == "-" or tag in DROPPED:
        return False
    attributes = node.attributes
    return not attributes or HIDING.isdisjoint(attributes) or not is_hidden(attributes)


def _new_part(node: Node, attributes: Attributes, above: Part | None) -> Part:
    part = Part(node, node.tag or "", above=above)
    if attributes:
        part.names = f"{attributes.get('class') or ''} {attributes.get('id') or ''}".lower()
        part.role = f"{attributes.get('role') or ''} {attributes.get('itemprop') or ''}".lower()
    if above is not None:
        above.below.append(part)
    return part


def _count(part: Part, text: str, *, linked: bool, order: int) -> None:
    if text.isspace():
        return
    part.own_first = part.own_first or order
    part.own_last = order
    length = len(" ".join(text.split())) if "\n" in text or "  " in text else len(text)
    part.own += length
    if linked:
        part.own_linked += length


def _sum_up(parts: list[Part]) -> None:
    """Add to every part what stands in those below it."""
    for part in reversed(parts):
        part.text += part.own
        part.linked += part.own_linked
        if part.above is not None:
            part.above.text += part.text
            part.above.linked += part.linked
