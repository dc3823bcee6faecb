"""`session/end`, `browser/close`, `doctor`, `$/status`: what a host needs to keep house (WIRE-34, 36, 37, 44)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from blitzweb.contract.shapes import Length


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEndParams:
    """Which session is over."""

    session: Annotated[str, Length(1), "as in context.session"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserCloseParams:
    """Which browser to close."""

    workspace: Annotated[str, Length(1), "as in context.workspace"] = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorParams:
    """How thorough the checks are."""

    online: Annotated[bool, "also try what sends requests"] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorCheck:
    """One finding."""

    id: str
    status: Literal["ok", "warn", "fail"]
    summary: str
    advice: Annotated[str | None, "how to mend it"] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorResult:
    """The findings, in stable order."""

    checks: tuple[DoctorCheck, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserStatus:
    """One browser that runs."""

    workspace: str
    pid: int
    url: str
    idle_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusResult:
    """How the daemon is."""

    running: Annotated[int, "calls at work"]
    waiting: Annotated[int, "calls admitted and not started"]
    browsers: tuple[BrowserStatus, ...]
    references: Annotated[int, "page references held, of all sessions"]
    memory_bytes: Annotated[int, "resident memory of the daemon alone"]
    uptime_s: float
    threads: Annotated[int | None, "that run calls"] = None
    unread_bytes: Annotated[int | None, "of answers that the host has not read yet"] = None
    dropped: Annotated[int | None, "notifications and late answers that there was no room for"] = None
