"""How the person is asked through an MCP client: by a request in the legacy era, by the call's result in the modern.

Ids: MCP-02, APPROVAL-01, APPROVAL-10.
"""

from __future__ import annotations

from collections.abc import Mapping

from blitzweb.approval.asking import Answer
from blitzweb.approval.person import AskedLater, Caller
from blitzweb.dialects.mcp.client import Era
from blitzweb.dialects.mcp.elicitation import make_form, read_form
from blitzweb.dialects.mcp.sealing import digest_question
from blitzweb.errors import HostFailed, Overloaded
from blitzweb.policy.verdicts import Decision, Question
from blitzweb.rpc.running import HostCalls


class ElicitedPerson:
    """Fills `Person` by one request, for as long as the person thinks."""

    def __init__(self, host: HostCalls) -> None:
        self._host = host

    def ask(self, question: Question, caller: Caller, /) -> Answer:
        """Return what the person said; see `Person`."""
        form = make_form(question, caller.tool, Era.LEGACY)
        try:
            said = self._host.request("elicitation/create", form, cancel=caller.cancel)
        except HostFailed:  # it promised forms, and shows none
            return Answer(Decision.NO_APPROVER)
        except Overloaded as error:
            return Answer(Decision.DENY, f"the client could not ask: {error.message}")
        return read_form(said, question)


class CarriedPerson:
    """Fills `Person` with the answers that came along with the call.

    `said` is by question, as `digest_question` names it; `answer` is the form that came back for `asked`. `asks` tells
    whether the client shows forms.
    """

    def __init__(self, said: Mapping[str, str], *, asks: bool, asked: str = "", answer: object = None) -> None:
        self.said = dict(said)
        self._asks = asks
        self._asked = asked
        self._answer = answer

    def ask(self, question: Question, _caller: Caller, /) -> Answer:
        """Return what the person said, or end the call with the question."""
        name = digest_question(question)
        if name in self.said:
            return Answer(Decision(self.said[name]))
        if name != self._asked:
            return self._ask_later(question)
        answer = read_form(self._answer, question)
        self.said[name] = answer.decision.value
        return answer

    def _ask_later(self, question: Question) -> Answer:
        if self._asks:
            raise AskedLater(question)
        return Answer(Decision.NO_APPROVER)
