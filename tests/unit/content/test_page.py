"""What is known of a page beside its text: links, title, refresh, whether it needs JavaScript."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.content.targets import Targets, _join
from tests.support.content import URL, page
from tests.support.covers import covers


@covers("CONTENT-07")
def test_links_are_listed_once_in_order() -> None:
    body = "<p><a href='/b'>b</a><a href='/a'>a [1]</a><a href='/b'> b </a><a href='mailto:x@y.z'>m</a>"
    body += "<table><tr><th><a href='/c'><b>c</b></a></table><ul><li><a href='/d'><img alt=d src=e></a></ul>"
    assert page(body, "links").content.split("\n") == [
        "- [b](http://site.test/b)",
        "- [a (1)](http://site.test/a)",
        "- [c](http://site.test/c)",
        "- [d](http://site.test/d)",
    ]


@covers("FETCH-03")
@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0;url=/x", "http://site.test/x"),
        ("5; URL='http://o.test/?a;b'", "http://o.test/?a;b"),
        ('0, url = "y"z', "http://site.test/docs/y"),
        ("0;/x", "http://site.test/x"),
        ("30", None),
        ("0;url=javascript:x()", None),
        ("", None),
    ],
)
def test_refresh(content: str, target: str | None) -> None:
    content = content.replace('"', "&quot;")
    assert page(f'<meta http-equiv="Refresh" content="{content}">x').refresh == target


@covers("CONTENT-11")
@pytest.mark.parametrize(
    "body",
    [
        '<div id="root"></div><script src=app.js></script>',
        "<div id=app>Loading…</div><script>x</script>",
        "<noscript>You need to enable JavaScript to run this app.</noscript><script>x</script>",
        "<p>Please turn on JavaScript and reload</p><script>x</script>",
        "<script>" + "x" * 10_000 + "</script>",
    ],
)
def test_pages_that_are_empty_without_javascript(body: str) -> None:
    assert page(body, "text").needs_javascript


@pytest.mark.parametrize(
    "body",
    [
        "<p>short</p>",
        "<p>short, with a small script</p><script>x</script>",
        '<div id="root">' + "<p>words</p>" * 100 + "</div><script>x</script><noscript>enable JavaScript</noscript>",
    ],
)
def test_pages_that_say_something_without(body: str) -> None:
    assert not page(body, "text").needs_javascript


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title> a\n b </title>", "a b"),
        ("<title>a&#x200b;&#xe0041;b</title>", "ab"),
        ("<meta property=og:title content=a>", "a"),
        ("<svg><title>a</title></svg>", None),
        ("<title>" + "x" * 600 + "</title>", "x" * 511 + "…"),
        ("", None),
    ],
)
def test_titles(html: str, title: str | None) -> None:
    from blitzweb.content.convert import convert

    assert convert(html.encode(), media_type="text/html", charset=None, url=URL).title == title


@given(st.text(alphabet="/.?ab-:@%;=#&(!é \\", max_size=9))
def test_plain_paths_are_resolved_as_the_url_standard_has_it(href: str) -> None:
    targets = Targets("https://x.test/a/b?c")
    expected = _join("https://x.test/a/b?c", href)
    assert targets.resolve(href) == (expected if expected.startswith("http") else "")
