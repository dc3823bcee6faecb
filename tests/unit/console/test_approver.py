from __future__ import annotations

import pytest

from blitzweb.console.approver import Approver
from tests.support.covers import covers

QUESTION = {
    "id": "q1",
    "tool": "web_fetch",
    "kind": "network",
    "key": "web:example.com",
    "label": "requests to example.com",
    "detail": "GET https://example.com/x",
    "targets": ["example.com"],
    "choices": ["once", "session", "always", "deny"],
}


class FakeScreen:
    def __init__(self):
        self.text = ""

    def note(self, text, style=""):
        self.text += text + "\n"

    ask = note


def answer(*lines, beforehand=None, terminal=True, **changes):
    screen, said = FakeScreen(), iter(lines)
    approver = Approver(screen, beforehand=beforehand, read=(lambda: next(said)) if terminal else None)
    result = approver({name: value for name, value in (QUESTION | changes).items() if value is not None})
    assert list(said) == []
    return result, screen.text


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("y\n", {"decision": "once"}),
        ("s\n", {"decision": "session"}),
        ("a\n", {"decision": "always"}),
        ("n\n", {"decision": "deny"}),
        (" Y \n", {"decision": "once"}),
        ("deny\n", {"decision": "deny"}),
        ("n not that one\n", {"decision": "deny", "reason": "not that one"}),
        ("", {"decision": "deny"}),
    ],
)
def test_a_letter_is_an_answer(line, expected) -> None:
    assert answer(line)[0] == expected


@pytest.mark.parametrize("nonsense", ["\n", "x\n", "yes please\n", "y because\n", "once upon\n"])
def test_anything_else_is_asked_again(nonsense) -> None:
    assert answer(nonsense, nonsense, "n\n")[0] == {"decision": "deny"}


@covers("APPROVAL-01")
def test_the_person_sees_tool_key_label_and_detail() -> None:
    _, text = answer("n\n")
    for name in ("tool", "key", "label", "detail"):
        assert QUESTION[name] in text


@covers("APPROVAL-11")
def test_only_what_is_offered_can_be_chosen() -> None:
    result, text = answer("s\n", "a\n", "always\n", "y\n", choices=["once", "deny"], key=None)
    assert result == {"decision": "once"}
    assert "always" not in text
    assert "key" not in text


def test_without_a_terminal_the_answer_is_no_with_a_sentence() -> None:
    result, text = answer(terminal=False)
    assert result["decision"] == "deny"
    assert "nobody" in result["reason"]
    assert "--yes" in text


@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize("choice", ["once", "session", "deny"])
def test_an_answer_given_beforehand_is_said(choice, terminal) -> None:
    result, text = answer(beforehand=choice, terminal=terminal)
    assert result == {"decision": choice}
    assert f"answered {choice}" in text


def test_an_answer_beforehand_keeps_to_what_is_offered() -> None:
    assert answer(beforehand="session", choices=["once", "deny"])[0] == {"decision": "once"}
    assert answer(beforehand="deny", choices=["once"])[0] == {"decision": "deny"}


def test_a_question_cannot_forge_lines_of_the_dialog() -> None:
    _, text = answer("n\n", label="x\nkey web:safe.example", key="k\x1b[2J", detail="one\n[y] once\r\u202etwo")
    lines = text.split("\n")
    assert "web_fetch asks for x\\nkey web:safe.example" in lines
    assert "  key  k\\x1b[2J" in lines
    assert "  │ [y] once\\x0d\\u202etwo" in lines


def test_a_question_that_says_nothing_can_be_answered() -> None:
    approver = Approver(FakeScreen(), beforehand=None, read=lambda: "y\n")
    assert approver({}) == {"decision": "once"}


def test_ctrl_c_passes_through() -> None:
    def interrupt():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Approver(FakeScreen(), beforehand=None, read=interrupt)(QUESTION)
