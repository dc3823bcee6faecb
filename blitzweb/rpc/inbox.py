"""Takes each message that was read to where it belongs; the reader's turn, so that nothing here blocks.

Ids: WIRE-07, WIRE-08, WIRE-09, WIRE-12, WIRE-24.
"""

from __future__ import annotations

from blitzweb.errors import InvalidRequest
from blitzweb.rpc.answers import Answers, BatchAnswers
from blitzweb.rpc.dispatch import Dispatch
from blitzweb.rpc.endpoint import Guard
from blitzweb.rpc.lifecycle import Cancel, Lifecycle
from blitzweb.rpc.log import Log
from blitzweb.rpc.scheduler import Scheduler
from blitzweb.rpc.stopping import StopReason, StopSignal
from blitzweb.wire.messages import Batch, Malformed, Message, Notification, Request, Response


class Inbox:
    """Owned by the connection; used by the reader thread alone."""

    def __init__(
        self,
        *,
        lifecycle: Lifecycle,
        answers: Answers,
        guard: Guard,
        dispatch: Dispatch,
        scheduler: Scheduler,
        stop: StopSignal,
        log: Log,
    ) -> None:
        self._lifecycle = lifecycle
        self._answers = answers
        self._guard = guard
        self._dispatch = dispatch
        self._scheduler = scheduler
        self._stop = stop
        self._log = log

    def receive(self, message: Message | Batch, size: int) -> None:
        """Take what a line of `size` bytes meant; never raises, since the reader lives as long as the host."""
        try:
            if isinstance(message, Batch):
                self._receive_batch(message, size)
            else:
                self._receive_one(message, size, None)
        except Exception as error:
            self._log.fault(error, "receiving a message")

    def _receive_batch(self, batch: Batch, size: int) -> None:
        answers = self._answers.open_batch()
        for message in batch.messages:
            self._receive_one(message, size // len(batch.messages), answers)
        self._answers.settle(answers)

    def _receive_one(self, message: Message, size: int, batch: BatchAnswers | None) -> None:
        match message:
            case Request():
                self._receive_request(message, size, batch)
            case Notification():
                self._receive_notification(message)
            case Response():
                self._guard.receive_response(message)
            case Malformed():
                self._answers.refuse(message.id, message.error, batch)

    def _receive_request(self, request: Request, size: int, batch: BatchAnswers | None) -> None:
        try:
            self._answers.expect(request.id, batch)
        except InvalidRequest as error:
            self._answers.refuse(request.id, error, batch)
            return
        self._guard.receive_request(request, lambda reply: self._dispatch.start(request, size, reply))

    def _receive_notification(self, notification: Notification) -> None:
        """Do what a notification wants; requests sent without an id, among others, want nothing of us."""
        match self._lifecycle.heed(notification):
            case Cancel() as wish:
                self._scheduler.cancel(wish.identity)
            case StopReason() as reason:
                self._stop.stop(reason)
            case None:
                self._log.debug(f"nothing to do for the notification {notification.method[:80]}")
