"""Text by the fixed rules, kind by kind."""

from __future__ import annotations

import pytest

from tests.support.content import page, text
from tests.support.covers import covers

KINDS = {
    "headings": ("<h1>a</h1><h3>b</h3>", "# a\n\n### b"),
    "paragraphs and lines": ("<p>a</p><div>b</div><div>c</div>", "a\n\nb\nc"),
    "blanks": ("<p> a \n\n b </p>\n\n\n<p></p><p>c", "a b\n\nc"),
    "breaks": ("a<br>b<br><br><br>c", "a\nb\nc"),
    "items": ("<ul><li>a<ol start=3><li>b<li value=7>c</ol></ul>", "- a\n  3. b\n  7. c"),
    "code, letter for letter": ("<ul><li>a<pre>  b\n\n\n c</pre></ul>", "- a\n\n  b\n\n\n c"),
    "cells": ("<table><tr><th>a<th>b<tr><td>1<br>2<td><p>3</p><p>4</p></table>", "a | b\n1 2 | 3 4"),
    "links": ("<a href='/x'>a</a>, <a href='y'>b</a>.", "a (http://site.test/x), b (http://site.test/docs/y)."),
    "links that say their address": ("<a href='http://a.test'>http://a.test</a>", "http://a.test"),
    "links for no web page": ("<a href='mailto:a@b.c'>a</a> <a href='javascript:x'>b</a>", "a b"),
    "images": ("a <img alt=b src=c> <img src=d>", "a b"),
    "no blank before a point": ("<b>a</b>, <i>b</i>!<a href='/x'>c</a>?", "a, b!c (http://site.test/x)?"),
    "no marks of emphasis": ("<b>a</b> <code>b</code> <q>c</q>", "a b “c”"),
    "what is not said": (
        (
            "a<script>x</script><style>x</style><noscript>x</noscript><svg><text>x</text></svg><template>x</template>"
            "<iframe>x</iframe><object>x</object><canvas>x</canvas><audio>x</audio><video>x</video>"
        ),
        "a",
    ),
    "quotations and descriptions": ("<blockquote>a</blockquote><dl><dt>b<dd>c</dl>", "a\n\nb\nc"),
    "formulas": ("<math alttext='x^2'><mi>x</mi></math>", "x^2"),
}


@covers("WEB-07")
@pytest.mark.parametrize("kind", KINDS)
def test_kinds(kind: str) -> None:
    html, expected = KINDS[kind]
    assert text(html) == expected


@covers("WEB-07")
def test_the_title_is_a_field_and_no_content() -> None:
    document = page("a", "text")
    assert (document.title, document.content) == ("T", "a")


@pytest.mark.parametrize(
    ("base", "target"), [("/b/", "http://site.test/b/x"), ("http://o.test/c/d?e", "http://o.test/c/x")]
)
def test_links_are_resolved_against_the_base(base: str, target: str) -> None:
    assert text(f"<base href='{base}'><base href='/other/'><a href=x>a</a>") == f"a ({target})"


def test_a_page_without_anything_is_empty() -> None:
    assert text("") == ""
