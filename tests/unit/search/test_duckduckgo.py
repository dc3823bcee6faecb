from __future__ import annotations

import time
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.search.failures import SearchFailed
from blitzweb.search.provider import Reply
from blitzweb.search.providers.duckduckgo import DuckDuckGo
from blitzweb.search.results import filter_hits
from tests.support.covers import covers
from tests.support.providers import (
    DUCKDUCKGO_AD,
    DUCKDUCKGO_CHALLENGE,
    DUCKDUCKGO_NONE,
    PAGES,
    Page,
    duckduckgo_page,
    duckduckgo_result,
)

HEADERS = {"content-type": "text/html; charset=UTF-8"}
WORDS_OF_A_CHALLENGE = "anomaly-modal challenge-form anomaly.js bots use DuckDuckGo too"


def read(inside: str, *, status: int = 200, query: str = "x"):
    return DuckDuckGo().read(Reply(status, HEADERS, duckduckgo_page(query, inside))).hits


def fail(inside: str, *, status: int = 200, query: str = "x") -> SearchFailed:
    with pytest.raises(SearchFailed) as failed:
        read(inside, status=status, query=query)
    return failed.value


def targets(*hrefs: str) -> list[str]:
    return [hit.url for href in hrefs for hit in read(duckduckgo_result(PAGES[0], href=href) + DUCKDUCKGO_NONE)]


@covers("PAGE-01", "SEARCH-03")
@pytest.mark.parametrize("status", [200, 202])
def test_results_are_read_and_advertisements_left_out(status):
    hits = read(DUCKDUCKGO_AD + "".join(map(duckduckgo_result, PAGES)) + DUCKDUCKGO_AD, status=status)
    assert [(hit.title, hit.url, hit.snippet) for hit in hits] == [(p.title, p.url, p.snippet) for p in PAGES]


@covers("SEARCH-03")
@pytest.mark.parametrize(
    "result",
    [
        duckduckgo_result(PAGES[0], classes="result--ad"),
        duckduckgo_result(PAGES[0], classes="result--ad--small"),
        duckduckgo_result(PAGES[0], classes="  sponsored\n"),
        duckduckgo_result(PAGES[0], href="https://duckduckgo.com/y.js?ad_domain=x.example"),
        duckduckgo_result(PAGES[0], href="//links.duckduckgo.com/y.js?ad_domain=x.example"),
        duckduckgo_result(PAGES[0], href="/y.js?ad_domain=x.example"),
        duckduckgo_result(
            PAGES[0], href=f"//duckduckgo.com/l/?uddg={quote('https://duckduckgo.com/y.js?a=b', safe='')}"
        ),
    ],
)
def test_every_form_of_advertisement_is_known(result):
    assert [hit.url for hit in read(result + duckduckgo_result(PAGES[1]))] == [PAGES[1].url]


@covers("SEARCH-03")
def test_what_only_looks_like_an_advertisement_is_a_result():
    assert targets("https://shop.example/y.js?x=1", "https://notduckduckgo.com/y.js") == [
        "https://shop.example/y.js?x=1",
        "https://notduckduckgo.com/y.js",
    ]
    assert len(read(duckduckgo_result(PAGES[0], classes="unsponsored"))) == 1


@covers("SEARCH-03")
@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2Fx%3Fy%3D1%26z&rut=0", "https://a.example/x?y=1&z"),
        ("/l/?kh=-1&uddg=https%3A%2F%2Fa.example%2F", "https://a.example/"),
        ("/l?uddg=https%3A%2F%2Fa.example%2F", "https://a.example/"),
        ("https://duckduckgo.com/l/?uddg=http%3A%2F%2Fa.example%2F", "http://a.example/"),
        ("https://html.duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2F", "https://a.example/"),
        ("//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2F%2525", "https://a.example/%25"),  # decoded once
        ("https://a.example/plain", "https://a.example/plain"),
        ("//a.example/plain", "https://a.example/plain"),
        (
            "https://evil.example/l/?uddg=https%3A%2F%2Fa.example%2F",
            "https://evil.example/l/?uddg=https%3A%2F%2Fa.example%2F",
        ),
        ("https://a.example/l/", "https://a.example/l/"),
    ],
)
def test_redirect_links_are_decoded(href, target):
    assert targets(href) == [target]


@covers("SEARCH-03")
@pytest.mark.parametrize(
    "href",
    [
        "/l/?uddg=",
        "/l/?kh=-1",
        "/l/?uddg=https%3A%2F%2Fa.example&uddg=https%3A%2F%2Fb.example",
        "/l/?uddg=javascript%3Aalert(1)",
        "/l/?uddg=ftp%3A%2F%2Fa.example%2F",
        "javascript:alert(1)",
        "/html/?q=more",
        "http://[::1",
        "https://a.example/" + "x" * 4096,
    ],
)
def test_links_that_lead_nowhere_are_no_results(href):
    assert targets(href) == []


@covers("SEARCH-03")
def test_title_and_snippet_fall_back_and_only_the_outermost_result_counts():
    inner = duckduckgo_result(PAGES[1])
    headed = f'<div class="x  result  y"><h2><a>no</a><a href="{PAGES[0].url}">Title &lt;b&gt;</a></h2>{inner}</div>'
    without = f'<div class="result"><a href="{PAGES[2].url}">not in a heading</a></div>'
    (hit,) = filter_hits(read(headed + without), is_denied=lambda _: False, limit=5)
    assert (hit.title, hit.url) == (PAGES[1].title, PAGES[1].url)
    (hit,) = filter_hits(read(headed.replace(inner, "")), is_denied=lambda _: False, limit=5)
    assert (hit.title, hit.url, hit.snippet) == ("Title <b>", PAGES[0].url, "")


@covers("SEARCH-03")
def test_no_results_is_an_empty_list():
    assert read(DUCKDUCKGO_NONE) == ()
    assert read('<div class="no-results">none</div>') == ()
    assert read(DUCKDUCKGO_NONE, query=WORDS_OF_A_CHALLENGE) == ()


@covers("SEARCH-03")
@pytest.mark.parametrize("status", [200, 202])
@pytest.mark.parametrize(
    "inside",
    [
        DUCKDUCKGO_CHALLENGE,
        '<div class="anomaly-modal__title">x</div>',
        '<form class="img-form" action="//duckduckgo.com/anomaly.js?sv=html&cc=x">',
        '<form action="/anomaly.js">',
        '<form id="challenge-form">',
        '<form class="challenge-form">',
        DUCKDUCKGO_CHALLENGE + DUCKDUCKGO_NONE,
    ],
)
def test_a_challenge_is_said_as_such_with_the_remedy(status, inside):
    failed = fail(inside, status=status)
    assert "challenge" in failed.message
    assert "search_provider" in failed.advice


@covers("SEARCH-03")
def test_a_page_that_merely_talks_about_challenges_is_no_challenge():
    page = Page(WORDS_OF_A_CHALLENGE, "https://a.example/anomaly.js", WORDS_OF_A_CHALLENGE)
    assert len(read(duckduckgo_result(page), query=WORDS_OF_A_CHALLENGE)) == 1
    talk = f'<p title="{WORDS_OF_A_CHALLENGE}">{WORDS_OF_A_CHALLENGE}</p><a href="/anomaly.js">x</a>'
    assert "challenge" not in fail(talk, query=WORDS_OF_A_CHALLENGE).message


@covers("SEARCH-03")
def test_results_win_over_a_challenge():
    assert len(read(DUCKDUCKGO_CHALLENGE + duckduckgo_result(PAGES[0]))) == 1


@covers("SEARCH-03")
@pytest.mark.parametrize("body", [b"", b"<p>hello", b"\x00\xff" * 50])
def test_a_page_that_says_nothing_known_cannot_be_read(body):
    with pytest.raises(SearchFailed, match="cannot be read"):
        DuckDuckGo().read(Reply(200, HEADERS, body))


@covers("SEARCH-03", "WEB-13")
@pytest.mark.parametrize("content_type", [None, "application/json", "text/plain"])
def test_another_media_type_is_said(content_type):
    headers = {"content-type": content_type} if content_type else {}
    with pytest.raises(SearchFailed, match="is no HTML page"):
        DuckDuckGo().read(Reply(200, headers, duckduckgo_page("x", duckduckgo_result(PAGES[0]))))


@covers("SEARCH-03")
@pytest.mark.parametrize(
    "inside",
    [
        "<div>" * 200_000,
        '<div class="result">' * 90_000,
        "<b>" * 300_000,
        '<div class="result"><h2>' * 60_000,
        '<div class="result"></div>' * 60_000,
        '<div class="result">' + "<a href=x>" * 180_000,
    ],
)
def test_hostile_pages_take_no_longer_than_others(inside):
    begin = time.monotonic()
    with pytest.raises(SearchFailed):
        read(inside)
    assert time.monotonic() - begin < 5


@given(st.text("<>/ abclrestu=\"'-_&?%:.", max_size=300))
def test_any_page_is_read_or_said_to_be_unreadable(inside):
    try:
        hits = read(inside + DUCKDUCKGO_NONE)
    except SearchFailed:
        hits = ()
    assert all(hit.url.lower().startswith("http") for hit in hits)
