"""What a line means in JSON-RPC 2.0: a request, a notification, a response, a batch, or a fault to answer.

Values only. Everything that later layers may rely on is checked here: the version, the method's type, the shape of the
params, a legal id, a well-formed error in a response. Whether a method exists is not known here.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from blitzweb.errors import InvalidRequest, ParseFailed, ProtocolError
from blitzweb.limits import MAX_BATCH
from blitzweb.wire.encoding import decode

JSONRPC = "2.0"

# Equal numbers are one id however they are spelt, as JSON has one kind of number: as keys of a dict 1 and 1.0 are the
# same, "1" is another, and true, which Python would also find equal to 1, is no legal id.
Id: TypeAlias = str | int | float | None
Params: TypeAlias = dict[str, Any] | list[Any] | None


class _Value:
    """Compared and shown by its slots (named tuples and dataclasses cost the start path several ms)."""

    __slots__: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(repr(getattr(self, name)) for name in self.__slots__)})"


class Request(_Value):
    """A call that is owed exactly one answer."""

    __slots__ = ("id", "method", "params")

    def __init__(self, identity: Id, method: str, params: Params) -> None:
        self.id = identity
        self.method = method
        self.params = params


class Notification(_Value):
    """A message that is never answered."""

    __slots__ = ("method", "params")

    def __init__(self, method: str, params: Params) -> None:
        self.method = method
        self.params = params


class Response(_Value):
    """The host's answer to a request of ours; `error` has an integer `code`, a text `message` and maybe `data`."""

    __slots__ = ("error", "id", "result")

    def __init__(self, identity: Id, result: Any, error: dict[str, Any] | None) -> None:
        self.id = identity
        self.result = result
        self.error = error


class Malformed(_Value):
    """Something that is to be answered with an error: with its id if that is legal, else with null."""

    __slots__ = ("error", "id")

    def __init__(self, identity: Id, error: ProtocolError) -> None:
        self.id = identity
        self.error = error


Message: TypeAlias = Request | Notification | Response | Malformed


class Batch(_Value):
    """Several messages whose answers go out as one line."""

    __slots__ = ("messages",)

    def __init__(self, messages: list[Message]) -> None:
        self.messages = messages


def read_message(line: bytes) -> Message | Batch:
    """Return what a line means; never raises for anything that a line can hold."""
    try:
        value = decode(line)
    except ParseFailed as error:
        return Malformed(None, error)
    if isinstance(value, list):
        return _read_batch(value)
    return _read_value(value)


def _read_batch(values: list[Any]) -> Malformed | Batch:
    if not values:
        return Malformed(None, InvalidRequest("the batch is empty"))
    if len(values) > MAX_BATCH:
        text = f"the batch holds {len(values)} messages, and at most {MAX_BATCH} are taken; none was run"
        return Malformed(None, InvalidRequest(text, advice="send several smaller batches"))
    return Batch([_read_value(value) for value in values])


def _read_value(value: Any) -> Message:
    if not isinstance(value, dict):
        return Malformed(None, InvalidRequest("a message is a JSON object"))
    if "method" not in value and ("result" in value or "error" in value):
        return _read_response(value)
    identity = value.get("id")
    if not is_legal_id(identity):
        return Malformed(None, InvalidRequest("`id` must be a text, a number or null"))
    fault = _find_fault(value)
    if fault:
        return Malformed(identity, InvalidRequest(fault))
    if "id" in value:
        return Request(identity, value["method"], value.get("params"))
    return Notification(value["method"], value.get("params"))


def _find_fault(value: dict[str, Any]) -> str:
    """Return what keeps an object from being a request or a notification, or nothing."""
    if value.get("jsonrpc") != JSONRPC:
        return '`jsonrpc` must be "2.0"'
    if not isinstance(value.get("method"), str):
        return "`method` must be a text"
    if "params" in value and not isinstance(value["params"], (dict, list)):
        return "`params` must be an object; leave it out where there are none"
    return ""


def _read_response(value: dict[str, Any]) -> Response | Malformed:
    """Read an answer to a request of ours; a bad one becomes an error answer, so that nobody waits for it for ever."""
    identity = value.get("id")
    if not is_legal_id(identity):
        return Malformed(None, InvalidRequest("the `id` of a response must be a text, a number or null"))
    if value.get("jsonrpc") != JSONRPC:
        return Response(identity, None, _host_fault('the response\'s `jsonrpc` is not "2.0"'))
    if value.get("error") is None:
        if "result" not in value:
            return Response(identity, None, _host_fault("the response has neither `result` nor `error`"))
        return Response(identity, value["result"], None)
    return Response(identity, None, _read_error(value["error"]))


def _read_error(error: Any) -> dict[str, Any]:
    if not isinstance(error, dict):
        return _host_fault("the response's `error` is no object")
    code, message = error.get("code"), error.get("message")
    if not isinstance(code, int) or isinstance(code, bool) or not isinstance(message, str):
        return _host_fault("the response's `error` needs an integer `code` and a text `message`")
    return {"code": code, "message": message, "data": error.get("data")}


def _host_fault(text: str) -> dict[str, Any]:
    return {"code": InvalidRequest.code, "message": text, "data": None}


def is_legal_id(identity: Any) -> bool:
    """Tell whether an id can be given back as it came: a lone surrogate could not."""
    if isinstance(identity, str):
        return identity.isascii() or _is_whole(identity)
    return identity is None or (isinstance(identity, (int, float)) and not isinstance(identity, bool))


def _is_whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
