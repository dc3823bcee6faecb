"""Markdown, kind by kind: what each piece of HTML becomes, letter for letter."""

from __future__ import annotations

import pytest

from tests.support.content import markdown
from tests.support.covers import covers

KINDS = {
    "headings": ("<h1>a</h1><h6>b</h6>", "# a\n\n###### b"),
    "a heading is one line": ("<h2>a<br>b<div>c</div></h2>", "## a b c"),
    "paragraphs": ("<p>a</p><p>b</p>", "a\n\nb"),
    "lines": ("<div>a</div><div>b</div>c", "a\nb\nc"),
    "breaks": ("a<br>b<br><br>c", "a\nb\nc"),
    "a rule": ("a<hr>b", "a\n\n---\n\nb"),
    "emphasis": ("<b>a</b> <i>b</i> <del>c</del>", "**a** *b* ~~c~~"),
    "blanks stand outside of emphasis": ("a<b> b </b>c", "a **b** c"),
    "emphasis side by side": ("<b>a</b><b>b</b><i>c</i>", "**ab**c"),
    "emphasis in emphasis": ("<b><i>a</i></b><b><b>b</b></b>", "***a*b**"),
    "empty emphasis": ("a<b></b><i> </i>b", "a b"),
    "emphasis round blocks": ("<b><p>a</p><p>b</p></b>", "**a**\n\n**b**"),
    "a quotation": ("<blockquote><p>a</p><blockquote>b</blockquote></blockquote>", "> a\n>\n> > b"),
    "code": ("<code>a</code> <kbd>b</kbd>", "`a` `b`"),
    "code with backticks": ("<code>a`b</code> <code>`c``</code>", "``a`b`` ``` `c`` ```"),
    "code with links": ("<code>a <a href='/b'>b</a></code>", "`a` [`b`](http://site.test/b)"),
    "a block of code": ("<pre><code class='language-py'>a\n\n\n  b\n</code></pre>", "```py\na\n\n\n  b\n```"),
    "code with fences": ("<pre>```\nx\n````</pre>", "`````\n```\nx\n````\n`````"),
    "code in lines of its own": ("<pre><div>a</div><div>b</div></pre>", "```\na\nb\n```"),
    "code with breaks": ("<pre>a<br>b</pre>", "```\na\nb\n```"),
    "languages, of the block": ("<pre class='lang-js'>a</pre>", "```js\na\n```"),
    "languages, round the block": ("<div class='highlight-source-c++'><pre>a</pre></div>", "```c++\na\n```"),
    "languages, as data": ("<pre data-lang=Rust>a</pre>", "```rust\na\n```"),
    "languages that are none": ("<pre class='language-none'>a</pre>", "```\na\n```"),
    "items": ("<ul><li>a<li>b</ul>", "- a\n- b"),
    "items, nested": ("<ul><li>a<ul><li>b<ol><li>c</ol></ul><li>d</ul>", "- a\n  - b\n    1. c\n- d"),
    "items, nested without an item": ("<ul><li>a</li><ul><li>b</li></ul></ul>", "- a\n  - b"),
    "items, from a number": ("<ol start=5><li>a<li value=9>b<li>c</ol>", "5. a\n9. b\n10. c"),
    "items, backwards": ("<ol reversed><li>a<li>b</ol>", "2. a\n1. b"),
    "items with paragraphs": ("<ul><li><p>a</p><p>b</p></li></ul>", "- a\n\n  b"),
    "items with code": ("<ul><li>a<pre>b\n c</pre></ul>", "- a\n\n  ```\n  b\n   c\n  ```"),
    "items with nothing": ("<ul><li><li>a</ul>", "- a"),
    "tasks": (
        "<ul><li><input type=checkbox checked>a<li><label><input type=checkbox>b</label></ul>",
        "- [x] a\n- [ ] b",
    ),
    "an item in no list": ("<li>a</li>", "- a"),
    "descriptions": ("<dl><dt>a<dd>b<dd>c</dl>", "a\n: b\n: c"),
    "links": ("<a href='/x'>a</a>", "[a](http://site.test/x)"),
    "links, relative": (
        "<a href='x?y#z'>a</a> <a href='../x'>b</a>",
        "[a](http://site.test/docs/x?y#z) [b](http://site.test/x)",
    ),
    "links with brackets": ("<a href='/x'>a[1]</a>", "[a\\[1\\]](http://site.test/x)"),
    "links that pretend to hold an image": ("<a href='/x'>![a](b)</a>", "[!\\[a\\](b)](http://site.test/x)"),
    "links with parentheses and blanks": ("<a href='/a (b)'>a</a>", "[a](<http://site.test/a%20(b)>)"),
    "links on one line": ("<a href='/x'><div>a</div><div>b</div></a>", "[a b](http://site.test/x)"),
    "links round a heading": ("<a href='/x'><h3>a</h3><p>b</p></a>", "### [a](http://site.test/x)\n\nb"),
    "links that go nowhere": ("<a href='javascript:x()'>a</a> <a name=b>b</a> <a href='data:,c'>c</a>", "a b c"),
    "links for mail": ("<a href='mailto:a@b.c'>a</a>", "[a](mailto:a@b.c)"),
    "links without text": (
        "<a href='/x' aria-label='a b'><svg></svg></a><a href='/y'></a>",
        "[a b](http://site.test/x)",
    ),
    "links named by a drawing": ("<a href='/x'><svg><title>a</title></svg></a>", "[a](http://site.test/x)"),
    "links of images": (
        "<a href='/x'><img src=a.png alt=b></a>",
        "[![b](http://site.test/docs/a.png)](http://site.test/x)",
    ),
    "images": ("<img src='a.png' alt='b'>", "![b](http://site.test/docs/a.png)"),
    "images that decorate": ("a<img src='a.png' alt=''>", "a"),
    "images, late": ("<img src='data:image/gif;base64,R0' data-src='/a' alt=b>", "![b](http://site.test/a)"),
    "images, late, by a set": ("<img data-srcset='/s 1x, /l 2x' alt=b>", "![b](http://site.test/l)"),
    "images, the widest": ("<img srcset='/s 100w, /l 900w' alt=b>", "![b](http://site.test/l)"),
    "images of data": (
        "<img src='data:image/png;base64,QUJD' alt=b>",
        "![b](<data:image/png, 26 characters left out>)",
    ),
    "a figure": (
        "a<figure><img src=/b alt=b><figcaption>c</figcaption></figure>d",
        "a\n\n![b](http://site.test/b)\nc\n\nd",
    ),
    "a formula": (
        "<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>x^2</annotation></semantics></math>",
        "$x^2$",
    ),
    "a formula that stands alone": ("<math display=block alttext='x'><mi>y</mi></math>", "$$x$$"),
    "exponents and notes": ("x<sup>2</sup> 1<sup>st</sup> a<sup>[1]</sup> H<sub>2</sub>O", "x^2 1st a[1] H2O"),
    "ruby": ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)"),
    "a quotation in a line": ("<q>a</q>", "“a”"),
    "entities, once": ("&amp;lt;b&amp;gt; &#x80;", "&lt;b&gt; €"),
    "blanks": ("a \n\t b&nbsp;&nbsp;c", "a b c"),
    "what is not said": (
        "a<script>b</script><style>c</style><noscript>d</noscript><template>e</template><iframe>f</iframe>",
        "a",
    ),
    "marks of the page's own": ("<p># a<br>- b<br>1. c<br>&gt; d<br>```", "\\# a\n\\- b\n1\\. c\n\\> d\n\\```"),
    "misnested": ("<b><p>a</b> b</p><table><tr><td>c</td></tr>d</table>", "**a** b\n\nd\nc"),
}
TABLES = {
    "with a head": (
        "<table><thead><tr><th>a<th>b</thead><tr><td>1<td>2</table>",
        "| a | b |\n| --- | --- |\n| 1 | 2 |",
    ),
    "with a head of th alone": ("<table><tr><th>a<th>b<tr><td>1<td>2</table>", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
    "with heads of rows": (
        "<table><tr><th scope=row>a<td>1<tr><th scope=row>b<td>2</table>",
        "|  |  |\n| --- | --- |\n| a | 1 |\n| b | 2 |",
    ),
    "with pipes": ("<table><tr><th>a|b<th><code>c|d</code></table>", "| a\\|b | `c\\|d` |\n| --- | --- |"),
    "with blocks": (
        "<table><tr><th>a<th>b<tr><td><p>c</p><p>d</p><td><ul><li>e<li>f</ul></table>",
        "| a | b |\n| --- | --- |\n| c<br>d | - e<br>- f |",
    ),
    "with code": (
        "<table><tr><th>a<th>b<tr><td><pre>c\nd</pre><td>e</table>",
        "| a | b |\n| --- | --- |\n| `c d` | e |",
    ),
    "with cells of two columns": (
        "<table><tr><th colspan=2>a<th>b<tr><td>1<td>2<td>3</table>",
        "| a |  | b |\n| --- | --- | --- |\n| 1 | 2 | 3 |",
    ),
    "with cells of two rows": (
        "<table><tr><th>a<th>b<tr><td rowspan=2>1<td>2<tr><td>3</table>",
        "| a | b |\n| --- | --- |\n| 1 | 2 |\n|  | 3 |",
    ),
    "of short rows": ("<table><tr><th>a<th>b<tr><td>1</table>", "| a | b |\n| --- | --- |\n| 1 |  |"),
    "in a cell": (
        "<table><tr><th>a<th>b<tr><td><table><tr><td>c<td>d</table><td>e</table>",
        "| a | b |\n| --- | --- |\n| c d | e |",
    ),
    "that place a table": (
        "<table><tr><td>a<table><tr><td>c<td>d</table><td>e</table>",
        "a\n\n|  |  |\n| --- | --- |\n| c | d |\n\ne",
    ),
    "that place a page": ("<table><tr><td><h2>a</h2><p>b</p></table>", "## a\n\nb"),
    "with a caption": ("<table><caption>a</caption><tr><th>b<th>c</table>", "a\n\n| b | c |\n| --- | --- |"),
    "with links": ("<table><tr><th>a<th><a href='/x'>b</a></table>", "| a | [b](http://site.test/x) |\n| --- | --- |"),
}


@covers("CONTENT-05")
@pytest.mark.parametrize("kind", KINDS)
def test_kinds(kind: str) -> None:
    html, expected = KINDS[kind]
    assert markdown(html) == expected


@covers("CONTENT-05")
@pytest.mark.parametrize("kind", TABLES)
def test_tables(kind: str) -> None:
    html, expected = TABLES[kind]
    assert markdown(html) == expected


@pytest.mark.parametrize("level", [10, 60, 400])
def test_deep_nesting_keeps_the_text(level: int) -> None:
    assert markdown("<ul><li>" * level + "deep").endswith("deep")
    assert markdown("<blockquote>" * level + "deep").endswith("deep")
    assert "deep" in markdown("<table><tr><td>a<td>" * level + "deep")
