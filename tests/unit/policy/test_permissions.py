"""Permission rules: rules.tsv documents what each speaks of."""

from __future__ import annotations

from pathlib import Path

import pytest

from blitzweb.errors import SettingsError
from blitzweb.policy.permissions import Rules, Use
from tests.support.covers import covers
from tests.support.tables import read_table

TOOLS = {"web_fetch", "web_search", "browser"}


def compile_rules(**lists: list[str]) -> Rules:
    return Rules.compile(**lists, tools=TOOLS)


@covers("POLICY-05")
@pytest.mark.parametrize(
    "row", read_table(Path(__file__).with_name("rules.tsv")), ids=lambda row: " ".join(row.values())
)
def test_the_table(row: dict[str, str]) -> None:
    tool, kind, *targets = row["use"].split()
    use, fits = Use(tool, kind, tuple(targets)), row["fits"] == "yes"
    for found in (compile_rules(deny=[row["rule"]]).denies(use), compile_rules(ask=[row["rule"]]).asks(use)):
        assert (found is not None) is fits
        assert found is None or found.text == row["rule"]
    if len(targets) == 1:
        assert (compile_rules(allow=[row["rule"]]).allows(use) is not None) is fits


@covers("POLICY-05")
def test_allow_needs_every_target_covered() -> None:
    use = Use("web_fetch", "web", ("a.example", "b.example"))
    assert compile_rules(allow=["web(a.example)"]).allows(use) is None
    assert compile_rules(allow=["web(b.example)"]).allows(use) is None
    found = compile_rules(allow=["web(b.example)", "web(a.example)"]).allows(use)
    assert found is not None
    assert found.text == "web(a.example)"
    assert compile_rules(allow=["web_fetch"]).allows(use) is not None


def test_a_list_says_nothing_for_another() -> None:
    use, rules = Use("web_fetch", "web", ("a.example",)), compile_rules(allow=["web(*)"])
    assert (rules.denies(use), rules.asks(use)) == (None, None)
    assert Rules().allows(use) is None


@covers("POLICY-04", "POLICY-14")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "allowed are"),
        ("web_ftech", "web_fetch, web_search"),
        ("Web(a.example)", "allowed are"),
        ("web()", "not empty"),
        ("web(a.example", "allowed are"),
        ("web a.example", "allowed are"),
        ("web([ab].example)", r"has a \["),
        ("web(https://a.example)", "host alone"),
        ("search()", "not empty"),
        ("browser()", "browser\\(upload\\)"),
        ("browser(*)", "browser\\(upload\\)"),
        ("browser(navigate)", "browser\\(upload\\)"),
        ("shell(rm)", "allowed are"),
    ],
)
@pytest.mark.parametrize("key", ["allow", "ask", "deny"])
def test_what_is_no_rule_is_an_error_of_its_list(key: str, text: str, words: str) -> None:
    with pytest.raises(SettingsError, match=words) as raised:
        compile_rules(**{key: [text]})
    assert raised.value.message.startswith(f"permissions.{key}: ")
