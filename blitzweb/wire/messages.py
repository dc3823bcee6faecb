"""What a line means in JSON-RPC 2.0: a request, a notification, a response, a batch, or a fault to answer.

Values only. Everything that later layers may rely on is checked here: the version, the method's type, the shape of the
params, a legal id, a well-formed error in a response. Whether a method exists is not known here.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from blitzweb.errors import InvalidRequest, ParseFailed, ProtocolError
from blitzweb.limits import MAX_BATCH
from blitzweb.wire.encoding import decode

JSONRPC = "2.0"

# Equal numbers are one id however they are spelt, as JSON has one kind of number: as keys of a dict 1 and 1.0 are the
# same, "1" is another, and true, which Python would also find equal to 1, is no legal id.
Id: TypeAlias = str | int | float | None


class Request(NamedTuple):
    """A call that is owed exactly one answer."""

    id: Id
    method: str
    params: dict[str, Any] | list[Any] | None


class Notification(NamedTuple):
    """A message that is never answered."""

    method: str
    params: dict[str, Any] | list[Any] | None


class Response(NamedTuple):
    """The host's answer to a request of ours; `error` has an integer `code`, a text `message` and maybe `data`."""

    id: Id
    result: Any
    error: dict[str, Any] | None


class Malformed(NamedTuple):
    """Something that is to be answered with an error: with its id if that is legal, else with null."""

    id: Id
    error: ProtocolError


Message: TypeAlias = Request | Notification | Response | Malformed


class Batch(NamedTuple):
    """Several messages whose answers go out as one line."""

    messages: list[Message]


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
