"""How a dialect registers what it answers: a handler, where it runs, and for how long."""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import Enum
from typing import Any, NamedTuple, TypeAlias

from blitzweb.limits import MAX_TIMEOUT_MS
from blitzweb.rpc.running import Running

Params: TypeAlias = dict[str, Any] | None
Handler: TypeAlias = Callable[[Params, Running], Any]


class Kind(Enum):
    """QUICK is answered on the reader's turn and must not block; WORK is scheduled."""

    QUICK = "quick"
    WORK = "work"


def network_pool(_params: Params) -> str | None:
    """Return no lane: the call may run beside any other."""
    return None


def endless(_params: Params) -> float:
    """Return no limit: the call runs until it is cancelled."""
    return math.inf


def longest(_params: Params) -> float:
    """Return the longest time, in seconds, that any call may take."""
    return MAX_TIMEOUT_MS / 1000


class Method(NamedTuple):
    """A handler raises a ProtocolError to answer with it; anything else that it raises is a fault of ours.

    Calls that share a `lane` run one at a time, in order of arrival. `lane` and `deadline` see the raw params, on the
    reader's turn, and may raise InvalidParams. `late` is the advice for when the deadline has passed.
    """

    handler: Handler
    kind: Kind = Kind.QUICK
    lane: Callable[[Params], str | None] = network_pool
    deadline: Callable[[Params], float] = longest
    late: str = ""
