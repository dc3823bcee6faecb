"""Lists and their items: numbers as the page gives them, and ticks of tasks (WEB-07, CONTENT-05)."""

from __future__ import annotations

from typing import Final

from blitzweb.content.blocks import Item, Listing, Paragraph, Span, says_something
from blitzweb.content.elements.reader import Attributes, Leave, Reader, enter_line, integer
from blitzweb.content.tree import Node


def enter_list(reader: Reader, node: Node, attributes: Attributes) -> Leave | None:
    """Open a list; one that may hold no blocks breaks lines."""
    flow = reader.flow
    reader.counters.append(_counter(node, attributes) if node.tag == "ol" else None)
    if flow.flat or flow.full:
        flow.end_paragraph(spaced=False)
        return _leave_flat_list
    flow.end_paragraph(spaced=False)
    listing = Listing()
    flow.open(listing.items)

    def leave(reader: Reader) -> None:
        reader.counters.pop()
        reader.flow.close()
        if listing.items:
            reader.flow.add(listing)

    return leave


def _leave_flat_list(reader: Reader) -> None:
    reader.counters.pop()
    reader.flow.end_paragraph(spaced=False)


def _counter(node: Node, attributes: Attributes) -> tuple[int, int]:
    """Return the first number of an ordered list, and the step to the next."""
    if "reversed" not in attributes:
        return integer(attributes.get("start"), 1), 1
    items = 0
    child = node.first_child
    while child is not None:
        items += child.tag == "li"
        child = child.next
    return integer(attributes.get("start"), items), -1


def enter_item(reader: Reader, node: Node, attributes: Attributes) -> Leave | None:
    """Open an item with its number."""
    flow = reader.flow
    number = _next_number(reader, attributes)
    if flow.flat or flow.full:
        return enter_line(reader, node, attributes)
    flow.end_paragraph(spaced=False)
    item = Item(number)
    flow.open(item.blocks)

    def leave(reader: Reader) -> None:
        reader.flow.close()
        _read_tick(item)
        if says_something(item.blocks):
            reader.flow.add(item)

    return leave


def _next_number(reader: Reader, attributes: Attributes) -> int | None:
    counter = reader.counters[-1] if reader.counters else None
    if counter is None:
        return None
    number = integer(attributes.get("value"), counter[0])
    reader.counters[-1] = (number + counter[1], counter[1])
    return number


_TICKS: Final = {"\x00[x]": True, "\x00[ ]": False}  # no page can write NUL: parsers replace it


def enter_input(reader: Reader, node: Node, attributes: Attributes) -> Leave | None:  # noqa: ARG001
    """Mark the checkbox of a task."""
    if (attributes.get("type") or "").lower() == "checkbox" and reader.counters:
        reader.flow.add_mark("\x00[x]" if "checked" in attributes else "\x00[ ]")
    return None


def _read_tick(item: Item) -> None:
    """Turn a checkbox at the start of an item into its mark, and drop those elsewhere."""
    first = item.blocks[0] if item.blocks else None
    pieces = first.pieces if isinstance(first, Paragraph) else []
    while pieces and isinstance(pieces[0], Span) and pieces[0].kind != "image":
        pieces = pieces[0].pieces
    while pieces and isinstance(pieces[0], str) and not pieces[0].strip():
        del pieces[0]
    if pieces and isinstance(pieces[0], str) and pieces[0] in _TICKS:
        item.done = _TICKS[pieces[0]]
        del pieces[0]
