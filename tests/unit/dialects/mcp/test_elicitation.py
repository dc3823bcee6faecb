"""Questions as forms, and the answers that come back."""

from __future__ import annotations

import jsonschema
import pytest

from blitzweb.approval.asking import Answer
from blitzweb.dialects.mcp.client import Era
from blitzweb.dialects.mcp.elicitation import make_form, read_form
from blitzweb.policy.verdicts import Decision, Question
from tests.support.covers import covers

QUESTION = Question("network", "web:a.example", "requests to a.example", "GET https://a.example/x", ("a.example",))
ONCE_ONLY = Question("upload", "", "an upload to a.example", "a.txt", ("a.example",))


def accepted(decision):
    return {"action": "accept", "content": {"decision": decision}}


@covers("MCP-02")
@pytest.mark.parametrize("era", list(Era))
@pytest.mark.parametrize(
    ("question", "names"), [(QUESTION, ["once", "session", "always", "deny"]), (ONCE_ONLY, ["once", "deny"])]
)
def test_a_form_says_what_is_asked_and_takes_the_choices(era, question, names):
    form = make_form(question, "web_fetch", era)
    assert form["message"] == f"web_fetch asks for {question.label}:\n{question.detail}"
    schema = form["requestedSchema"]
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    taken = [name for name in ("once", "session", "always", "deny", "") if validator.is_valid({"decision": name})]
    assert taken == names
    assert not validator.is_valid({})


@covers("MCP-02")
def test_each_era_has_titles_in_its_own_words():
    legacy, modern = (make_form(ONCE_ONLY, "t", era)["requestedSchema"]["properties"]["decision"] for era in Era)
    assert legacy["enumNames"] == [choice["title"] for choice in modern["oneOf"]]
    assert "mode" not in make_form(ONCE_ONLY, "t", Era.LEGACY)
    assert make_form(ONCE_ONLY, "t", Era.MODERN)["mode"] == "form"


@covers("MCP-02", "APPROVAL-12")
@pytest.mark.parametrize(
    ("said", "decision"),
    [
        (accepted("once"), Decision.ONCE),
        (accepted("session"), Decision.SESSION),
        (accepted("always"), Decision.ALWAYS),
        (accepted("deny"), Decision.DENY),
        (accepted("yes"), Decision.DENY),
        (accepted(["once"]), Decision.DENY),
        ({"action": "accept"}, Decision.DENY),
        ({"action": "accept", "content": "once"}, Decision.DENY),
        ({"action": "decline", "content": {"decision": "once"}}, Decision.DENY),
        ({"action": "cancel"}, Decision.DENY),
        ({"content": {"decision": "once"}}, Decision.DENY),
        (12345, Decision.DENY),
        (None, Decision.DENY),
    ],
)
def test_only_an_accepted_choice_allows(said, decision):
    assert read_form(said, QUESTION).decision is decision


@covers("MCP-02")
def test_what_cannot_be_remembered_is_not_remembered():
    assert read_form(accepted("always"), ONCE_ONLY).decision is Decision.DENY
    assert read_form(accepted("once"), ONCE_ONLY) == Answer(Decision.ONCE)
