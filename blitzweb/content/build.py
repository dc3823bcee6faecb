"""A tree of HTML to blocks: one pass, without recursion, that leaves out what a person does not see (CONTENT-02).

What each element means is in `elements`; here is only the walk. A page of more than `MAX_NODES` nodes is cut off there.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import NamedTuple

from blitzweb.content.blocks import Block
from blitzweb.content.elements import DROP, DROPPED, ENTER, SKIP, Leave, Reader
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
    reader = Reader(targets)
    above: list[tuple[Node, Leave | None]] = []
    node = root.first_child
    left = MAX_NODES
    while node is not None and left:
        left -= 1
        below, leave = _enter(node, reader, streaming, pruned)
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
    reader.flow.end_paragraph(spaced=False)
    return Built(reader.flow.top, reader.flow.hidden, cut=node is not None)


def _enter(
    node: Node,
    reader: Reader,
    streaming: bool,  # noqa: FBT001  # called for every node
    pruned: AbstractSet[int],
) -> tuple[Node | None, Leave | None]:
    """Read what a node says by itself; return what to read below it, and what to do after that."""
    tag = node.tag
    if tag == TEXT:
        reader.flow.add_text(node.text_content or "")
        return None, None
    enter = ENTER.get(tag)
    if enter is DROP:
        return None, None
    attributes = node.attributes
    if attributes and not HIDING.isdisjoint(attributes) and is_hidden(attributes, streaming=streaming):
        reader.flow.hidden += len(" ".join(text_of(node, DROPPED).split()))
        return None, None
    if pruned and node.mem_id in pruned:
        return None, None
    leave = None if enter is None else enter(reader, node, attributes)
    return (None, None) if leave is SKIP else (node.first_child, leave)
