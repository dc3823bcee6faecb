"""The host's context of one call: it travels with each call, so the daemon keeps no turn state."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Mode(StrEnum):
    """What kind of turn the host is in."""

    NORMAL = "normal"
    PLAN = "plan"
    READ_ONLY = "read_only"
    UNATTENDED = "unattended"


@dataclass(frozen=True, slots=True)
class CallContext:
    """Who calls, and what the turn allows.

    `tools` narrows what is on offer for this call (`None`: all that `initialize` offered).
    `grants` are the turn's fetch grants, as URLs (WEB-03).
    """

    session: str = "default"
    turn: str = ""
    workspace: str = "default"
    mode: Mode = Mode.NORMAL
    grants: tuple[str, ...] = ()
    tools: tuple[str, ...] | None = None
