"""Rows for what the model reads: HTML to text, markdown and articles, each beside what others do with the same pages.

Real pages are those of ../shared/data/articles; where they are absent, the rows that need them are skipped.
"""

from __future__ import annotations

import gzip
import json
import statistics
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from row import Bench, Sample, Unavailable, timed

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from blitzweb.content.charset import decode  # noqa: E402
from blitzweb.content.convert import convert  # noqa: E402
from blitzweb.content.document import Format  # noqa: E402
from blitzweb.content.page import read_page  # noqa: E402
from blitzweb.content.tree import parse_bounded, walk  # noqa: E402
from blitzweb.limits import MIB  # noqa: E402
from blitzweb.timing import CancelToken, Deadline  # noqa: E402
from blitzweb.workers.conversion import Converter  # noqa: E402
from tests.support.hostile import SHAPES  # noqa: E402
from tests.support.shingles import compare, f1, strip_targets  # noqa: E402
from tests.support.structure import Maker, kept  # noqa: E402

ARTICLES = ROOT / ".." / "shared" / "data" / "articles"
URL = "http://site.test/docs/page.html"


def real_pages() -> list[bytes]:
    """Return the bodies of real pages."""
    bodies = [gzip.decompress(path.read_bytes()) for path in sorted((ARTICLES / "html").glob("*.html.gz"))]
    if not bodies:
        raise Unavailable(f"{ARTICLES} is absent")
    return bodies


def dense_page() -> str:
    """Return 2 MiB of HTML with much markup."""
    unit = "<div class=row><p>Some <b>bold</b> text with a <a href='/page/1'>link</a> in it.</p></div>\n"
    return unit * (2 * MIB // len(unit))


def convert_all(bodies: list[bytes], form: Format) -> None:
    """Convert pages as a worker does."""
    for body in bodies:
        convert(body, media_type="text/html", charset=None, url=URL, format=form, bounded=True)


@contextmanager
def beside_html2text(form: Format) -> Iterator[tuple[Sample, Sample]]:
    """Real pages by us, and by html2text, which gets them decoded."""
    import html2text

    bodies = real_pages()
    texts = [decode(body, None)[0] for body in bodies]
    yield (
        timed(lambda: convert_all(bodies, form)),
        timed(lambda: [html2text.html2text(text, bodywidth=0) for text in texts]),
    )


@contextmanager
def per_megabyte(form: Format) -> Iterator[tuple[Sample, Sample]]:
    """Milliseconds for a megabyte of real pages, beside parsing them alone."""
    bodies = real_pages()
    megabytes = sum(map(len, bodies)) / 1e6
    texts = [decode(body, None)[0] for body in bodies]
    ours = timed(lambda: convert_all(bodies, form))
    floor = timed(lambda: [parse_bounded(text, "auto") for text in texts])
    yield lambda: ours() / megabytes, lambda: floor() / megabytes


@contextmanager
def parsed_and_walked() -> Iterator[tuple[Sample, Sample]]:
    """2 MiB parsed and every node looked at through the seam, beside selectolax's parse alone."""
    from selectolax.lexbor import LexborHTMLParser

    html = dense_page()

    def look() -> None:
        for node in walk(parse_bounded(html, "auto")):
            if node.tag == "-text":
                _ = node.text_content
            else:
                _ = node.attributes

    yield timed(look), timed(lambda: LexborHTMLParser(html))


@contextmanager
def article_time() -> Iterator[tuple[Sample, Sample]]:
    """The median over real pages of the milliseconds that an article takes, beside trafilatura's."""
    import trafilatura

    bodies = real_pages()
    texts = [decode(body, None)[0] for body in bodies]
    yield (
        lambda: _median([partial(convert_all, [body], "article") for body in bodies]),
        lambda: _median([partial(trafilatura.extract, text) for text in texts]),
    )


def _median(acts: list[Callable[[], object]]) -> float:
    return statistics.median(timed(act)() for act in acts)


@contextmanager
def article_error() -> Iterator[tuple[Sample, Sample]]:
    """What F1 lacks to 100 %, by the public benchmark's measure, beside trafilatura's."""
    import trafilatura

    if not ARTICLES.is_dir():
        raise Unavailable(f"{ARTICLES} is absent")
    expected = json.loads((ARTICLES / "expected.json").read_text(encoding="utf-8"))
    bodies = {name: gzip.decompress((ARTICLES / "html" / f"{name}.html.gz").read_bytes()) for name in expected}

    def error(read: Callable[[bytes, str], str]) -> float:
        pairs = [
            compare(expected[name]["articleBody"], read(body, expected[name]["url"])) for name, body in bodies.items()
        ]
        return 100 * (1 - f1(pairs))

    def ours(body: bytes, url: str) -> str:
        document = convert(body, media_type="text/html", charset=None, url=url, format="article", bounded=True)
        return strip_targets(document.content)

    yield (
        lambda: error(ours),
        lambda: error(lambda body, _url: trafilatura.extract(decode(body, None)[0]) or ""),
    )


@contextmanager
def hostile() -> Iterator[tuple[Sample, Sample]]:
    """The slowest of thirty hostile pages, for the caller."""
    converter = Converter()
    bodies = [make().encode() for make in SHAPES.values()]

    def slowest() -> float:
        return max(timed(partial(_convert_hostile, converter, body))() for body in bodies)

    try:
        yield slowest, lambda: 1000.0
    finally:
        converter.close()


def _convert_hostile(converter: Converter, body: bytes) -> None:
    converter.convert(
        body,
        deadline=Deadline(20),
        cancel=CancelToken(),
        media_type="text/html",
        charset="utf-8",
        url=URL,
        format="markdown",
        parser="auto",
        truncated=False,
    )


@contextmanager
def structure_lost() -> Iterator[tuple[Sample, Sample]]:
    """The percentage of pieces of generated pages that are no longer what they were, in markdown."""
    pages = [Maker(seed).page() for seed in range(100)]

    def lost() -> float:
        total = sum(len(words) for made in pages for words in made.pieces.values())
        found = sum(
            kept(made, read_page(made.html, url=URL, format="markdown", parser="auto").content).total()
            for made in pages
        )
        return 100 * (1 - found / total)

    yield lost, lambda: 1.0


BENCHES = (
    Bench("html-text", "real pages to text", "html2text", 0.25, partial(beside_html2text, "text"), rounds=3),
    Bench(
        "html-markdown", "real pages to markdown", "html2text", 0.25, partial(beside_html2text, "markdown"), rounds=3
    ),
    Bench("html-text-mb", "1 MB to text", "parse alone", 25, partial(per_megabyte, "text"), rounds=5, absolute=True),
    Bench(
        "html-markdown-mb",
        "1 MB to markdown",
        "parse alone",
        25,
        partial(per_megabyte, "markdown"),
        rounds=5,
        absolute=True,
    ),
    Bench("html-walk", "2 MiB parsed and walked", "selectolax's parse", 3, parsed_and_walked, rounds=7),
    Bench("article", "article, median page", "trafilatura", 5, article_time, rounds=3, absolute=True),
    Bench("article-f1", "article, 100 - F1", "trafilatura", 5, article_error, "%", rounds=1, absolute=True),
    Bench("hostile", "slowest hostile page", "target", 1000, hostile, rounds=3, absolute=True),
    Bench("structure", "structure lost", "target", 1, structure_lost, "%", rounds=1, absolute=True),
)
