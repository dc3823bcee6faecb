"""Two parsers behind one seam say the same, on the html5lib-tests and on generated HTML; what differs is listed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blitzweb.content.document import Format
from blitzweb.content.page import read_page
from blitzweb.content.tree import Parser
from tests.support.content import SHARED_DATA, URL
from tests.support.tables import read_table

CASES = SHARED_DATA / "html5lib-tests" / "tree-construction"
FORMATS: tuple[Format, ...] = ("text", "markdown", "links")


def read(html: str, parser: Parser) -> list[str]:
    return [read_page(html, url=URL, format=form, parser=parser).content for form in FORMATS]


def cases() -> Iterator[tuple[str, int, str]]:
    """Give file, number and data of every case that is a document."""
    for path in sorted(CASES.glob("*.dat")):
        blocks = re.split(r"(?:^|\n)#data\n", path.read_text(encoding="utf-8", errors="surrogatepass"))[1:]
        for number, block in enumerate(blocks, 1):
            data, _, rest = block.partition("\n#errors")
            if "#document-fragment" not in rest:
                yield path.name, number, data


@pytest.mark.skipif(not CASES.is_dir(), reason=f"{CASES} is absent")
def test_the_html5lib_tests_say_the_same_through_both_parsers_or_are_listed() -> None:
    listed = {(row["file"], row["case"]) for row in read_table(Path(__file__).with_name("html5lib_differences.tsv"))}
    different = {(name, str(number)) for name, number, data in cases() if read(data, "auto") != read(data, "html5lib")}
    assert different - listed == set()
    assert listed - different == set(), "listed, and the same by now"


# Without what html5lib predates: template, select, ruby, search, dialog, `<?`, end tags that leave foreign content.
TAGS = [
    "p",
    "div",
    "span",
    "b",
    "i",
    "em",
    "a",
    "code",
    "pre",
    "h1",
    "h2",
    "ul",
    "ol",
    "li",
    "table",
    "tr",
    "td",
    "th",
    "blockquote",
    "br",
    "img",
    "hr",
    "dl",
    "dt",
    "dd",
    "sup",
    "section",
    "article",
    "del",
    "q",
    "figure",
    "figcaption",
    "details",
    "summary",
    "button",
    "form",
    "style",
    "script",
    "title",
    "noscript",
]
ATTRIBUTES = (
    "",
    " href='/x'",
    " href='y (z)'",
    " class='language-py'",
    " hidden",
    " style='display:none'",
    " start=3",
    " alt=p src=q",
)
TEXTS = st.text(alphabet="ab *_`[]()<>&#\n\t-.|1\u00e9\u4e2d\u200b", max_size=8)
PIECES = st.one_of(
    TEXTS.map(lambda text: text.replace("<?", "")),
    st.builds("<{}{}>".format, st.sampled_from(TAGS), st.sampled_from(ATTRIBUTES)),
    st.builds("</{}>".format, st.sampled_from(TAGS)),
    st.sampled_from(["&amp;", "&lt;", "&#x80;", "&nbsp;", "&#0;", "<!-- c -->", "<!doctype html>"]),
    st.sampled_from(["<svg><title>t</title>x</svg>", "<math><mi>x</mi></math>"]),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=25).map("".join).filter(lambda html: "<?" not in html))
def test_generated_html_says_the_same_through_both_parsers(html: str) -> None:
    assert read(html, "auto") == read(html, "html5lib")
