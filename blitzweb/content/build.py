"""A tree of HTML to blocks: one pass, without recursion, that leaves out what a person does not see (CONTENT-02).

What each element means is in `elements`; here is only the walk. A page of more than `MAX_NODES` nodes is cut off there.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from blitzweb.content.blocks import Block
from blitzweb.content.elements import DROP, DROPPED, ENTER, SKIP, Enter, Leave, Reader
from blitzweb.content.hiding import HIDING, is_hidden, is_streamed
from blitzweb.content.targets import Targets
from blitzweb.content.tree import TEXT, Node, text_of
from blitzweb.limits import MAX_NODES


class Built(NamedTuple):
    """The blocks of a page, how many characters of it were hidden, and whether it was cut off."""

    blocks: list[Block]
    hidden: int
    cut: bool


def _never() -> bool:
    return False


def build(
    root: Node, targets: Targets, *, streams: Callable[[], bool] = _never, pruned: AbstractSet[int] = frozenset()
) -> Built:
    """Return the blocks of what is below `root`; `pruned` names nodes to leave out, by their `mem_id`.

    `streams` tells whether the page's scripts move hidden blocks into place; it is asked where there are such blocks.
    """
    reader = Reader(targets)
    add_text = reader.flow.add_text
    above: list[tuple[Node, Leave | None]] = []
    node = root.first_child
    left = MAX_NODES
    while node is not None and left:
        left -= 1
        below: Node | None = None
        leave: Leave | None = None
        tag = node.tag
        if tag == TEXT:
            add_text(node.text_content or "")
        elif (enter := ENTER.get(tag)) is not DROP:
            below, leave = _enter(node, enter, reader, streams, pruned)
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
    enter: Enter | None,
    reader: Reader,
    streams: Callable[[], bool],
    pruned: AbstractSet[int],
) -> tuple[Node | None, Leave | None]:
    """Read what a node says by itself; return what to read below it, and what to do after that."""
    attributes = node.attributes
    if (
        attributes
        and not HIDING.isdisjoint(attributes)
        and is_hidden(attributes)
        and not (is_streamed(attributes) and streams())
    ):
        reader.flow.hidden += len(" ".join(text_of(node, DROPPED).split()))
        return None, None
    if pruned and node.mem_id in pruned:
        return None, None
    leave = None if enter is None else enter(reader, node, attributes)
    return (None, None) if leave is SKIP else (node.first_child, leave)
