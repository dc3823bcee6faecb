"""Decides on a target and dials it, on threads of its own; whoever keeps count is told of what was refused or failed.

It ends in a connected socket, in an answer of ours, or, where it was cancelled, in nothing (EGRESS-05, EGRESS-07).
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from blitzweb.egress.answers import Answer, Failure, Refusal, failed, refused
from blitzweb.egress.loop import Complain, Loop
from blitzweb.egress.target import Target
from blitzweb.egress.threads import ShortThreads
from blitzweb.errors import CallCancelled, FetchFailed, Refused
from blitzweb.limits import DIAL_SECONDS
from blitzweb.net.dialer import AddressRule, Dialer
from blitzweb.policy.verdicts import Reason, Refuse
from blitzweb.timing import CancelToken, Deadline

Admit = Callable[[str, int], Refuse | None]
Outcome = socket.socket | Answer | None


class Listeners(NamedTuple):
    """Who is told what; each is called on a thread that may block."""

    refused: Callable[[Refusal], object]
    failed: Callable[[Failure], object]
    complain: Complain


class Connector:
    """One decision and one dial function for every request, whatever it asks for."""

    def __init__(self, loop: Loop, dialer: Dialer, admit: Admit, rule: AddressRule, listeners: Listeners) -> None:
        self._loop = loop
        self._dialer = dialer
        self._admit = admit
        self._rule = rule
        self._listeners = listeners
        self._threads = ShortThreads()

    def connect(self, target: Target, cancel: CancelToken, done: Callable[[Outcome], object]) -> None:
        """Decide and dial; the loop calls `done` with what came of it."""
        self._threads.run(partial(self._run, target, cancel, done))

    def check_again(self, target: Target) -> Answer | None:
        """Decide on another request to an origin that is connected; return the answer if it is refused now."""
        refuse = self._admit(target.host, target.port)
        if refuse is None:
            return None
        refusal = _refusal(target, refuse)
        self._threads.run(partial(self._refuse, refusal))
        return refused(refusal)

    def fail(self, failure: Failure) -> Answer:
        """Return the answer for an origin that answered as it should not, and tell of it."""
        self._threads.run(partial(self._fail, failure))
        return failed(failure)

    def close(self) -> None:
        """Wait for the threads; what they were doing has been cancelled."""
        self._threads.close()

    def _run(self, target: Target, cancel: CancelToken, done: Callable[[Outcome], object]) -> None:
        outcome = self._connect(target, cancel)
        if not self._loop.call(partial(done, outcome)) and isinstance(outcome, socket.socket):
            outcome.close()

    def _connect(self, target: Target, cancel: CancelToken) -> Outcome:
        """Return what comes of a request; who keeps count knows before the client does."""
        try:
            if refuse := self._admit(target.host, target.port):
                return self._refuse(_refusal(target, refuse))
            return self._dialer.dial(target.host, target.port, self._rule, Deadline(DIAL_SECONDS), cancel)
        except CallCancelled:
            return None
        except Refused as error:
            return self._refuse(_refusal(target, Refuse(Reason(error.reason), error.message)))
        except FetchFailed as error:
            return self._fail(Failure(target.host, target.port, error.phase, error.message))
        except Exception as error:
            self._listeners.complain(f"the egress proxy met a fault of its own with {target.host}: {error!r}")
            text = "the proxy met a fault of its own; its log says more"
            return self._fail(Failure(target.host, target.port, "proxy", text))

    def _refuse(self, refusal: Refusal) -> Answer:
        self._tell(self._listeners.refused, refusal)
        return refused(refusal)

    def _fail(self, failure: Failure) -> Answer:
        self._tell(self._listeners.failed, failure)
        return failed(failure)

    def _tell(self, listener: Callable[..., object], event: Refusal | Failure) -> None:
        try:
            listener(event)
        except Exception as error:
            self._listeners.complain(f"the egress proxy could not tell of {event}: {error!r}")


def _refusal(target: Target, refuse: Refuse) -> Refusal:
    return Refusal(target.host, target.port, refuse.reason, refuse.text, refuse.rule)
