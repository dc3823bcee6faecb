"""What a page tool that fails says: a small fixed vocabulary, with nothing about addresses, headers or transport.

The log has the rest (PAGE-33, PAGE-34, PAGE-43). What a person or a setting refused keeps its reason: it is theirs.
"""

from __future__ import annotations

from enum import Enum

from blitzweb.errors import Refused, ToolFailure
from blitzweb.policy.verdicts import Reason

PREFIX = "web page: "


class Trouble(Enum):
    """Everything that can go wrong."""

    INVALID = "invalid request"
    UNKNOWN = "unknown or expired reference"
    TIMED_OUT = "timed out"
    DESTINATION = "destination is not allowed"
    REQUEST = "request failed"
    RESPONSE = "unavailable response"
    UNPARSEABLE = "unparseable response"
    REVOKED = "unavailable in this session"


_ADVICE = {
    Trouble.UNKNOWN: "search again, or open a page again; references expire",
    Trouble.TIMED_OUT: "try again, or open another result",
    Trouble.DESTINATION: "open another result",
    Trouble.REQUEST: "try again, or open another result",
    Trouble.RESPONSE: "open another result; web_fetch reads more kinds of pages",
    Trouble.UNPARSEABLE: "open another result; web_fetch reads more kinds of pages",
}

# Refusals whose reason is a setting or a person, who may be told of it.
_SPOKEN = frozenset(
    {
        *(Reason.NOT_APPROVED, Reason.NETWORK_DISABLED, Reason.MODE),
        *(Reason.DENY_DOMAIN, Reason.DENY_RULE, Reason.EGRESS),
    }
)


class PageFailed(ToolFailure):
    """Raised for a page that could not be opened; `trouble` is the word for it."""

    def __init__(self, trouble: Trouble, why: str = "") -> None:
        super().__init__(f"{PREFIX}{trouble.value}{f': {why}' if why else ''}", advice=_ADVICE.get(trouble, ""))
        self.trouble = trouble


def explain_refusal(refused: Refused) -> PageFailed:
    """Return what a decision that said no is for the model."""
    reason = Reason(refused.reason)
    if reason is Reason.REDIRECT_LIMIT:
        return PageFailed(Trouble.RESPONSE)
    return PageFailed(Trouble.DESTINATION, refused.message if reason in _SPOKEN else "")
