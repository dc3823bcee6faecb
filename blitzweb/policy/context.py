"""The host's context of one call: it travels with each call, so the daemon keeps no turn state."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated


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

    session: Annotated[str, "whose approvals, grants and page references count"] = "default"
    turn: Annotated[str, "for the host's own use"] = ""
    workspace: Annotated[str, "one browser each"] = "default"
    mode: Annotated[Mode, "plan and read_only offer reading alone; unattended never asks"] = Mode.NORMAL
    grants: Annotated[tuple[str, ...], "URLs that may be fetched in this turn without asking"] = ()
    tools: Annotated[tuple[str, ...] | None, "allow-list of tools for this call"] = None
