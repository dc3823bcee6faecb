"""Feeds become lists; what only looks like one, or would grow, is shown as it is."""

from __future__ import annotations

import pytest

from blitzweb.content.convert import convert
from blitzweb.content.document import Document, Format
from blitzweb.limits import MAX_FEED_ENTRIES
from tests.support.content import URL
from tests.support.covers import covers

RSS = """<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:c="http://purl.org/rss/1.0/modules/content/" xmlns:a="http://www.w3.org/2005/Atom"><channel>
<title>News &amp; more</title><link>https://n.test/</link><a:link href="https://n.test/feed" rel="self"/>
<description>All of it</description><image><title>logo</title><url>x</url></image>
<item><title><![CDATA[A <b>bold</b> title]]></title><link>/a?x=1&amp;y=2</link><pubDate>Tue, 01 Dec 2026</pubDate>
<description>&lt;p&gt;Short&lt;script&gt;bad()&lt;/script&gt;&lt;/p&gt;</description>
<c:encoded><![CDATA[<p>Longer &amp; whole</p><p>text</p>]]></c:encoded></item>
<item><title></title><guid>https://n.test/b</guid></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><link rel="self" href="http://a.test/self"/>
<link href="http://a.test/"/><entry><title type="html">E &amp;lt;1</title><link href="e1"/><updated>2026-01-01</updated>
<author><name>Ann</name></author><content type="xhtml"><div><p>Hi <b>there</b></p></div></content></entry></feed>"""


def read(feed: str, media_type: str = "application/rss+xml", form: Format = "markdown") -> Document:
    return convert(feed.encode(), media_type=media_type, charset=None, url=URL, format=form)


@covers("CONTENT-09")
def test_rss() -> None:
    document = read(RSS)
    assert document.title == "News & more"
    assert document.content == (
        "# News & more\n\nAll of it\n\n"
        "- [A bold title](https://n.test/a?x=1&y=2), Tue, 01 Dec 2026\n  Longer & whole text\n"
        "- [https://n.test/b](https://n.test/b)"
    )
    assert "- A bold title (https://n.test/a?x=1&y=2), Tue" in read(RSS, form="text").content
    assert read(RSS, "text/html", "links").content.startswith("- [A bold title](https://n.test/a?x=1&y=2)\n")


@covers("CONTENT-09")
def test_atom() -> None:
    assert read(ATOM, "application/xml").content == "# F\n\n- [E <1](http://a.test/e1), 2026-01-01, Ann\n  Hi there"


@pytest.mark.parametrize(
    "feed",
    [
        "<rss",
        "no feed",
        '<!DOCTYPE rss [<!ENTITY a "b">]><rss><channel><title>&a;</title></channel></rss>',
        "<rss>\0</rss>",
    ],
)
def test_what_is_no_feed_is_shown_as_it_is(feed: str) -> None:
    assert read(feed).content == feed.replace("\0", "\ufffd")


def test_a_feed_that_was_cut_off_keeps_its_whole_entries() -> None:
    assert "A bold title" in read(RSS[:-60]).content


def test_long_feeds_are_counted() -> None:
    feed = "<rss><channel>" + "<item><title>x</title></item>" * (MAX_FEED_ENTRIES + 3) + "</channel></rss>"
    assert f"(the first {MAX_FEED_ENTRIES} of {MAX_FEED_ENTRIES + 3} entries)" in read(feed).content
