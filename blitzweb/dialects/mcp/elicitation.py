"""A question as a form that MCP clients show to their person, and what comes back; values only.

Ids: MCP-02, APPROVAL-01, APPROVAL-12.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from blitzweb.approval.asking import Answer
from blitzweb.approval.person import choices, read_choice
from blitzweb.dialects.mcp.client import Era
from blitzweb.policy.verdicts import Decision, Question

_TITLES: Final = {
    "once": "Allow this once",
    "session": "Allow until the server ends",
    "always": "Always allow",
    "deny": "Deny",
}


def make_form(question: Question, tool: str, era: Era) -> dict[str, Any]:
    """Return the params of `elicitation/create`."""
    return {
        **({"mode": "form"} if era is Era.MODERN else {}),  # a form needs no word of it, and older clients know none
        "message": f"{tool} asks for {question.label}:\n{question.detail}",
        "requestedSchema": {
            "type": "object",
            "properties": {"decision": _choice(choices(question), era)},
            "required": ["decision"],
        },
    }


def read_form(said: Any, question: Question) -> Answer:
    """Return the answer. Only a form that was accepted with one of the choices allows anything."""
    action = said.get("action") if isinstance(said, Mapping) else None
    if action == "accept":
        content = said.get("content")
        return read_choice(content.get("decision") if isinstance(content, Mapping) else None, question)
    return Answer(Decision.DENY, "the question was closed without an answer" if action == "cancel" else "")


def _choice(names: list[str], era: Era) -> dict[str, Any]:
    titles = [_TITLES[name] for name in names]
    if era is Era.LEGACY:  # as all legacy versions with forms know it
        return {"type": "string", "title": "Decision", "enum": names, "enumNames": titles}
    pairs = zip(names, titles, strict=True)
    return {"type": "string", "title": "Decision", "oneOf": [{"const": name, "title": title} for name, title in pairs]}
