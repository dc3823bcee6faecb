"""Preformatted text letter for letter, and the language that its markup names (CONTENT-05)."""

from __future__ import annotations

import re
from typing import Final

from blitzweb.content.hiding import is_hidden
from blitzweb.content.invisible import strip_invisible
from blitzweb.content.tree import TEXT, Node, text_of

_DROPPED: Final = frozenset({"script", "style", "template", "svg", "noscript", "iframe", "button"})
_LINES: Final = frozenset({"div", "p", "li", "tr", "ol", "ul", "table"})
_CLASS = re.compile(
    r"(?:^|\s)(?:language|lang|highlight-source|brush:?|highlight|sourceCode|code)[-:\s]\s*([A-Za-z][\w+#.-]{0,30})"
)
_NO_LANGUAGE: Final = frozenset({"none", "plaintext", "text", "nohighlight", "default", "block", "wrap", "wrapper"})
_NAMING: Final = ("data-lang", "data-language")
_LEVELS_UP: Final = 2


def verbatim(root: Node) -> tuple[str, int]:
    """Return the text below a node with its blanks, and how many characters of it were hidden."""
    parts: list[str] = []
    hidden = 0
    waiting: list[Node | str | None] = [root.first_child]
    while waiting:
        node = waiting.pop()
        if node is None:
            continue
        if isinstance(node, str):
            _break_line(parts)
            continue
        waiting.append(node.next)
        tag = node.tag or "-"
        if tag == TEXT:
            parts.append(node.text_content or "")
        elif tag == "br":
            parts.append("\n")
        elif tag[0] != "-" and tag not in _DROPPED:
            if is_hidden(node.attributes):
                hidden += len(text_of(node).strip())
                continue
            if tag in _LINES:
                _break_line(parts)
                waiting.append("\n")
            waiting.append(node.first_child)
    text, unseen = strip_invisible("".join(parts))
    return text.rstrip(), hidden + unseen


def language_of(pre: Node, attributes: dict[str, str | None]) -> str:
    """Return the language of a block of code; empty where nothing names it."""
    inner = pre.first_child
    while inner is not None and inner.tag != "code":
        inner = inner.next
    candidates = [attributes] if inner is None else [inner.attributes, attributes]
    outer = pre.parent
    for _ in range(_LEVELS_UP):
        if outer is not None and (outer.tag or "-")[0] != "-":
            candidates.append(outer.attributes)
            outer = outer.parent
    return next((name for found in candidates if (name := _named(found))), "")


def _named(attributes: dict[str, str | None]) -> str:
    found = _CLASS.search(attributes.get("class") or "")
    name = found.group(1).lower() if found else ""
    if not name or name in _NO_LANGUAGE:
        name = next((value.lower() for key in _NAMING if (value := attributes.get(key))), "")
    return name if re.fullmatch(r"[\w+#.-]{1,31}", name) and name not in _NO_LANGUAGE else ""


def _break_line(parts: list[str]) -> None:
    """End the line, unless it has just begun."""
    if parts and not parts[-1].endswith("\n"):
        parts.append("\n")
