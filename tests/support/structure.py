"""Pages made of known pieces, and which of the pieces are still what they were in the markdown of the page."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass, field

SENTENCE = "Filler so that there is prose, with commas, and a proper ending."
KINDS = ("heading", "item", "cell", "code", "link")


@dataclass
class Made:
    """A page, and its pieces: kind → words that occur once."""

    html: str = ""
    pieces: dict[str, list[str]] = field(default_factory=lambda: {kind: [] for kind in KINDS})


class Maker:
    """Makes pages from a seed: sections, lists in lists, tables, code, links, in each other as real pages have them."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._made = Made()

    def page(self) -> Made:
        """Return a page of a few sections."""
        sections = "".join(self._section(depth) for depth in range(self._random.randint(3, 8)))
        self._made.html = f"<!DOCTYPE html><html><head><title>T</title></head><body>{sections}</body></html>"
        return self._made

    def _word(self, kind: str) -> str:
        word = f"{kind}{len(self._made.pieces[kind])}x"
        self._made.pieces[kind].append(word)
        return word

    def _section(self, depth: int) -> str:
        level = depth % 6 + 1
        parts = [self._paragraph, self._list, self._table, self._code, self._quote]
        inner = "".join(self._random.choice(parts)() for _ in range(self._random.randint(1, 6)))
        heading = self._random.choice(("{}", "<a href='#{}'>{}</a>", "<span><b>{}</b></span>"))
        word = self._word("heading")
        return f"<section><h{level}>{heading.replace('{}', word)}</h{level}>{inner}</section>"

    def _paragraph(self) -> str:
        return f"<p>{SENTENCE} {self._link()} {SENTENCE}</p>"

    def _link(self) -> str:
        word = self._word("link")
        return self._random.choice(
            (
                f"<a href='/{word}'>{word}</a>",
                f"<a href='{word}?q=(1)'><b>{word}</b></a>",
                f"<a href='/{word}'><div>{word}</div></a>",
            )
        )

    def _list(self, depth: int = 0) -> str:
        tag = self._random.choice(("ul", "ol"))
        items = "".join(f"<li>{self._item(depth)}</li>" for _ in range(self._random.randint(1, 4)))
        return f"<{tag}>{items}</{tag}>"

    def _item(self, depth: int) -> str:
        word = self._word("item")
        more = self._list(depth + 1) if depth < 3 and self._random.random() < 0.3 else ""
        shape = self._random.choice(("{}", "<p>{}</p>", "<p>{}</p><p>more</p>", "<b>{}</b> and more", "<div>{}</div>"))
        return shape.format(word) + more

    def _table(self) -> str:
        width = self._random.randint(2, 5)
        shape = ("{}", "<p>{}</p>", "<b>{}</b>", "{}<br>more", "<ul><li>{}</ul>", "<code>{}</code>")
        rows = [[self._random.choice(shape).format(self._word("cell")) for _ in range(width)] for _ in range(3)]
        head = "".join(f"<th>{cell}</th>" for cell in rows[0])
        body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows[1:])
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def _code(self) -> str:
        lines = [f"{' ' * self._random.randint(0, 8)}{self._word('code')}" for _ in range(self._random.randint(1, 6))]
        shape = self._random.choice(("<pre>{}</pre>", "<pre><code class='language-py'>{}</code></pre>"))
        return shape.format(self._random.choice(("\n", "\n\n")).join(f"<span>{line}</span>" for line in lines))

    def _quote(self) -> str:
        return f"<blockquote>{self._paragraph()}{self._list()}</blockquote>"


def kept(made: Made, markdown: str) -> Counter[str]:
    """Count the pieces of each kind that are still what they were."""
    found: Counter[str] = Counter()
    for kind, words in made.pieces.items():
        found[kind] = sum(_SHAPES[kind](word, markdown) for word in words)
    return found


def _in_line(pattern: str, word: str, markdown: str) -> bool:
    return re.search(pattern.format(word), markdown, re.MULTILINE) is not None


_SHAPES = {
    "heading": lambda word, text: _in_line(r"^#{{1,6}} .*\b{}\b", word, text),
    "item": lambda word, text: _in_line(r"^[> ]*(?:- |\d+\. )(?:- |\d+\. )*\**{}\b", word, text),
    "cell": lambda word, text: _in_line(r"^\|.*\b{}\b.*\|$", word, text),
    "code": lambda word, text: _in_line(r"^ *{}$", word, text),
    "link": lambda word, text: _in_line(r"\[\**{0}\**\]\(<?http://site\.test/[^)\s]*{0}", word, text),
}
