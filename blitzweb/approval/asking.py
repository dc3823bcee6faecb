"""One open question per key: whoever needs the same answer waits for it instead of asking again (APPROVAL-03, -04).

Nothing here talks to the host. A question is opened by the first caller, who asks; the others wait. If the asker gives
up (its call was cancelled), one of those who wait opens the question anew.
"""

from __future__ import annotations

import threading
from typing import NamedTuple

from blitzweb.policy.verdicts import Decision, Question
from blitzweb.timing import CancelToken


class Answer(NamedTuple):
    """What the person said; `note` is told with the result (a rule that could not be saved)."""

    decision: Decision
    reason: str = ""
    note: str = ""


class OpenQuestion:
    """A question under way. `answer` is set once, when it is settled; `None` then means that the asker gave up."""

    def __init__(self, question: Question, session: str) -> None:
        self.question = question
        self.session = session
        self.answer: Answer | None = None
        self.waiting: list[threading.Event] = []  # one for each caller that waits; guarded by OpenQuestions
        self.settled = False

    def answers(self, question: Question, session: str) -> bool:
        """Tell whether the answer is for this caller too: `once` needs the same detail, `session` the same session."""
        if self.answer is None:
            return False
        if self.answer.decision is Decision.ONCE:
            return question.detail == self.question.detail
        return self.answer.decision is not Decision.SESSION or session == self.session


class OpenQuestions:
    """Owned by `Approvals`; its lock guards the table alone and is never held while anybody waits."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_key: dict[str, OpenQuestion] = {}

    def open_or_join(self, question: Question, session: str) -> tuple[OpenQuestion, bool]:
        """Return the question for this key, and whether the caller is the one to ask it."""
        with self._lock:
            under_way = self._by_key.get(question.key)
            if under_way is not None:
                return under_way, False
            opened = OpenQuestion(question, session)
            if question.key:
                self._by_key[question.key] = opened
            return opened, True

    def settle(self, opened: OpenQuestion, answer: Answer | None) -> None:
        """Close a question and wake everybody who waits for it."""
        with self._lock:
            self._by_key.pop(opened.question.key, None)
            opened.answer = answer
            opened.settled = True
        for waiting in opened.waiting:
            waiting.set()

    def wait_for(self, opened: OpenQuestion, cancel: CancelToken) -> None:
        """Wait until a question is settled.

        Raises:
            CallCancelled: the caller's own call was cancelled.
        """
        woken = threading.Event()
        with self._lock:
            opened.waiting.append(woken)
            if opened.settled:
                woken.set()
        with cancel.stopping(woken.set):
            woken.wait()
        cancel.check()
