"""The one matcher: globs.tsv documents it."""

from __future__ import annotations

import fnmatch
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.policy.globs import Glob, PatternRefused
from tests.support.covers import covers
from tests.support.tables import read_table


@covers("POLICY-04")
@pytest.mark.parametrize(
    "row", read_table(Path(__file__).with_name("globs.tsv")), ids=lambda row: " ".join(row.values())
)
def test_the_table(row: dict[str, str]) -> None:
    assert Glob.compile(row["pattern"]).matches(row["text"]) is (row["matches"] == "yes")


@covers("POLICY-04")
@pytest.mark.parametrize(("pattern", "words"), [("", "not empty"), ("[a]", r"has a \["), ("a[", r"\* for any run")])
def test_what_is_no_pattern(pattern: str, words: str) -> None:
    with pytest.raises(PatternRefused, match=words):
        Glob.compile(pattern)


@covers("POLICY-04")
@given(st.text("ab.*?-", min_size=1, max_size=12), st.text("ab.-", max_size=16))
def test_it_agrees_with_fnmatch(pattern: str, text: str) -> None:
    assert Glob.compile(pattern).matches(text) is fnmatch.fnmatchcase(text, pattern)


@covers("POLICY-04")
def test_a_hostile_pattern_costs_no_more_than_its_length_times_the_text() -> None:
    started = time.process_time()
    assert not Glob.compile("*a" * 100 + "b").matches("a" * 253)
    assert time.process_time() - started < 1  # a backtracking matcher would not end in a lifetime
