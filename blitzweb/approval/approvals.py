"""Turns a verdict into permission: the session's rules, the saved rules, the person; every decision is audited.

Ids: WEB-03, APPROVAL-01 to APPROVAL-16, AUDIT-01, AUDIT-03, POLICY-05.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from blitzweb.approval.asking import Answer, OpenQuestion, OpenQuestions
from blitzweb.approval.person import Caller
from blitzweb.approval.saved import SavedRules
from blitzweb.approval.texts import refuse_answer
from blitzweb.audit import Audit, AuditRecord
from blitzweb.errors import Refused, StateError
from blitzweb.policy.context import Mode
from blitzweb.policy.verdicts import Ask, Decision, Go, Question, Refuse, Verdict

_REMEMBERED = frozenset({Decision.SESSION, Decision.ALWAYS})
_GRANTED = _REMEMBERED | {Decision.ONCE, Decision.SESSION_RULE, Decision.SAVED_RULE}


class Asking:
    """A question under way, as the rules of its session see it; guarded by their lock."""

    def __init__(self, session: str) -> None:
        self.session = session
        self.is_over = False


class SessionRules:
    """What was approved for a session; outlives a change of settings. The lock guards the table alone."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._keys: dict[str, set[str]] = {}
        self._asking: set[Asking] = set()

    @contextmanager
    def asking(self, session: str) -> Iterator[Asking]:
        """Note that a question of a session is open for the block."""
        asking = Asking(session)
        with self._lock:
            self._asking.add(asking)
        try:
            yield asking
        finally:
            with self._lock:
                self._asking.discard(asking)

    def add(self, asking: Asking, key: str) -> None:
        """Remember a key for a session, unless the session has ended since it was asked about."""
        with self._lock:
            if not asking.is_over:
                self._keys.setdefault(asking.session, set()).add(key)

    def holds(self, session: str, key: str) -> bool:
        """Tell whether a key was approved for a session."""
        with self._lock:
            return key in self._keys.get(session, ())

    def end(self, session: str) -> None:
        """Forget a session."""
        with self._lock:
            self._keys.pop(session, None)
            for asking in self._asking:
                asking.is_over |= asking.session == session


class Approvals:
    """Fills the tools' `Approver`. Safe from any thread."""

    def __init__(self, *, saved: SavedRules, audit: Audit, session_rules: SessionRules) -> None:
        self._saved = saved
        self._audit = audit
        self._open = OpenQuestions()
        self._session_rules = session_rules

    def settle(self, verdict: Verdict, caller: Caller, /, *, target: str, detail: str) -> Go:
        """Return how it was allowed. Blocks while a person thinks, with the call's stopwatch paused.

        Raises:
            Refused: the policy, a rule or the person said no.
            CallCancelled: the host cancelled the call meanwhile.
            AskedLater: the answer can only come with another call.
        """
        key = ""
        if isinstance(verdict, Ask):
            key = verdict.question.key
            verdict = self._resolve(verdict.question, caller)
        self._record(verdict, caller, key, target, detail)
        if isinstance(verdict, Refuse):
            raise Refused(verdict.text, reason=verdict.reason.value)
        return verdict

    def _resolve(self, question: Question, caller: Caller) -> Go | Refuse:
        if caller.context.mode is Mode.UNATTENDED:
            return refuse_answer(question, Answer(Decision.UNATTENDED_REFUSED))
        with caller.deadline.stopwatch.pause():
            answer = self._find_answer(question, caller)
        if answer.decision in _GRANTED:
            return Go(answer.decision, question.key if answer.decision.value.endswith("-rule") else "", answer.note)
        return refuse_answer(question, answer)

    def _find_answer(self, question: Question, caller: Caller) -> Answer:
        """Return a rule's answer or the person's; several callers of one key share one question."""
        session = caller.context.session
        while True:
            if (known := self._recall(question, session)) is not None:
                return known
            opened, is_ours = self._open.open_or_join(question, session)
            if is_ours:
                return self._answer(opened, caller)
            self._open.wait_for(opened, caller.cancel)
            if opened.answer is not None and opened.answers(question, session):
                return opened.answer

    def _recall(self, question: Question, session: str) -> Answer | None:
        """Return what a rule says; an `ask` rule lets none of them speak, and what has no key has none."""
        if question.forced or not question.key:
            return None
        if self._session_rules.holds(session, question.key):
            return Answer(Decision.SESSION_RULE)
        try:
            return Answer(Decision.SAVED_RULE) if self._saved.holds(question.key) else None
        except StateError:
            return None  # damaged while we run: then the person is asked; the start and doctor say it

    def _answer(self, opened: OpenQuestion, caller: Caller) -> Answer:
        answer: Answer | None = None
        try:
            # The question of another may have been settled between our look at the rules and the opening of this one.
            if (known := self._recall(opened.question, opened.session)) is not None:
                return known
            with self._session_rules.asking(opened.session) as asking:
                answer = caller.person.ask(opened.question, caller)
                answer = self._remember(asking, opened.question, answer)
            return answer
        finally:
            self._open.settle(opened, answer)

    def _remember(self, asking: Asking, question: Question, answer: Answer) -> Answer:
        if answer.decision not in _REMEMBERED:
            return answer
        self._session_rules.add(asking, question.key)
        if answer.decision is Decision.SESSION:
            return answer
        try:
            self._saved.add(question.key, question.label)
        except (OSError, StateError) as error:
            why = error.strerror if isinstance(error, OSError) else error.message
            note = f'"{question.key}" could not be saved ({why}); it holds for this session'
            return answer._replace(note=note)
        return answer

    def _record(self, verdict: Go | Refuse, caller: Caller, key: str, target: str, detail: str) -> None:
        kind = "denial" if isinstance(verdict, Refuse) else "approval"
        record = AuditRecord(
            kind=kind,
            tool=caller.tool,
            target=target,
            detail=detail,
            decision=verdict.decision.value,
            session=caller.context.session,
            key=key,
            rule=verdict.rule,
        )
        self._audit.write(record)
