"""Decisions as values: what may go ahead, what must be asked, what is refused, each with its reason.

Nothing here does I/O. `policy/decide.py` makes verdicts; the approval layer turns an `Ask` into a `Go` or a `Refuse`,
and writes every one of them to the audit under its `Decision` (WEB-03).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Decision(Enum):
    """How a decision was come to; the values are the audit's."""

    ONCE = "once"
    SESSION = "session"
    ALWAYS = "always"
    DENY = "deny"
    SESSION_RULE = "session-rule"
    SAVED_RULE = "saved-rule"
    RULE_ALLOW = "rule-allow"
    RULE_DENY = "rule-deny"
    USER_SELECTED = "user-selected"
    ALLOW_DOMAIN = "allow-domain"
    PLAN_REFUSED = "plan-refused"
    NO_APPROVER = "no-approver"
    UNATTENDED_REFUSED = "unattended-refused"
    ERROR = "error"


class Reason(Enum):
    """Why something is refused; a closed list, each with the setting or rule that decides it in the text."""

    NETWORK_DISABLED = "network-disabled"
    MODE = "mode"
    URL = "url"
    PORT = "port"
    DENY_DOMAIN = "deny-domain"
    DENY_RULE = "deny-rule"
    EGRESS = "egress"
    NOT_PUBLIC = "not-public"
    OWN_ADDRESS = "own-address"
    OWN_PORT = "own-port"
    REDIRECT_HOST = "redirect-host"
    REDIRECT_DOWNGRADE = "redirect-downgrade"
    REDIRECT_LIMIT = "redirect-limit"
    REDIRECT_TARGET = "redirect-target"
    NOT_APPROVED = "not-approved"


@dataclass(frozen=True, slots=True)
class Question:
    """What a person is asked.

    `key` is what can be remembered (`web:HOST`, `search:PROVIDER`, `browser:script`, …); an empty key can only be
    approved once. `detail` shows all that leaves the machine or runs. `forced` is an `ask` rule: it asks even where
    session or saved rules would answer.
    """

    kind: str
    key: str
    label: str
    detail: str
    targets: tuple[str, ...]
    forced: bool = False


@dataclass(frozen=True, slots=True)
class Go:
    """Goes ahead; `decision` says how that came, `rule` which rule said so, `note` what the result must tell."""

    decision: Decision
    rule: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """Goes ahead only if the session's rules, the saved rules or the person say so."""

    question: Question


@dataclass(frozen=True, slots=True)
class Refuse:
    """Does not go ahead; `text` is for the model and names the value and the remedy, `decision` is for the audit."""

    reason: Reason
    text: str
    decision: Decision = Decision.ERROR
    rule: str = ""


Verdict = Go | Ask | Refuse
