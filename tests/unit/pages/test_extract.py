from __future__ import annotations

import contextlib
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.content.outline import read_outline
from blitzweb.errors import UnusableContent
from blitzweb.limits import (
    MAX_PAGE_DEPTH,
    MAX_PAGE_LINE_CHARS,
    MAX_PAGE_LINES_BYTES,
    MAX_PAGE_LINKS,
    MAX_PAGE_LINKS_BYTES,
    MAX_PAGE_NODES,
)
from blitzweb.pages.entries import Content, Link
from blitzweb.pages.extract import bound_outline, extract_plain
from blitzweb.pages.failures import PageFailed, Trouble
from tests.support.covers import covers

URL = "https://a.example/dir/page?x=1"


def extract(html: str, url: str = URL, parser: str = "auto") -> Content:
    body = html.encode("utf-8", "surrogatepass")
    try:
        return bound_outline(read_outline(body, charset="utf-8", url=url, parser=parser, bounded=True))
    except UnusableContent:
        raise PageFailed(Trouble.UNPARSEABLE) from None


def lines(html: str) -> list[str]:
    return list(extract(html).lines)


def links(html: str, url: str = URL) -> list[tuple[str, str]]:
    return [tuple(link) for link in extract(html, url).links]


def is_unparseable(body: str) -> bool:
    try:
        extract(body)
    except PageFailed as failed:
        return failed.trouble is Trouble.UNPARSEABLE
    return False


@covers("PAGE-35")
@pytest.mark.parametrize(
    "dropped",
    [
        *("<script>no</script>", "<style>no</style>", "<noscript>no</noscript>", "<template>no</template>"),
        *("<svg><text>no</text></svg>", "<iframe>no</iframe>", "<object>no</object>", "<form><p>no</p></form>"),
        *("<p hidden>no</p>", '<p style="display:none">no</p>', '<div aria-hidden="true">no</div>', "<!-- no -->"),
        *('<embed src="no">', "<form><div><a href='/no'>no</a></div></form>", "<svg><a href='/no'>no</a></svg>"),
        *("<p hidden><a href='/no'>no</a></p>", "<a href='/no' hidden>no</a>"),
    ],
)
@pytest.mark.parametrize("parser", ["auto", "html5lib"])
def test_what_is_no_text_of_the_page_is_left_out(dropped, parser):
    content = extract(f"<title>t</title><body><p>yes</p>{dropped}<p>also</p>", parser=parser)
    assert (content.title, content.lines, content.links) == ("t", ("yes", "also"), ())


@covers("PAGE-35")
@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<body>all<main>main<article>first</article><article>second</article></main>", ["first"]),
        ("<body>all<main>main</main><main>other</main>", ["main"]),
        ("<body>all<div>more</div>", ["all", "more"]),
        ("<body>all<article hidden>no</article><main>main</main>", ["main"]),
        ("<body>all<form><article>no</article></form>", ["all"]),
        ("<body><template><article>no</article></template>yes", ["yes"]),
    ],
)
def test_the_root_is_the_first_article_else_the_first_main_else_the_body(html, expected):
    assert lines(html) == expected


@covers("PAGE-17")
def test_lines_break_at_block_ends_and_show_no_addresses():
    html = """<h1>Head</h1><p>one <a href="/x">link</a> more<br>two</p><ul><li>item</li><li>other</li></ul>
    <table><tr><td>a<td>b</table><pre>  kept\n\n  as is</pre><div>end</div>after"""
    assert lines(html) == [
        *("# Head", "one link more", "two", "- item", "- other", "a | b", "  kept", "  as is", "end", "after")
    ]


@covers("PAGE-17")
def test_links_are_numbered_in_order_absolute_once_and_without_fragments():
    html = """<base href="/base/"><a href="x#f">X</a> <a href="x">X</a> <a href="x">Other label</a>
    <a href="//b.example/?q">B</a> <a href="https://c.example:443/"> many \n blanks </a> <a href="/img"><img></a>
    <a href="/aria" aria-label="said"><svg></svg></a>"""
    assert links(html) == [
        ("X", "https://a.example/base/x"),
        ("Other label", "https://a.example/base/x"),
        ("B", "https://b.example/?q"),
        ("many blanks", "https://c.example/"),
        ("https://a.example/img", "https://a.example/img"),
        ("said", "https://a.example/aria"),
    ]


@covers("PAGE-31", "PAGE-35")
@pytest.mark.parametrize(
    "href",
    [
        *(
            "",
            "javascript:alert(1)",
            "data:text/html,x",
            "mailto:a@b.example",
            "ftp://a.example/",
            "https://u:p@a.example/",
        ),
        *("http://a.example:22/", "https://[", "http://a b.example/", "https://a.example/" + "x" * 5000),
    ],
)
def test_what_nobody_may_go_to_is_no_link(href):
    assert links(f'<p>text<a href="{href}">label</a>') == []


@covers("PAGE-36")
def test_labels_are_cut_and_the_address_stands_for_a_missing_one():
    ((label, _),) = links(f"<a href='/x'>{'l' * 300}</a>")
    assert label == "l" * 255 + "…"


@covers("PAGE-36")
def test_nodes_are_bounded():
    assert len(extract("<p>x" * (MAX_PAGE_NODES // 2)).lines) > 1000
    assert is_unparseable("<p>x" * (MAX_PAGE_NODES // 2 + 1))


@covers("PAGE-36")
def test_depth_is_bounded():
    fits = MAX_PAGE_DEPTH - 3  # html, body and the text itself
    assert lines("<div>" * fits + "x") == ["x"]
    assert is_unparseable("<div>" * (fits + 1) + "x")


@covers("PAGE-36")
def test_lines_are_bounded_and_what_did_not_fit_is_counted():
    content = extract("".join(f"<p>{number:04} {'é' * 95}" for number in range(200)))
    assert sum(len(line.encode()) for line in content.lines) <= MAX_PAGE_LINES_BYTES
    assert len(content.lines) + content.lines_left_out == 200
    assert content.lines_left_out > 0


@covers("PAGE-36")
def test_long_lines_are_broken_at_blanks_and_lose_nothing():
    words = [f"word{number}" for number in range(1000)]
    broken = lines(f"<p>{' '.join(words)}")
    assert max(map(len, broken)) <= MAX_PAGE_LINE_CHARS
    assert " ".join(broken).split() == words
    assert "".join(lines(f"<p>{'x' * 3000}")) == "x" * 3000


@covers("PAGE-36")
def test_links_are_bounded_and_what_did_not_fit_is_counted():
    content = extract("".join(f"<a href='/{n}'>{n}</a>" for n in range(400)))
    assert sum(len(link.label) + len(link.url) for link in content.links) <= MAX_PAGE_LINKS_BYTES
    assert len(content.links) + content.links_left_out == 400
    content = extract("".join(f"<a href='//b.c/{n}'>{n}</a>" for n in range(150)) * 2)
    assert len(content.links) <= MAX_PAGE_LINKS


@covers("PAGE-36")
@pytest.mark.parametrize(
    "body", ["", "<p> </p>", "<script>x</script>", "<title>only</title>", "\u200b", "<form>x</form>"]
)
def test_a_page_with_neither_line_nor_link_cannot_be_parsed(body):
    assert is_unparseable(body)


@covers("PAGE-36")
@pytest.mark.parametrize(
    "html",
    [
        *(
            "<div>" * 400_000,
            "<b>" * 500_000,
            "<a href=x>" * 200_000,
            "<article hidden>" * 100_000,
            "<table><td>" * 150_000,
        ),
        *("<p " + "a " * 900_000, "<title>" * 250_000, "<base href=x>" * 150_000, "<form>" * 300_000),
        "<div hidden>" * 900 + "<article>" * 90_000,
        "<article hidden></article>" * 70_000,
    ],
)
def test_hostile_pages_end_soon(html):
    begin = time.monotonic()
    with contextlib.suppress(PageFailed):
        extract(html)
    assert time.monotonic() - begin < 5


@covers("PAGE-36")
def test_plain_text_is_lines_without_title_and_links():
    content = extract_plain("one\r\n\r\n  two\u2028three <b>\x00\x1b[31m\u202e https://x.example".encode(), "utf-8")
    assert content == Content("", ("one", "  two", "three <b>\ufffd\ufffd[31m https://x.example"), ())
    with pytest.raises(PageFailed):
        extract_plain(b" \n\n", None)


@covers("PAGE-36")
@given(st.text(max_size=400) | st.text("<>/=\"' abdefhilmnoprstuv&;#\n", max_size=400))
def test_whatever_comes_stays_within_the_bounds(html):
    try:
        content = extract(html)
    except PageFailed:
        return
    assert all(len(line.splitlines()) == 1 and line.strip() for line in content.lines)
    assert all(link.url.startswith(("http://", "https://")) and link.label.strip() for link in content.links)
    assert all(isinstance(link, Link) and len(link.label.splitlines()) == 1 for link in content.links)
