"""Pages that would cost a parser the square of their size are told apart from pages that are merely large."""

from __future__ import annotations

import pytest

from blitzweb.content.convert import NeedsBounds, convert
from blitzweb.content.hazards import ANYWHERE, IN_WORKER, find_hazard
from blitzweb.content.tree import parse
from blitzweb.errors import UnusableContent
from tests.support.content import page
from tests.support.covers import covers

DEEP = ANYWHERE.depth + 1
MANY = ANYWHERE.attributes + 1

HOSTILE = {
    "deep": "<div>" * DEEP,
    "deep, in capitals": "<DIV>" * DEEP,
    "deep, with end tags of nothing": "<div></b>" * DEEP,
    "deep, with end tags out of scope": "<div><table><tr><td></div>" * DEEP,
    "deep formatting": "<b>" * DEEP,
    "deep lists": "<blockquote><ul><li>" * DEEP,
    "attributes": "<p " + " ".join(f"a{number}=1" for number in range(MANY)) + ">x",
    "attributes, unclosed": "<p " + " a" * MANY,
    "attributes without blanks": "<p " + "".join(f'a{number}=""' for number in range(MANY)) + ">x",
    "attributes between slashes": "<p/" + "/".join(f"a{number}" for number in range(MANY)) + ">x",
    "attributes with > in them": "<p " + " ".join(f'a{number}=">"' for number in range(MANY)) + ">x",
    "formatting opened anew": "".join(f"<font size={number}>" for number in range(500)) + "<p>x" * 1_000,
}
LARGE = {
    "wide": "<div>x</div>" * 20_000,
    "paragraphs": "<p>x" * 20_000,
    "items": "<ul>" + "<li>x" * 20_000 + "</ul>",
    "options": "<select>" + "<option>x" * 20_000 + "</select>",
    "prose": "<p>" + "many words " * 50_000,
    "signs": "<" * 100_000,
    "one long attribute": "<p title='" + "x y=z " * 20_000 + "'>x",
    "closed formatting": "<p><b>x</b> <i>y</i>" * 5_000,
    "links": "<p><a href=x>x</a>" * 5_000,
}


@covers("CONTENT-10")
@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_too_dear_is_left_to_a_worker(name: str) -> None:
    with pytest.raises(NeedsBounds):
        convert(HOSTILE[name].encode(), media_type="text/html", charset=None, url="https://a.example/")
    with pytest.raises(UnusableContent, match="not parsed"):
        parse(HOSTILE[name])


@pytest.mark.parametrize("name", LARGE)
def test_what_is_merely_large_is_no_hazard(name: str) -> None:
    assert find_hazard(LARGE[name]) is None


@covers("CONTENT-10")
def test_a_worker_cuts_off_what_no_parser_gets_through() -> None:
    document = page("<p>seen</p>" + "<div>" * (IN_WORKER.depth + 1) + "unseen")
    assert document.truncated
    assert document.content == "seen"
