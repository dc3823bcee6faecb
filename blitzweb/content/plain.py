"""Plain tree nodes, made from the element tree that the reference parser builds; the same shape as `tree.Node`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


class PlainNode:
    """A node that knows its neighbours; nothing changes it once the tree is made."""

    __slots__ = ("attributes", "first_child", "last_child", "mem_id", "next", "parent", "tag", "text_content")

    def __init__(self, tag: str, attributes: dict[str, str | None], text: str | None = None) -> None:
        self.tag: str | None = tag
        self.attributes = attributes
        self.text_content = text
        self.mem_id = id(self)
        self.parent: PlainNode | None = None
        self.first_child: PlainNode | None = None
        self.last_child: PlainNode | None = None
        self.next: PlainNode | None = None

    def append(self, child: PlainNode) -> None:
        """Add a last child."""
        child.parent = self
        if self.last_child is None:
            self.first_child = child
        else:
            self.last_child.next = child
        self.last_child = child

    def append_text(self, text: str | None) -> None:
        """Add text, if there is any."""
        if text:
            self.append(PlainNode("-text", {}, text))


def from_etree(root: Element) -> PlainNode:
    """Return the same tree in plain nodes: no recursion, so that depth does not matter."""
    top = PlainNode(_name(root.tag), dict(root.attrib))
    waiting = [(root, top)]
    while waiting:
        element, node = waiting.pop()
        node.append_text(None if callable(element.tag) else element.text)
        for child in element:
            below = PlainNode(_name(child.tag), {_name(name): value for name, value in child.attrib.items()})
            node.append(below)
            node.append_text(child.tail)
            waiting.append((child, below))
    return top


def _name(tag: Any) -> str:
    """Return a name without its namespace; comments have a function for a name."""
    return "-comment" if callable(tag) else str(tag).rpartition("}")[2]
