"""The state that travels with a question to a client of the modern era and comes back with the answer.

The client can read it and cannot change it: it is sealed by a key of this process, holds for one call and one question,
for a while, and once. What earlier questions of the same call were answered travels along, since the call starts anew
with every answer. Ids: MCP-02.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from blitzweb.errors import InvalidParams
from blitzweb.limits import MAX_REQUEST_STATE_CHARS, REQUEST_STATE_SECONDS
from blitzweb.wire.encoding import decode, encode

if TYPE_CHECKING:
    from blitzweb.policy.verdicts import Question

_MAC_BYTES: Final = 32
_ONCE_BYTES: Final = 16


class State:
    """What a question left off: the call and the question that it belongs to, and what was said before, by question."""

    __slots__ = ("call", "question", "said")

    def __init__(self, call: str, question: str, said: Mapping[str, str]) -> None:
        self.call = call
        self.question = question
        self.said = said


class Seal:
    """Owned by the dialect. Safe from any thread; the lock guards the table of what was used alone."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._key = os.urandom(_MAC_BYTES)
        self._lock = threading.Lock()
        self._used: dict[str, float] = {}  # until when each would hold

    def close(self, state: State) -> str:
        """Return the text that the client sends back."""
        fields = {"call": state.call, "question": state.question, "said": dict(state.said)}
        once = {"once": os.urandom(_ONCE_BYTES).hex(), "until": self._clock() + REQUEST_STATE_SECONDS}
        payload = encode(fields | once)
        return base64.urlsafe_b64encode(self._mac(payload) + payload).decode()

    def open(self, text: object, call: str) -> State:
        """Return what a text of ours holds; from now on it holds nothing.

        Raises:
            InvalidParams: it is not ours, belongs to another call, came too late or came before.
        """
        fields = self._unpack(text)
        if fields["call"] != call:
            raise _refusal("belongs to another call")
        if fields["until"] <= self._clock():
            raise _refusal("came too late")
        self._use(fields["once"], fields["until"])
        return State(call, fields["question"], fields["said"])

    def _unpack(self, text: object) -> dict[str, Any]:
        """Return the fields of a text that this process sealed: of no other it looks at more than the seal."""
        if not isinstance(text, str) or len(text) > MAX_REQUEST_STATE_CHARS or not text.isascii():
            raise _refusal("is none of this server's")
        try:
            sealed = base64.b64decode(text, altchars=b"-_", validate=True)
        except ValueError:
            raise _refusal("is none of this server's") from None
        mac, payload = sealed[:_MAC_BYTES], sealed[_MAC_BYTES:]
        if not hmac.compare_digest(mac, self._mac(payload)):
            raise _refusal("is none of this server's")
        fields: dict[str, Any] = decode(payload)
        return fields

    def _use(self, once: str, until: float) -> None:
        with self._lock:
            if once in self._used:
                raise _refusal("was used already")
            now = self._clock()
            self._used = {name: limit for name, limit in self._used.items() if limit > now} | {once: until}

    def _mac(self, payload: bytes) -> bytes:
        return hmac.digest(self._key, payload, "sha256")


def digest_call(name: str, arguments: Mapping[str, Any], context: object) -> str:
    """Return what tells this call from every other."""
    return _digest([name, arguments, context])


def digest_question(question: Question) -> str:
    """Return what tells this question from every other."""
    return _digest([question.kind, question.key, question.label, question.detail, *question.targets])


def _digest(value: list[Any]) -> str:
    return hashlib.sha256(encode(_sorted(value))).hexdigest()


def _sorted(value: Any) -> Any:
    """Return a value whose objects have their members in order: clients may send them in another one again."""
    if isinstance(value, Mapping):
        return {name: _sorted(value[name]) for name in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list) else value


def _refusal(why: str) -> InvalidParams:
    advice = "call the tool again without requestState; the question is asked anew"
    return InvalidParams(f"params.requestState {why}", advice=advice, path="params.requestState")
