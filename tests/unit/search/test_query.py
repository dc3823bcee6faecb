from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.search.failures import SearchFailed
from blitzweb.search.providers.brave import Brave
from blitzweb.search.providers.duckduckgo import DuckDuckGo
from blitzweb.search.providers.searxng import SearXNG
from blitzweb.search.query import clean_query
from tests.support.covers import covers

ANY = SearXNG(url="https://x.example")


@covers("SEARCH-01")
@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("  go json-rpc  ", "go json-rpc"),
        ("a\x00b\x07c", "abc"),
        ("two\r\nlines\tx", "two lines x"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x9b1mbold", "bold"),
        ("\x1b(Bcharset", "charset"),
        ("zero\u200bwidth\u202e\U000e0041", "zerowidth"),
        ("half\ud800", "half"),
        ('"quoted phrase" -not site:x', '"quoted phrase" -not site:x'),
        ("日本語 検索", "日本語 検索"),
    ],
)
def test_what_nobody_sees_is_taken_out(text, query):
    assert clean_query(text, ANY) == query


@covers("WEB-14", "SEARCH-01")
@pytest.mark.parametrize("text", ["", "  ", "\x00", "\x1b[31m", "\u200b", "\n\t"])
def test_an_empty_query_is_an_error(text):
    with pytest.raises(SearchFailed, match="invalid query: it is empty"):
        clean_query(text, ANY)


@covers("SEARCH-01")
@pytest.mark.parametrize(
    ("provider", "longest"),
    [(ANY, 512), (Brave(key="k"), 400), (DuckDuckGo(), 499)],
    ids=["any", "brave", "duckduckgo"],
)
def test_the_limit_is_512_or_what_the_provider_takes(provider, longest):
    assert clean_query("x" * longest, provider) == "x" * longest
    with pytest.raises(SearchFailed, match=f"invalid query: it has {longest + 1} characters.* takes {longest}"):
        clean_query("x" * (longest + 1), provider)


@covers("SEARCH-01")
def test_brave_takes_fifty_words():
    assert clean_query("w " * 50, Brave(key="k"))
    with pytest.raises(SearchFailed, match="51 words"):
        clean_query("w " * 51, Brave(key="k"))


@covers("SEARCH-01")
@given(st.text(max_size=600))
def test_a_clean_query_stays_as_it_is(text):
    try:
        query = clean_query(text, ANY)
    except SearchFailed:
        return
    assert clean_query(query, ANY) == query
    assert query.encode()
    assert len(query.splitlines()) == 1
