"""Notifications in both directions, except those about approvals (WIRE-33, AUDIT-01, WEB-15)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from blitzweb.policy.context import CallContext
from blitzweb.policy.verdicts import Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelRequestParams:
    """Which request to cancel; it is answered -32800."""

    id: str | int | float


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressParams:
    """How far a call is."""

    token: Annotated[str | int, "the call's progress_token"]
    progress: float
    message: str
    total: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEventParams:
    """One decision; secrets are masked."""

    time: Annotated[str, "RFC 3339, UTC"]
    kind: Literal["approval", "denial", "user_search", "egress"]
    tool: str
    target: str
    detail: str
    decision: Decision
    session: str | None = None
    key: Annotated[str | None, "as in approval/request"] = None
    rule: Annotated[str | None, "the rule that decided"] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageSearchParams:
    """Queries that a provider bills."""

    provider: str
    queries: int
    cost_usd: float
    context: CallContext = field(default_factory=CallContext)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogMessageParams:
    """One line of the log."""

    level: Literal["debug", "info", "warning", "error"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserEventParams:
    """What became of a browser."""

    workspace: str
    kind: Literal["opened", "closed", "crashed", "idle_closed"]
    text: Annotated[str | None, "what there is to say about it"] = None
