from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.limits import MAX_FOUND_BYTES, MAX_FOUND_LINE_CHARS
from blitzweb.pages.find import find_lines
from tests.support.covers import covers


def numbers(lines: list[str], pattern: str) -> list[int]:
    return [match.line for match in find_lines("web-1", lines, pattern).shown]


@covers("PAGE-03")
@pytest.mark.parametrize(
    ("pattern", "found"),
    [("beta", [1, 2]), ("BETA", [1, 2]), ("a.c", [3]), ("(", [4]), (".*", []), ("straße", [5]), ("STRASSE", [])],
)
def test_text_is_literal_and_case_is_ignored(pattern, found):
    assert numbers(["Alpha beta beta", "BETA", "a.c", "f(x)", "Straße"], pattern) == found


@covers("PAGE-03")
def test_no_match_is_a_sentence_and_no_error():
    found = find_lines("web-3", ["x"], "y")
    assert (found.shown, found.total, found.text) == ([], 0, "No line of web-3 holds that text.")


@covers("PAGE-42")
def test_matches_are_64_at_most_and_the_rest_is_counted():
    found = find_lines("web-3", ["x"] * 100, "x")
    assert len(found.shown) == 64
    assert found.total == 100
    assert found.text.startswith("100 of 100 lines of web-3 match; their text is untrusted.")
    assert found.text.endswith("36 more matches are not shown.")


@covers("PAGE-42")
@pytest.mark.parametrize("place", [0, 100, 500, 995])
def test_of_a_long_line_the_part_with_the_match_is_shown(place):
    line = "é" * place + "match" + "é" * (1000 - place)
    (shown,) = find_lines("web-1", [line], "MATCH").shown
    assert "match" in shown.text
    assert len(shown.text) == MAX_FOUND_LINE_CHARS
    assert shown.text.startswith("…") == (place > 100)
    assert shown.text.endswith("…") == (place < 900)


@covers("PAGE-42")
@given(st.lists(st.text(min_size=1, max_size=1024), max_size=100), st.text(min_size=1, max_size=256))
def test_the_whole_reply_fits_its_budget(lines, pattern):
    lines = [" ".join(line.split()) or "x" for line in lines]
    for wanted in (pattern, "x"):
        found = find_lines("web-" + "9" * 60, lines, wanted)
        assert len(found.text.encode("utf-8", "replace")) <= MAX_FOUND_BYTES
        assert all(match.text and len(match.text) <= MAX_FOUND_LINE_CHARS for match in found.shown)
