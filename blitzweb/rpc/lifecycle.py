"""Where the connection stands, which methods it takes there, and the exit code that follows.

    NEW ──initialize──▸ OPEN ──shutdown──▸ CLOSING
    any ──exit, end of input──▸ the process ends

Values only; used by the reader thread alone. Ids: WIRE-18, WIRE-21, WIRE-22.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from blitzweb.errors import InvalidRequest, NotInitialized, ShuttingDown
from blitzweb.rpc.stopping import StopReason

ALWAYS: Final = frozenset({"ping", "rpc.discover", "$/status"})


class State(Enum):
    """What the host has said so far."""

    NEW = "nothing was initialised"
    OPEN = "work is taken"
    CLOSING = "the host asked for shutdown"


_NEXT: Final = {
    (State.NEW, "initialize"): State.OPEN,
    (State.OPEN, "shutdown"): State.CLOSING,
}


class Lifecycle:
    """Admits methods by state; `passed` moves on once one of the two that matter has been accepted."""

    def __init__(self) -> None:
        self.state = State.NEW

    def admit(self, method: str) -> None:
        """Raise the error that this method meets in this state, if any."""
        if method in ALWAYS:
            return
        if self.state is State.NEW and method != "initialize":
            raise NotInitialized(f'"{method}" came before "initialize"', advice='send "initialize" first')
        if self.state is State.OPEN and method == "initialize":
            raise InvalidRequest('"initialize" was answered already', advice='use "settings/update" to change settings')
        if self.state is State.CLOSING:
            raise ShuttingDown(f'"{method}" came after "shutdown"', advice='only "exit" is left to send')

    def passed(self, method: str) -> None:
        """Take the transition of a method that was accepted, if it has one."""
        self.state = _NEXT.get((self.state, method), self.state)

    def exit_code(self, reason: StopReason) -> int:
        """Return the process's exit code: 1 only for an `exit` that no `shutdown` came before."""
        return int(reason is StopReason.EXIT and self.state is not State.CLOSING)
