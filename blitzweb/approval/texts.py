"""What a model reads when an answer was no: always "not approved", who said so, what would change it (APPROVAL-12)."""

from __future__ import annotations

from blitzweb.approval.asking import Answer
from blitzweb.policy.verdicts import Decision, Question, Reason, Refuse


def refuse_answer(question: Question, answer: Answer) -> Refuse:
    """Return the refusal that an answer means."""
    if answer.decision is Decision.NO_APPROVER:
        why = f"the host cannot ask anybody; {_remedy(question)}"
    elif answer.decision is Decision.UNATTENDED_REFUSED:
        why = f"an unattended turn asks nobody; {_remedy(question)}"
    else:
        why = "the user declined" + (f": {answer.reason}" if answer.reason else "")
    return Refuse(Reason.NOT_APPROVED, f"not approved: {question.label}: {why}", answer.decision)


def _remedy(question: Question) -> str:
    """Return the setting that would allow it without a question."""
    kind, _, target = question.key.partition(":")
    if question.forced:
        return "a rule in permissions.ask wants a person's answer each time"
    if kind == "web":
        return f'web.allow_domains = ["{target}"] or the rule permissions.allow = ["web({target})"] allows it'
    if target:
        return f'the rule permissions.allow = ["{kind}({target})"] allows it'
    return "nothing but an answer allows it"
