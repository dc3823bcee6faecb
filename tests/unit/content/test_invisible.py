"""Characters that nobody sees go; those that spelling and emoji need stay."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.content.invisible import replace_unwritable, strip_invisible
from tests.support.content import page
from tests.support.covers import covers

UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u180e\u200b\u200e\u200f\u202a\u202e\u2060\u2063\u2066\u2069"
    "\u3164\ufeff\ufff9\U000e0041\U000e007f\U000e0100"
)
NEEDED = (
    "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "\u0915\u094d\u200d\u0937",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\u2764\ufe0f",
    "\U0001f3f3\ufe0f\u200d\U0001f308",
    "e\u0301",
)


@covers("CONTENT-03")
@pytest.mark.parametrize("character", UNSEEN)
def test_unseen(character: str) -> None:
    assert strip_invisible(f"a{character}{character}b") == ("ab", 2)


@covers("CONTENT-03")
@pytest.mark.parametrize("text", ["a\u200db", "a\u200c", "\u200d", "a\ufe0f\ufe0fb"])
def test_joiners_and_selectors_where_nothing_needs_them(text: str) -> None:
    seen, unseen = strip_invisible(text)
    assert "\u200d" not in seen
    assert "\u200c" not in seen
    assert unseen


@pytest.mark.parametrize("text", NEEDED)
def test_needed(text: str) -> None:
    assert strip_invisible(text) == (text, 0)


@covers("CONTENT-03")
def test_what_cannot_be_written_is_replaced() -> None:
    assert replace_unwritable("a\0b\x1bc\ud800d\te\n") == "a\ufffdb\ufffdc\ufffdd\te\n"


@covers("CONTENT-02", "CONTENT-03")
def test_pages_lose_them_and_count_them() -> None:
    document = page("see\u200b&#x200b;&#xe0041;this &#xd800;<pre>a\u2060b</pre><img src=c alt='d\u200be'>")
    assert document.content.startswith("seethis \ufffd\n\n```\nab\n```")
    assert "de" in document.content
    assert document.hidden_dropped == 5


@given(st.text())
def test_nothing_else_is_lost(text: str) -> None:
    seen, unseen = strip_invisible(text)
    assert len(seen) + unseen == len(text)
    replace_unwritable(seen).encode()
