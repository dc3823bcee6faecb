"""Every answer on its way to the outbox: which ids are owed one, what shares a batch, what goes in its stead.

Ids: WIRE-07, WIRE-08, WIRE-10, WIRE-14.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, Final

from blitzweb.errors import InternalFault, InvalidRequest, Overloaded, ProtocolError
from blitzweb.limits import MAX_ANSWER_BYTES, OUTBOX_ANSWER_BYTES, OUTBOX_FULL_BYTES, RETRY_AFTER_MS, SMALL_ANSWER_BYTES
from blitzweb.rpc.faults import to_protocol_error
from blitzweb.rpc.log import Log
from blitzweb.rpc.outbox import Outbox
from blitzweb.wire.encoding import NotEncodable, encode
from blitzweb.wire.messages import JSONRPC, Id

Place = Callable[[bytes, int], bool]

UNANSWERED: Final = object()  # as a result: the request ends without an answer


class BatchAnswers:
    """Collects the answers of one batch; they go out as one line when the last one is there."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        self._lock = threading.Lock()
        self._parts: list[bytes] = []
        self._size = 0
        self._owed = 1  # the batch itself, until all its messages have been received
        self.ids: list[Id] = []

    def expect(self) -> None:
        """Count one more answer that must come before the line goes out."""
        with self._lock:
            self._owed += 1

    def place(self, line: bytes, within: int) -> bool:
        """Add an answer if the outbox and the length of the batch's line have room for it."""
        with self._lock:
            if self._size + len(line) > MAX_ANSWER_BYTES or not self._outbox.hold(line, within):
                return False
            self._parts.append(line)
            self._size += len(line) + 1
        return True

    def settle(self) -> bool:
        """Count one answer as given; tell whether it was the last."""
        with self._lock:
            self._owed -= 1
            return self._owed == 0

    def send(self) -> None:
        """Queue the line, unless the batch held notifications only."""
        if self._parts:
            self._outbox.put_held(self._parts)


class Answers:
    """Owned by the connection. Ids are added by the reader thread; answers come from any thread."""

    def __init__(self, outbox: Outbox, log: Log) -> None:
        self._outbox = outbox
        self._log = log
        self._owed: dict[Id, BatchAnswers | None] = {}  # single operations only, which the interpreter makes atomic
        self.dropped = 0

    def open_batch(self) -> BatchAnswers:
        """Return the place where the answers of one batch come together; `settle` it once when all was received."""
        return BatchAnswers(self._outbox)

    def expect(self, identity: Id, batch: BatchAnswers | None) -> None:
        """Note that a request is owed an answer; raise InvalidRequest if its id is in flight already."""
        if identity in self._owed:
            raise InvalidRequest(f"the id {encode(identity).decode()[:80]} is in flight already")
        self._owed[identity] = batch
        if batch is not None:
            batch.ids.append(identity)
            batch.expect()

    def give(self, answer: Mapping[str, Any]) -> None:
        """Send the answer to a request that was expected; never raises, never blocks."""
        batch = self._owed.get(answer["id"])
        if batch is None:
            self._owed.pop(answer["id"], None)  # before it can be read: the host may use the id again at once
        if answer.get("result") is not UNANSWERED:
            self._place(answer, self._outbox.put if batch is None else batch.place)
        if batch is not None:
            self.settle(batch)

    def refuse(self, identity: Id, error: ProtocolError, batch: BatchAnswers | None = None) -> None:
        """Send an error for a message that was not expected: malformed, or with the id of another."""
        self._place(_error_answer(identity, error), self._outbox.put if batch is None else batch.place)

    def settle(self, batch: BatchAnswers) -> None:
        """Count one answer of a batch, and send the batch with the last."""
        if batch.settle():
            for identity in batch.ids:
                self._owed.pop(identity, None)
            batch.send()

    def _place(self, answer: Mapping[str, Any], place: Place) -> None:
        """Queue an answer; in place of a result that has no room goes an error; an error without room is dropped."""
        line, is_result = self._encode(answer)
        may_be_replaced = is_result and len(line) > SMALL_ANSWER_BYTES
        if place(line, OUTBOX_ANSWER_BYTES if may_be_replaced else OUTBOX_FULL_BYTES):
            return
        if may_be_replaced and place(encode(_error_answer(answer["id"], _no_room(len(line)))), OUTBOX_FULL_BYTES):
            return
        self.dropped += 1
        if self.dropped == 1:
            self._log.warning("the host sends and does not read: answers that have no room are dropped from now on")

    def _encode(self, answer: Mapping[str, Any]) -> tuple[bytes, bool]:
        """Return the line, and whether it is a result; what cannot be encoded becomes a fault of ours."""
        try:
            line = encode(answer)
        except NotEncodable as error:
            fault = to_protocol_error(error, self._log, "writing an answer")
        else:
            if len(line) <= MAX_ANSWER_BYTES:
                return line, "result" in answer
            fault = InternalFault(f"the answer has {len(line)} bytes, and a line has at most {MAX_ANSWER_BYTES}")
        return encode(_error_answer(answer["id"], fault)), False


def _error_answer(identity: Id, error: ProtocolError) -> dict[str, Any]:
    return {"jsonrpc": JSONRPC, "id": identity, "error": error.to_object()}


def _no_room(size: int) -> Overloaded:
    return Overloaded(
        f"the result of {size} bytes was dropped: the answers that wait to be read leave no room for it",
        advice="read answers while sending, and send fewer calls at once",
        retry_after_ms=RETRY_AFTER_MS,
    )
