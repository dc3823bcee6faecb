"""Structure is kept on pages of known pieces: headings, items, cells, lines of code and links."""

from __future__ import annotations

from collections import Counter

import pytest

from blitzweb.content.page import read_page
from tests.support.content import URL
from tests.support.covers import covers
from tests.support.structure import KINDS, Maker, kept


@covers("CONTENT-05")
@pytest.mark.parametrize("parser", ["auto", "html5lib"])
def test_structure_is_kept(parser: str) -> None:
    total: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for seed in range(30):
        made = Maker(seed).page()
        markdown = read_page(made.html, url=URL, format="markdown", parser=parser).content  # type: ignore[arg-type]
        total.update({kind: len(words) for kind, words in made.pieces.items()})
        found.update(kept(made, markdown))
    assert {kind: found[kind] / total[kind] for kind in KINDS} == dict.fromkeys(KINDS, 1.0)
