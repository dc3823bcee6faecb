"""The error tree: everything that blitzweb raises on purpose.

    BlitzwebError
    ├── ProtocolError          answered to the host as a JSON-RPC error: code, reason, advice
    │   ├── ParseFailed        −32700  the line is no JSON that the wire accepts
    │   ├── InvalidRequest     −32600  JSON, but no request
    │   ├── MethodNotFound     −32601  no such method (names are compared exactly)
    │   ├── InvalidParams      −32602  the method's own params do not fit
    │   │   └── UnknownTool    −32602  no such tool, or none that is on offer
    │   ├── InternalFault      −32603  a fault of ours; the traceback is in the log under the id
    │   ├── CallCancelled      −32800  the host cancelled the call
    │   ├── NotInitialized     −31000  work before `initialize`
    │   ├── Overloaded         −31001  too much is running and waiting
    │   ├── DeadlinePassed     −31002  the call's own deadline passed
    │   ├── ShuttingDown       −31003  work after `shutdown`
    │   ├── VersionNotSpoken   −31004  a protocol version that this daemon does not speak
    │   └── BrowserUnavailable −31020  no browser can be started
    ├── ToolFailure            becomes a tool result with is_error, since a model can act on it
    │   ├── InvalidArguments   the arguments do not fit the tool's schema
    │   ├── Refused            a decision said no: policy, rule, address, or the person
    │   ├── FetchFailed        the network or the server failed, in a named phase
    │   │   └── FetchTimedOut  its time was up
    │   └── UnusableContent    bytes arrived, and nothing can be made of them
    ├── HostFailed             the host answered a request of ours with an error
    ├── SettingsError          a setting is wrong: names table, key and what is allowed
    ├── StateError             a file of ours is damaged; nothing was overwritten
    └── UsageError             words on the command line that mean nothing; exit code 3

Texts say what happened, to which value, and what to do. `reason` is from a closed list.
Foreign exceptions never pass a layer: each maps its own in one place (`net/failures.py`, `browser/failures.py`).
"""

from __future__ import annotations

from typing import Any, ClassVar


class BlitzwebError(Exception):
    """The root: a message for a person, and what to do about it where that is known."""

    def __init__(self, message: str, *, advice: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.advice = advice


class ProtocolError(BlitzwebError):
    """Answered as a JSON-RPC error object: `code`, `message`, `data` {reason, advice?, …}."""

    code: ClassVar[int] = -32603
    reason: ClassVar[str] = "internal"

    def __init__(self, message: str, *, advice: str = "", **data: Any) -> None:
        super().__init__(message, advice=advice)
        self.data = data

    def to_object(self) -> dict[str, Any]:
        """Return the JSON-RPC error object."""
        data: dict[str, Any] = {"reason": self.reason}
        if self.advice:
            data["advice"] = self.advice
        data.update(self.data)
        return {"code": self.code, "message": self.message, "data": data}


class ParseFailed(ProtocolError):
    """Raised when a line is over-long, too deep, not UTF-8, not JSON, or holds NaN or Infinity."""

    code = -32700
    reason = "parse_error"


class InvalidRequest(ProtocolError):
    """Raised when JSON arrived that is no request: wrong version, method, params or id."""

    code = -32600
    reason = "invalid_request"


class MethodNotFound(ProtocolError):
    """Raised for a method that the dialect does not have."""

    code = -32601
    reason = "method_not_found"


class InvalidParams(ProtocolError):
    """Raised when a method's own params do not fit, wrong settings included."""

    code = -32602
    reason = "invalid_params"


class UnknownTool(InvalidParams):
    """Raised by `tools/call` for a tool that does not exist or is not on offer."""

    reason = "unknown_tool"


class InternalFault(ProtocolError):
    """Raised in place of any exception that nobody expected; `data.log_id` finds it in the log."""

    code = -32603
    reason = "internal"


class CallCancelled(ProtocolError):
    """Raised inside a call that the host cancelled, and answered promptly."""

    code = -32800
    reason = "cancelled"


class NotInitialized(ProtocolError):
    """Raised for work that arrives before `initialize` was answered."""

    code = -31000
    reason = "not_initialized"


class Overloaded(ProtocolError):
    """Raised when admission is closed; `data.retry_after_ms` says when to try again."""

    code = -31001
    reason = "overloaded"


class DeadlinePassed(ProtocolError):
    """Raised when the call's own deadline passed; the message names the phase it was in."""

    code = -31002
    reason = "deadline_passed"


class ShuttingDown(ProtocolError):
    """Raised for work that arrives after `shutdown`."""

    code = -31003
    reason = "shutting_down"


class VersionNotSpoken(ProtocolError):
    """Raised by `initialize` for a protocol version that is not spoken; `data.supported` lists those that are."""

    code = -31004
    reason = "version_not_spoken"


class BrowserUnavailable(ProtocolError):
    """Raised when no browser can be found or started."""

    code = -31020
    reason = "no_browser"


class ToolFailure(BlitzwebError):
    """Becomes a tool result with `is_error`: the text is for the model, who can act on it."""


class InvalidArguments(ToolFailure):
    """Raised when a tool's arguments do not fit its schema; names the argument and what it takes."""


class Refused(ToolFailure):
    """Raised when a decision said no; `reason` is the name of the decision (policy/verdicts.py).

    `target` is where a redirect wanted to go, if it is that which is refused: it may be no URL, and has no credentials.
    """

    def __init__(self, message: str, *, reason: str, advice: str = "", target: str = "") -> None:
        super().__init__(message, advice=advice)
        self.reason = reason
        self.target = target


class FetchFailed(ToolFailure):
    """Raised when the network or a server failed; `phase` says where."""

    def __init__(self, message: str, *, phase: str, advice: str = "") -> None:
        super().__init__(message, advice=advice)
        self.phase = phase


class FetchTimedOut(FetchFailed):
    """Raised when the time for a request, or for a part of it, was up."""


class UnusableContent(ToolFailure):
    """Raised when bytes arrived whole and nothing readable can be made of them."""


class HostFailed(BlitzwebError):
    """Raised when the host answered a request of ours (an approval) with a JSON-RPC error; `code` is the host's."""

    def __init__(self, message: str, *, code: int, advice: str = "") -> None:
        super().__init__(message, advice=advice)
        self.code = code


class SettingsError(BlitzwebError):
    """Raised for a wrong setting; the message names table, key and what is allowed."""


class StateError(BlitzwebError):
    """Raised when a file of ours is damaged; it is left as it is, and the message names it."""


class UsageError(BlitzwebError):
    """Raised for words on the command line that mean nothing; printed with how to get help, exit code 3."""
