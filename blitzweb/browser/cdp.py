"""CDP messages as values: commands to bytes, bytes to answers and events. No I/O."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

_encode = json.JSONEncoder(separators=(",", ":")).encode


class Answer(NamedTuple):
    """What a command came to: `error` is None where it worked."""

    id: int
    result: Mapping[str, Any]
    error: Mapping[str, Any] | None


class Event(NamedTuple):
    """Something that happened; `session` is "" for the browser itself."""

    session: str
    method: str
    params: Mapping[str, Any]


def encode_command(number: int, method: str, params: Mapping[str, Any], session: str) -> bytes:
    """Return a command as the bytes of its message."""
    message: dict[str, Any] = {"id": number, "method": method, "params": params}
    if session:
        message["sessionId"] = session
    return _encode(message).encode()


def decode_message(data: bytes) -> Answer | Event | None:
    """Return what a message says; None for one that is neither an answer nor an event."""
    try:
        message = json.loads(data.decode("utf-8", "surrogatepass"))
    except ValueError:
        return None
    if not isinstance(message, dict):
        return None
    if "id" in message:
        return Answer(message["id"], message.get("result") or {}, message.get("error"))
    if "method" in message:
        return Event(message.get("sessionId", ""), message["method"], message.get("params") or {})
    return None
