"""Asks the person, through the host: one `approval/request`, for as long as the person thinks.

Ids: APPROVAL-01, APPROVAL-02, APPROVAL-10, APPROVAL-16.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any, Protocol

from blitzweb.approval.asking import Answer
from blitzweb.errors import CallCancelled, HostFailed, Overloaded
from blitzweb.policy.context import CallContext
from blitzweb.policy.verdicts import Decision, Question
from blitzweb.rpc.running import HostCalls
from blitzweb.timing import CancelToken, Deadline

_CHOICES = {choice.value: choice for choice in (Decision.ONCE, Decision.SESSION, Decision.ALWAYS, Decision.DENY)}
_WITHOUT_KEY = ("once", "deny")  # nothing to remember it by


class Caller(Protocol):
    """The call on whose behalf it is decided."""

    @property
    def tool(self) -> str:
        """The tool's name."""
        ...

    @property
    def context(self) -> CallContext:
        """The host's context of the call."""
        ...

    @property
    def deadline(self) -> Deadline:
        """Its clock, which stands still meanwhile."""
        ...

    @property
    def cancel(self) -> CancelToken:
        """Its cancel token."""
        ...


class Person:
    """The way to the person. `host` is `None` where the host cannot ask anybody."""

    def __init__(self, host: HostCalls | None) -> None:
        self._host = host
        self._ids = itertools.count(1)  # `next` on it is atomic

    def ask(self, question: Question, caller: Caller) -> Answer:
        """Return what the person said.

        Raises:
            CallCancelled: the call was cancelled, and the dialog may go.
        """
        if self._host is None:
            return Answer(Decision.NO_APPROVER)
        identity = f"approval-{next(self._ids)}"
        try:
            said = self._host.request("approval/request", _params(identity, question, caller), cancel=caller.cancel)
        except CallCancelled:
            self._host.notify("approval/resolved", {"id": identity, "decision": "cancelled"})
            raise
        except (HostFailed, Overloaded) as error:
            return Answer(Decision.DENY, f"the host could not ask: {error.message}")
        return _read_answer(said, question)


def _params(identity: str, question: Question, caller: Caller) -> dict[str, Any]:
    params: dict[str, Any] = {"id": identity, "tool": caller.tool, "kind": question.kind}
    if question.key:
        params["key"] = question.key
    return params | {
        "label": question.label,
        "detail": question.detail,
        "targets": list(question.targets),
        "context": _context(caller.context),
        "choices": list(_CHOICES if question.key else _WITHOUT_KEY),
    }


def _context(context: CallContext) -> dict[str, Any]:
    """Return who calls, as the host said it; the grants are the host's own and need not come back."""
    said = {"session": context.session, "turn": context.turn, "workspace": context.workspace}
    return {name: value for name, value in said.items() if value} | {"mode": context.mode.value}


def _read_answer(said: Any, question: Question) -> Answer:
    """Return the answer; what is none of the choices is a deny."""
    given = said.get("decision") if isinstance(said, Mapping) else None
    decision = _CHOICES.get(given) if isinstance(given, str) else None
    if decision is None or (not question.key and decision.value not in _WITHOUT_KEY):
        return Answer(Decision.DENY, f"the host answered {given!r:.80}, which is none of the choices")
    reason = said.get("reason")
    return Answer(decision, reason if isinstance(reason, str) else "")
