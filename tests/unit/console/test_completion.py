from __future__ import annotations

import pytest

from blitzweb.console.catalogue import ask_catalogue
from blitzweb.console.completion import complete
from blitzweb.console.prompt import WORDS
from tests.support.catalogue import CatalogueClient

CATALOGUE = ask_catalogue(CatalogueClient(), {})


def words(line):
    return [candidate.word for candidate in complete(line, CATALOGUE, WORDS)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("des", ["describe"]),
        ("tools/", ["tools/list", "tools/call"]),
        ("web_f", ["web_fetch", "web_find"]),
        ("call web_f", ["web_fetch", "web_find"]),
        ("call des", []),
        ("describe pi", ["ping"]),
        ("mode ", ["normal", "plan", "read_only", "unattended"]),
        ("mode p", ["plan"]),
        ("web_find ", ["ref_id=", "pattern="]),
        ("web_find ref_id=web-1 ", ["pattern="]),
        ("call web_find r", ["ref_id="]),
        ("web_fetch format=", ["format=text", "format=markdown", "format=article", "format=links"]),
        ("web_fetch format=m", ["format=markdown"]),
        ("web_fetch render=", ["render=true", "render=false"]),
        ("web_fetch url=h", []),
        ("doctor  o", ["online="]),
        ("nothing_like_it ", []),
    ],
)
def test_what_may_come_next(line: str, expected: list[str]) -> None:
    assert words(line) == expected


def test_an_empty_line_offers_everything() -> None:
    assert set(words("")) == set(WORDS) | set(CATALOGUE.entries)


def test_a_candidate_says_what_it_is() -> None:
    (url,) = (found for found in complete("web_fetch u", CATALOGUE, WORDS))
    assert url.about == "text (required)"
