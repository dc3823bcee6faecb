"""The native life of a connection: where it stands, which methods it takes there, and the exit code that follows.

    NEW ──initialize──▸ OPEN ──shutdown──▸ CLOSING
    any ──exit, end of input──▸ the process ends

Values only; used by the reader thread alone. Ids: WIRE-18, WIRE-21, WIRE-22, WIRE-24.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from blitzweb.errors import InvalidRequest, MethodNotFound, NotInitialized, ShuttingDown
from blitzweb.rpc.lifecycle import Cancel, Cancelled
from blitzweb.rpc.stopping import StopReason
from blitzweb.wire.messages import Notification, Request, is_legal_id

ALWAYS: Final = frozenset({"ping", "rpc.discover", "$/status"})
NOTIFICATIONS: Final = frozenset({"initialized", "$/cancelRequest", "exit"})


class State(Enum):
    """What the host has said so far."""

    NEW = "nothing was initialised"
    OPEN = "work is taken"
    CLOSING = "the host asked for shutdown"


_NEXT: Final = {
    (State.NEW, "initialize"): State.OPEN,
    (State.OPEN, "shutdown"): State.CLOSING,
}


class NativeLifecycle:
    """Fills the connection's `Lifecycle`; `passed` moves on once one of the two that matter has been accepted."""

    pong: None = None
    cancelled = Cancelled.ANSWERED

    def __init__(self) -> None:
        self.state = State.NEW

    def admit(self, request: Request) -> None:
        """Raise the error that this method meets in this state, if any."""
        method = request.method
        if method in ALWAYS:
            return
        if self.state is State.NEW and method != "initialize":
            raise NotInitialized(f'"{method}" came before "initialize"', advice='send "initialize" first')
        if self.state is State.OPEN and method == "initialize":
            raise InvalidRequest('"initialize" was answered already', advice='use "settings/update" to change settings')
        if self.state is State.CLOSING:
            raise ShuttingDown(f'"{method}" came after "shutdown"', advice='only "exit" is left to send')

    def passed(self, request: Request) -> None:
        """Take the transition of a method that was accepted, if it has one."""
        self.state = _NEXT.get((self.state, request.method), self.state)

    def missing(self, method: str) -> MethodNotFound:
        """Return the error for a method that there is not."""
        if method in NOTIFICATIONS:
            return MethodNotFound(f'"{method}" is a notification', advice="send it without an id")
        return MethodNotFound(f'there is no method "{method[:80]}"', advice='"rpc.discover" lists them')

    def heed(self, notification: Notification) -> Cancel | StopReason | None:
        """Return what a notification wants."""
        match notification.method, notification.params:
            case "exit", _:
                return StopReason.EXIT
            case "$/cancelRequest", {"id": identity} if is_legal_id(identity):
                return Cancel(identity)
        return None

    def given_up(self, _identity: str) -> None:
        """Return nothing: what a question came to is told by `approval/resolved`."""
        return

    def exit_code(self, reason: StopReason) -> int:
        """Return the process's exit code: 1 only for an `exit` that no `shutdown` came before."""
        return int(reason is StopReason.EXIT and self.state is not State.CLOSING)
