from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.contract.searches import TranscriptMessage
from blitzweb.errors import InvalidParams
from blitzweb.search.sessions import search_session, split_terms
from tests.support.covers import covers


def transcript(*texts):
    return [TranscriptMessage(number=10 + place, role="user", text=text) for place, text in enumerate(texts)]


@covers("WEB-21")
@pytest.mark.parametrize(
    ("typed", "terms"),
    [
        ("exit code", ["exit", "code"]),
        ('daemon "exit code"', ["exit code", "daemon"]),
        ('"a b" "c d" e', ["a b", "c d", "e"]),
        ("Exit exit EXIT", ["Exit"]),
        ("a b A", ["a", "b"]),
        ('"exit" Exit', ["exit"]),
        ('say "hi there', ["say", '"hi', "there"]),
        ('5" disk', ['5"', "disk"]),
        ('"" " "', []),
        (" \t\n", []),
        ('"  padded  "', ["padded"]),
        ("c++ (x) .*", ["c++", "(x)", ".*"]),
        ('one"two three"four', ["two three", "one", "four"]),
    ],
)
def test_phrases_come_first_and_terms_are_unique(typed, terms):
    assert split_terms(typed) == terms


@covers("WEB-21")
def test_a_message_matches_if_any_term_occurs_whatever_the_case():
    found = search_session("DAEMON missing", transcript("the Daemon ends", "nothing", "daemons"))
    assert [match.number for match in found.matches] == [10, 12]
    assert (found.matching, found.searched, found.mode) == (2, 3, "read_only")


@covers("WEB-21")
def test_terms_are_literal():
    assert search_session("a.c", transcript("abc", "a.c")).matches[0].number == 11


@covers("WEB-21")
def test_earlier_searches_of_the_user_are_skipped():
    found = search_session("daemon", transcript("/search session daemon", "/searching daemon", " /search daemon"))
    assert ([match.number for match in found.matches], found.searched) == ([11, 12], 2)


@covers("WEB-21")
def test_twelve_are_kept_by_terms_then_recency_and_told_oldest_first():
    texts = ["alpha beta", *["alpha"] * 15]
    found = search_session("alpha beta", transcript(*texts))
    assert [match.number for match in found.matches] == [10, *range(15, 26)]
    assert found.matching == 16
    assert "12 of 16" in found.prompt


@covers("WEB-21")
def test_the_number_of_distinct_terms_counts_not_how_often():
    texts = ["a b", *["a a a a"] * 12]
    assert search_session("a b", transcript(*texts)).matches[0].number == 10


@covers("WEB-21")
@pytest.mark.parametrize(
    ("before", "after", "excerpt"),
    [
        ("", "", "needle"),
        ("x" * 300, "y" * 300, "x" * 300 + "needle" + "y" * 300),
        ("x" * 301, "y" * 301, "…" + "x" * 299 + "needle" + "y" * 299 + "…"),
        ("😀" * 400, "", "…" + "😀" * 299 + "needle"),
    ],
)
def test_an_excerpt_has_300_characters_each_side_of_the_earliest_hit(before, after, excerpt):
    text = before + "needle" + after
    assert search_session("needle", transcript(text)).matches[0].excerpt == excerpt


@covers("WEB-21")
def test_the_earliest_hit_of_any_term_is_shown():
    text = "first" + "." * 1000 + "second"
    assert search_session("second first", transcript(text)).matches[0].excerpt.startswith("first")


@covers("WEB-21")
def test_the_prompt_gives_terms_numbers_roles_times_and_excerpts():
    message = TranscriptMessage(number=7, role="assistant", time="09:30", text="The exit code is 0.")
    prompt = search_session('"exit code" zero', [message]).prompt
    for part in ['"exit code", "zero"', "1 of 1", "[7] assistant, 09:30", "The exit code is 0."]:
        assert part in prompt


@covers("WEB-21")
def test_without_a_match_the_answer_is_from_memory_without_tools():
    found = search_session("absent", transcript("present"))
    assert (found.matches, found.matching, found.searched) == ((), 0, 1)
    assert "from memory" in found.prompt
    assert "without tools" in found.prompt


@covers("WEB-21")
@pytest.mark.parametrize("terms", [" ", '""', '" " ""'])
def test_no_term_is_an_error(terms):
    with pytest.raises(InvalidParams):
        search_session(terms, transcript("text"))


@covers("WEB-21")
@given(st.text(alphabet='aAbİßſ" ', min_size=1), st.lists(st.text(alphabet="aAbİßſ ./", max_size=8), max_size=20))
def test_what_is_found_holds_for_any_text(terms, texts):
    if not split_terms(terms):
        return
    found = search_session(terms, transcript(*texts))
    numbers = [match.number for match in found.matches]
    assert numbers == sorted(numbers)
    assert len(numbers) == min(12, found.matching) <= found.searched <= len(texts)
    for match in found.matches:
        assert match.excerpt in texts[match.number - 10]
