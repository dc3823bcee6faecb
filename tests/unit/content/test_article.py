"""The main content of pages: by the public benchmark's measure on real ones, and rule by rule on small ones."""

from __future__ import annotations

import gzip
import json

import pytest

from blitzweb.content.convert import convert
from tests.support.content import SHARED_DATA, page
from tests.support.covers import covers
from tests.support.shingles import compare, f1, strip_targets

ARTICLES = SHARED_DATA / "articles"
PROSE = "<p>This is a sentence of the article that goes on for a while, and ends here.</p>"
NAVIGATION = "<nav><ul><li><a href=/1>One thing</a><li><a href=/2>Another thing</a></ul></nav>"


@covers("CONTENT-06")
@pytest.mark.skipif(not ARTICLES.is_dir(), reason=f"{ARTICLES} is absent")
def test_f1_on_the_shared_pages_of_the_benchmark() -> None:
    expected = json.loads((ARTICLES / "expected.json").read_text(encoding="utf-8"))
    counts = []
    for name, wanted in expected.items():
        body = gzip.decompress((ARTICLES / "html" / f"{name}.html.gz").read_bytes())
        document = convert(
            body, media_type="text/html", charset=None, url=wanted["url"], format="article", bounded=True
        )
        counts.append(compare(wanted["articleBody"], strip_targets(document.content)))
    assert f1(counts) >= 0.95


def article(body: str, head: str = "") -> str:
    return page(f"{head}{body}", "article").content


@covers("CONTENT-06")
@pytest.mark.parametrize(
    "clutter",
    [
        NAVIGATION,
        "<aside><p>Something else that one may want to read, perhaps, or not at all.</p></aside>",
        "<div class='related-posts'><p>Something else that one may want to read, perhaps.</p></div>",
        "<div class='comments'><p>I do not agree with this at all, and never will, says a reader.</p></div>",
        "<div role=complementary><p>Something else that one may want to read, perhaps.</p></div>",
        "<ul><li><a href=/1>A thing to click on</a><li><a href=/2>Another thing to click on</a></ul>",
        "<footer><p>All rights reserved by the people who made this page, in all countries.</p></footer>",
        "<form><p>Enter your address here to hear of us every day of the week.</p></form>",
    ],
)
def test_what_is_not_of_it_is_left_out(clutter: str) -> None:
    inside = f"<div>{PROSE * 4}{clutter}{PROSE * 4}</div>"
    content = article(f"<div>{clutter}</div>{inside}<div>{clutter}</div>")
    assert content.count("This is a sentence") == 8
    assert (
        content.replace("This is a sentence of the article that goes on for a while, and ends here.", "").strip() == ""
    )


@covers("CONTENT-06")
def test_structure_in_it_stays() -> None:
    parts = "<h2>Part</h2><ul><li>one<li>two</ul><pre>code</pre><table><tr><th>a<th>b<tr><td>1<td>2</table>"
    inside = PROSE * 3 + parts + PROSE * 3
    content = article(f"{NAVIGATION}<h1>Title of the page</h1><main>{inside}</main>")
    assert "## Part\n\n- one\n- two\n\n```\ncode\n```\n\n| a | b |" in content
    assert "Another thing" not in content


@covers("CONTENT-06")
def test_where_nothing_stands_out_the_page_is_read_whole() -> None:
    assert "One thing" in article(NAVIGATION + "<p>Short.</p>")


@covers("CONTENT-06")
def test_a_loading_shell_is_not_taken_for_the_article() -> None:
    streamed = f'<div id="B:0"><p>Loading the page, please wait for it.</p></div><div hidden id="S:0">{PROSE * 9}</div>'
    assert "This is a sentence" in article(streamed + '<script>$RC("B:0","S:0")</script>')


@covers("CONTENT-06")
@pytest.mark.parametrize(
    ("head", "author", "date", "language"),
    [
        (
            "<meta name=author content='Ann Bee'><meta property=article:published_time content='2026-12-01T10:00:00Z'>",
            "Ann Bee",
            "2026-12-01T10:00:00Z",
            None,
        ),
        (
            (
                '<script type=application/ld+json>{"@graph":[{"headline":"H","datePublished":"2026-12-01",'
                '"author":[{"name":"Ann"},{"name":"Bob"}]}]}</script>'
            ),
            "Ann, Bob",
            "2026-12-01",
            None,
        ),
        (
            "<p class=byline>By Ann Bee</p><time datetime='2026-12-01 10:00'>today</time>",
            "Ann Bee",
            "2026-12-01T10:00",
            None,
        ),
        ("<a rel=author href=/ann>Ann Bee</a>", "Ann Bee", None, None),
        ("<meta name=author content='https://a.test/ann'><meta property=og:locale content=de_DE>", None, None, "de-DE"),
        ("<script type=application/ld+json>{[</script><meta name=date content=yesterday>", None, None, None),
    ],
)
def test_bylines(head: str, author: str | None, date: str | None, language: str | None) -> None:
    document = page(head + PROSE * 9, "article")
    assert (document.byline, document.date, document.language) == (author, date, language)


def test_the_headline_is_the_title() -> None:
    assert page("<meta property=og:title content='The headline'>" + PROSE, "article").title == "The headline"
