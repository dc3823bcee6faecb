"""A tree of HTML to blocks: one pass, without recursion, that leaves out what a person does not see (CONTENT-02).

What each element means is in `elements`; here is only the walk. A page of more than `MAX_NODES` nodes is cut off there.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import NamedTuple

from blitzweb.content.blocks import Block
from blitzweb.content.elements import DROP, DROPPED, ENTER, SKIP, Elements, Leave
from blitzweb.content.hiding import HIDING, is_hidden
from blitzweb.content.targets import Targets
from blitzweb.content.tree import TEXT, Node, text_of
from blitzweb.limits import MAX_NODES


class Built(NamedTuple):
    """The blocks of a page, how many characters of it were hidden, and whether it was cut off."""

    blocks: list[Block]
    hidden: int
    cut: bool


def build(root: Node, targets: Targets, *, streaming: bool = False, pruned: AbstractSet[int] = frozenset()) -> Built:
    """Return the blocks of what is below `root`; `pruned` names nodes to leave out, by their `mem_id`."""
    reader = Elements(targets)
    flow = reader.flow
    above: list[tuple[Node, Leave | None]] = []
    node = root.first_child
    left = MAX_NODES
    while node is not None and left:
        left -= 1
        below: Node | None = None
        leave: Leave | None = None
        tag = node.tag
        if tag == TEXT:
            flow.add_text(node.text_content or "")
        elif (enter := ENTER.get(tag)) is not DROP:
            attributes = node.attributes
            if attributes and not HIDING.isdisjoint(attributes) and is_hidden(attributes, streaming=streaming):
                flow.hidden += len(" ".join(text_of(node, DROPPED).split()))
            elif not pruned or node.mem_id not in pruned:
                below = node.first_child
                leave = enter(reader, node, attributes) if enter is not None else None
                if leave is SKIP:
                    below = leave = None
        if below is not None:
            above.append((node, leave))
            node = below
            continue
        if leave is not None:
            leave(reader)
        following = node.next
        while following is None and above:
            node, leave = above.pop()
            if leave is not None:
                leave(reader)
            following = node.next
        node = following
    for _, leave in reversed(above):
        if leave is not None:
            leave(reader)
    flow.end_paragraph(spaced=False)
    return Built(flow.top, flow.hidden, cut=node is not None)
