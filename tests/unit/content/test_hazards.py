"""Pages that would cost a parser the square of their size are told apart from pages that are merely large."""

from __future__ import annotations

import pytest

from blitzweb.content.convert import convert
from blitzweb.content.hazards import find_hazard
from blitzweb.errors import UnusableContent
from blitzweb.limits import MAX_ATTRIBUTES, MAX_NESTING

HOSTILE = {
    "deep": "<div>" * (MAX_NESTING + 1),
    "deep formatting": "<b>" * (MAX_NESTING + 1),
    "deep lists": "<blockquote><ul><li>" * MAX_NESTING,
    "attributes": "<p " + " ".join(f"a{number}=1" for number in range(MAX_ATTRIBUTES + 1)) + ">x",
    "attributes, unclosed": "<p " + " a" * (MAX_ATTRIBUTES + 1),
}
LARGE = {
    "wide": "<div>x</div>" * 20_000,
    "paragraphs": "<p>x" * 20_000,
    "items": "<ul>" + "<li>x" * 20_000 + "</ul>",
    "options": "<select>" + "<option>x" * 20_000 + "</select>",
    "prose": "<p>" + "many words " * 50_000,
    "signs": "<" * 100_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_too_dear_is_refused_with_the_reason(name):
    with pytest.raises(UnusableContent, match="not parsed"):
        convert(HOSTILE[name].encode(), media_type="text/html", charset=None, url="https://a.example/")


@pytest.mark.parametrize("name", LARGE)
def test_what_is_merely_large_is_read(name):
    assert find_hazard(LARGE[name]) is None
