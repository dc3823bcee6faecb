from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.policy.urls import parse_url
from blitzweb.search.provider import Hit
from blitzweb.search.results import filter_hits, plain_text
from tests.support.covers import covers


def keep(*hits: Hit, denied: str = "", limit: int = 20):
    return filter_hits(hits, is_denied=lambda url: url.host == denied, limit=limit)


def urls(*texts: str) -> list[str]:
    return [result.url for result in keep(*(Hit("t", text) for text in texts))]


@covers("WEB-13")
@pytest.mark.parametrize(
    "url",
    [
        *("", "x", "/x", "ftp://a.example/", "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd"),
        *("http://user:pw@a.example/", "http://a.example:22/", "http://0x7f.1/", "https://", "http://a b.example/"),
    ],
)
def test_what_cannot_be_gone_to_is_dropped(url):
    assert urls(url) == []


@covers("WEB-13")
def test_denied_hosts_are_dropped():
    assert [
        result.url for result in keep(Hit("a", "https://a.example"), Hit("b", "https://b.example"), denied="a.example")
    ] == ["https://b.example/"]


@covers("SEARCH-04")
def test_of_equal_urls_the_first_wins_and_fragments_go():
    assert urls("https://A.example/x#1", "https://a.example:443/x", "https://a.example/x?", "http://a.example/x") == [
        "https://a.example/x",
        "https://a.example/x?",
        "http://a.example/x",
    ]
    assert keep(Hit("first", "https://a.example"), Hit("second", "https://a.example/#f"))[0].title == "first"


@covers("WEB-13")
def test_the_limit_counts_what_passes():
    hits = [Hit(str(number), f"https://a.example/{number}") for number in range(9)]
    assert [result.title for result in keep(Hit("bad", "ftp://x"), hits[0], *hits, limit=3)] == ["0", "1", "2"]


@covers("WEB-13")
@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("a <b>bold</b>  word", "a bold word"),
        ("<strong>x</strong> &amp;amp; y", "x &amp; y"),
        ("&lt;b&gt; stays", "<b> stays"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("a <!-- gone --> b <!-- unclosed", "a b"),
        ("caf&eacute; &#x41;", "café A"),
        ("line\n\n\tone\u2028two", "line one two"),
        ("in\u200bvi\u202esible\U000e0041", "invisible"),
        ("half \ud800 of a pair", "half \ufffd of a pair"),
        ("esc \x1b[31m", "esc \ufffd[31m"),
        ("<script>alert(1)</script>", "alert(1)"),
    ],
)
def test_text_is_plain_and_on_one_line(markup, text):
    assert plain_text(markup) == text


@covers("WEB-13")
def test_titles_and_snippets_are_cut_and_a_missing_title_is_said():
    (result,) = keep(Hit("t" * 201, "https://a.example", "s" * 401))
    assert (result.title, result.snippet) == ("t" * 199 + "…", "s" * 399 + "…")
    assert keep(Hit(" <i></i>\u200b", "https://a.example"))[0].title == "(untitled)"


def test_hostile_markup_is_linear():
    begin = time.monotonic()
    keep(*(Hit("<!--" * 100_000, f"https://a.example/{number}", "<a" * 100_000) for number in range(20)))
    assert time.monotonic() - begin < 1


@covers("SEARCH-04")
@given(st.lists(st.tuples(st.text(), st.text(), st.text())))
def test_whatever_comes_what_passes_is_canonical_plain_and_unique(triples):
    results = keep(*(Hit(title, f"https://h.example/{url}", snippet) for title, url, snippet in triples))
    assert len({result.url for result in results}) == len(results) <= 20
    for result in results:
        assert parse_url(result.url).without_fragment == result.url
        assert 0 < len(result.title) <= 200
        assert len(result.snippet) <= 400
        assert len((result.title + result.snippet).splitlines()) == 1
