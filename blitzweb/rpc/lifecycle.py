"""The port by which a protocol says how a connection lives: what it admits when, what notifications mean, how it ends.

Filled by the dialects, so that nothing in this package knows any protocol's words. Used by the reader thread alone,
but for `given_up` and the two values. Ids: WIRE-18, WIRE-24.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, Protocol, TypeAlias

from blitzweb.errors import MethodNotFound
from blitzweb.rpc.stopping import StopReason
from blitzweb.wire.messages import Id, Notification, Request

Notice: TypeAlias = tuple[str, Mapping[str, Any]]  # a notification of ours: method and params


class Cancelled(Enum):
    """What the host gets for a call that it cancelled."""

    ANSWERED = "an error"
    SILENT = "nothing"


class Cancel:
    """A notification's wish that a call end."""

    __slots__ = ("identity",)

    def __init__(self, identity: Id) -> None:
        self.identity = identity


class Lifecycle(Protocol):
    """How a connection lives; `pong` is the result of `ping`."""

    pong: Any
    cancelled: Cancelled

    def admit(self, request: Request) -> None:
        """Raise the ProtocolError that this request meets now, if any, before anything else is looked at."""
        ...

    def passed(self, request: Request) -> None:
        """Take note that a request was accepted."""
        ...

    def missing(self, method: str) -> MethodNotFound:
        """Return the error for a method that there is not."""
        ...

    def heed(self, notification: Notification) -> Cancel | StopReason | None:
        """Return what a notification wants of the connection; `None` if it wants nothing, or is not known."""
        ...

    def given_up(self, identity: str) -> Notice | None:
        """Return what tells the host that a request of ours needs no answer any more, if anything does."""
        ...

    def exit_code(self, reason: StopReason) -> int:
        """Return the process's exit code."""
        ...
