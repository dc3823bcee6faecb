"""`approval/request` and `approval/resolved`: the person's part (APPROVAL-01, APPROVAL-10)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from blitzweb.policy.context import CallContext

Choice = Literal["once", "session", "always", "deny"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalRequestParams:
    """A question for the person; no deadline runs while it is open."""

    id: Annotated[str, "opaque; approval/resolved names it"]
    tool: str
    kind: Literal["network", "script", "upload", "download"]
    label: Annotated[str, "what is asked for, in a few words"]
    detail: Annotated[str, "all that leaves the machine or runs"]
    targets: Annotated[tuple[str, ...], "whom it concerns"]
    choices: Annotated[tuple[Choice, ...], "what may be answered"]
    key: Annotated[str | None, "what can be remembered; absent: once only"] = None
    context: CallContext = field(default_factory=CallContext)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalRequestResult:
    """The person's answer."""

    decision: Choice
    reason: Annotated[str | None, "told to the model when the answer is deny"] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalResolvedParams:
    """A question needs no answer any more."""

    id: Annotated[str, "of the approval/request"]
    decision: Annotated[str, "what it came to, such as cancelled"]
