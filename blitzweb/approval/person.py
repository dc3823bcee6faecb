"""The person who answers: the port that each protocol fills, and how the native one asks.

Natively it is one `approval/request` to the host, for as long as the person thinks.
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
_IDS = itertools.count(1)  # of the questions of this process; `next` on it is atomic


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

    @property
    def person(self) -> Person:
        """Who answers its questions."""
        ...


class Person(Protocol):
    """The way to the person, for one call."""

    def ask(self, question: Question, caller: Caller, /) -> Answer:
        """Return what the person said. Blocks while the person thinks.

        Raises:
            CallCancelled: the call was cancelled, and the dialog may go.
            AskedLater: the answer can only come with another call.
        """
        ...


class AskedLater(Exception):
    """Ends a call whose question the protocol carries back to the host, to be asked before the call is made again."""

    def __init__(self, question: Question) -> None:
        super().__init__(question.label)
        self.question = question


class Nobody:
    """Fills `Person` where nobody can be asked."""

    def ask(self, _question: Question, _caller: Caller, /) -> Answer:
        """Return that there is nobody."""
        return Answer(Decision.NO_APPROVER)


class HostPerson:
    """Fills `Person` with the native protocol's question."""

    def __init__(self, host: HostCalls) -> None:
        self._host = host

    def ask(self, question: Question, caller: Caller, /) -> Answer:
        """Return what the person said; see `Person`."""
        identity = f"approval-{next(_IDS)}"
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
        "choices": choices(question),
    }


def choices(question: Question) -> list[str]:
    """Return what may be answered."""
    return list(_CHOICES if question.key else _WITHOUT_KEY)


def read_choice(given: object, question: Question, reason: str = "") -> Answer:
    """Return the answer; what is none of the choices is a deny."""
    if not isinstance(given, str) or given not in choices(question):
        return Answer(Decision.DENY, f"the host answered {given!r:.80}, which is none of the choices")
    return Answer(_CHOICES[given], reason)


def _context(context: CallContext) -> dict[str, Any]:
    """Return who calls, as the host said it; the grants are the host's own and need not come back."""
    said = {"session": context.session, "turn": context.turn, "workspace": context.workspace}
    return {name: value for name, value in said.items() if value} | {"mode": context.mode.value}


def _read_answer(said: Any, question: Question) -> Answer:
    if not isinstance(said, Mapping):
        return read_choice(None, question)
    reason = said.get("reason")
    return read_choice(said.get("decision"), question, reason if isinstance(reason, str) else "")
