"""What each HTML element means for the text of a page: a table from tags to what happens when it opens and closes.

An entry takes the reader, the node and its attributes, and returns what to do at the end tag, None, or `SKIP` when it
has dealt with all that is inside (WEB-07, CONTENT-05).
"""

from __future__ import annotations

from typing import Final

from blitzweb.content.elements.lists import enter_input, enter_item, enter_list
from blitzweb.content.elements.reader import DROP, DROPPED, SKIP, Enter, Leave, Reader, enter_line
from blitzweb.content.elements.running import (
    around,
    enter_break,
    enter_code,
    enter_image,
    enter_link,
    enter_math,
    spanning,
)
from blitzweb.content.elements.sections import (
    enter_definition,
    enter_dialog,
    enter_group,
    enter_heading,
    enter_paragraph,
    enter_pre,
    enter_quote,
    enter_rule,
)
from blitzweb.content.elements.tables import enter_cell, enter_row, enter_table

_LINES: Final = (
    *("div", "section", "article", "main", "header", "footer", "aside", "nav", "hgroup", "search", "center", "body"),
    *("dt", "figcaption", "caption", "summary", "legend"),
    *("form", "option", "optgroup", "select", "textarea", "button"),
)

ENTER: Final[dict[str | None, Enter]] = {
    **dict.fromkeys((*DROPPED, "-comment", "-doctype", None), DROP),
    **dict.fromkeys(_LINES, enter_line),
    **dict.fromkeys(("figure", "dl", "details", "fieldset", "address"), enter_group),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), enter_heading),
    **dict.fromkeys(("ul", "ol", "menu", "dir"), enter_list),
    **dict.fromkeys(("pre", "listing", "xmp", "plaintext"), enter_pre),
    **dict.fromkeys(("td", "th"), enter_cell),
    **dict.fromkeys(("strong", "b"), spanning("strong")),
    **dict.fromkeys(("em", "i"), spanning("em")),
    **dict.fromkeys(("del", "s", "strike"), spanning("strike")),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), enter_code),
    "a": enter_link,
    "blockquote": enter_quote,
    "br": enter_break,
    "dd": enter_definition,
    "dialog": enter_dialog,
    "hr": enter_rule,
    "img": enter_image,
    "input": enter_input,
    "li": enter_item,
    "math": enter_math,
    "p": enter_paragraph,
    "q": around("“", "”"),
    "rt": around("(", ")"),
    "sup": spanning("sup"),
    "table": enter_table,
    "tr": enter_row,
}

__all__ = ["DROP", "DROPPED", "ENTER", "SKIP", "Enter", "Leave", "Reader"]
