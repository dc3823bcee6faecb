from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.console.words import NOTIFICATIONS, build_call, is_method, read_pairs
from blitzweb.errors import UsageError
from blitzweb.wire.encoding import encode


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("n=5", 5),
        ("n=-1.5", -1.5),
        ("b=true", True),
        ("x=null", None),
        ("l=[1, 2]", [1, 2]),
        ('o={"a": 1}', {"a": 1}),
        ('t="5"', "5"),
        ("t=", ""),
        ("t=plain text", "plain text"),
        ("url=https://example.com/?a=b", "https://example.com/?a=b"),
        ("t=NaN", "NaN"),
        ("t=Infinity", "Infinity"),
        ("t=1e999", "1e999"),
        ("t={broken", "{broken"),
        ("t=" + "[" * 100_000, "[" * 100_000),
    ],
)
def test_a_value_is_json_where_it_parses_and_else_text(word: str, value: object) -> None:
    (read,) = read_pairs([word]).values()
    assert read == value
    assert type(read) is type(value)


@given(st.text())
def test_whatever_a_person_types_can_be_sent(text: str) -> None:
    assert encode(read_pairs([f"x={text}"]))


@pytest.mark.parametrize("words", [["novalue"], ["=5"], [""], ["a=1", "a=2"]])
def test_other_words_are_refused(words: list[str]) -> None:
    with pytest.raises(UsageError):
        read_pairs(words)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("web_fetch", False),
        ("browser", False),
        ("tools/list", True),
        ("no/such", True),
        ("$/status", True),
        ("rpc.discover", True),
        ("ping", True),
        ("doctor", True),
        ("Ping", False),
    ],
)
def test_a_method_is_told_from_a_tool(name, expected) -> None:
    assert is_method(name) is expected


def test_a_tool_is_called_by_tools_call() -> None:
    method, params = build_call("web_fetch", {"url": "u"}, context={"mode": "plan"}, timeout=1.5, token="t")
    assert method == "tools/call"
    assert params == {
        "name": "web_fetch",
        "arguments": {"url": "u"},
        "context": {"mode": "plan"},
        "timeout_ms": 1500,
        "progress_token": "t",
    }


def test_what_is_not_asked_for_is_left_out() -> None:
    assert build_call("web_fetch", {}, context={}) == ("tools/call", {"name": "web_fetch", "arguments": {}})


def test_the_context_goes_with_methods_that_take_one_and_may_be_given_by_hand() -> None:
    context = {"session": "s"}
    assert build_call("tools/list", {}, context=context) == ("tools/list", {"context": context})
    assert build_call("tools/list", {"context": {}}, context=context) == ("tools/list", {"context": {}})
    assert build_call("ping", {}, context=context, token="t") == ("ping", {})
    assert build_call("session/end", {"session": "x"}, context=context) == ("session/end", {"session": "x"})


def test_a_deadline_is_for_tools_alone() -> None:
    with pytest.raises(UsageError, match="for tools"):
        build_call("tools/call", {}, context={}, timeout=1)


def test_notifications_are_known() -> None:
    assert {"exit", "initialized", "$/cancelRequest"} <= NOTIFICATIONS
    assert "ping" not in NOTIFICATIONS
