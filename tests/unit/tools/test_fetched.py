"""Pages kept for paging: bounded, per session, and never older than was allowed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.content.document import Document
from blitzweb.limits import MAX_KEPT_PAGES, MAX_KEPT_TEXT_BYTES, PAGE_KEPT_SECONDS
from blitzweb.tools.fetched import Fetched, FetchedPages, Key
from tests.support.covers import covers


def page(text="x"):
    document = Document(content=text, format="text", media_type="text/html")
    return Fetched(
        final_url="https://a.example/",
        status=200,
        content_type="text/html",
        body_bytes=len(text),
        truncated=False,
        refresh=None,
        document=document,
    )


def key(name="a", session="s"):
    return Key(session, f"https://{name}.example/", "text", None)


class HandClock:
    now = 0.0

    def __call__(self):
        return self.now


@covers("FETCH-14")
@pytest.mark.parametrize(
    ("age", "allowed", "found"),
    [(0, 0, True), (1, 0, False), (10, 10, True), (11, 10, False), (PAGE_KEPT_SECONDS + 1, 10**9, False)],
)
def test_a_page_is_found_while_it_is_young_enough(age, allowed, found):
    clock = HandClock()
    pages = FetchedPages(clock)
    pages.keep(key(), page(), ended=pages.ended)
    clock.now += age
    assert (pages.find(key(), allowed) is not None) is found


@covers("FETCH-14")
def test_one_session_never_sees_anothers_pages_and_ends_with_its_own():
    pages = FetchedPages()
    pages.keep(key(session="one"), page(), ended=pages.ended)
    pages.keep(key(session="two"), page(), ended=pages.ended)
    assert pages.find(key(session="three"), 100) is None
    pages.end_session("one")
    assert pages.find(key(session="one"), 100) is None
    assert pages.find(key(session="two"), 100) is not None


@covers("FETCH-14")
@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, MAX_KEPT_TEXT_BYTES // 8)), max_size=60))
def test_the_bounds_hold(kept):
    pages = FetchedPages()
    for name, length in kept:
        pages.keep(key(str(name)), page("x" * length), ended=pages.ended)
    held = [fetched for name in range(41) if (fetched := pages.find(key(str(name)), 100)) is not None]
    assert len(held) <= MAX_KEPT_PAGES
    assert sum(4 * len(fetched.document.content) for fetched in held) <= MAX_KEPT_TEXT_BYTES


def test_what_is_too_large_is_not_kept_and_drops_nothing():
    pages = FetchedPages()
    pages.keep(key("small"), page(), ended=pages.ended)
    pages.keep(key("large"), page("x" * (MAX_KEPT_TEXT_BYTES // 4 + 1)), ended=pages.ended)
    assert pages.find(key("large"), 100) is None
    assert pages.find(key("small"), 100) is not None


@covers("FETCH-14")
def test_a_page_that_was_on_its_way_when_its_session_ended_is_not_kept():
    pages = FetchedPages()
    ended = pages.ended
    pages.end_session("s")
    pages.keep(key(), page(), ended=ended)
    assert pages.find(key(), PAGE_KEPT_SECONDS) is None
