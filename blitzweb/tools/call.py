"""What a tool is given for one call, and what it hands back; tools know no more of the host than this."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from blitzweb.approval.person import Nobody, Person
from blitzweb.contract.calls import ImageInfo
from blitzweb.policy.context import CallContext
from blitzweb.policy.output_guard import OutputGuard
from blitzweb.policy.verdicts import Go, Verdict
from blitzweb.timing import CancelToken, Deadline


class Approver(Protocol):
    """Turns a verdict into permission, audits it, and raises `Refused` where the answer is no."""

    def settle(self, verdict: Verdict, caller: Call, /, *, target: str, detail: str) -> Go:
        """Return how it was allowed. Blocks while a person thinks, with the call's stopwatch paused.

        Raises:
            Refused: the policy, a rule or the person said no.
            CallCancelled: the host cancelled the call meanwhile.
        """
        ...


def _say_nothing(_phase: str) -> None:
    return


@dataclass(frozen=True, slots=True)
class Call:
    """One running call of a tool: its name, context, clock, and the ways back to the host."""

    tool: str
    context: CallContext
    deadline: Deadline
    cancel: CancelToken
    approver: Approver
    progress: Callable[[float, float | None, str], None]
    enter: Callable[[str], object] = _say_nothing  # which phase the call is in: the text of a passed deadline names it
    person: Person = field(default_factory=Nobody)
    guard: OutputGuard = field(default_factory=OutputGuard)  # of what the tool returns


@dataclass(frozen=True, slots=True)
class ToolResult:
    """`output` is the tool's own object, `text` what the model should read."""

    output: Any  # the tool's output dataclass of the contract, or what `encode` leaves of it
    text: str
    is_error: bool = False
    images: tuple[ImageInfo, ...] = field(default=())
