"""The JSON-RPC errors of the protocol: every code and every reason, read off the error tree (WIRE-28)."""

from __future__ import annotations

import inspect
from typing import Any

from blitzweb import errors
from blitzweb.errors import ProtocolError

FAULTS: tuple[type[ProtocolError], ...] = tuple(
    cls
    for cls in vars(errors).values()
    if isinstance(cls, type) and issubclass(cls, ProtocolError) and cls is not ProtocolError
)
CODES = tuple(sorted({fault.code for fault in FAULTS}))
REASONS = tuple(sorted({fault.reason for fault in FAULTS}))


def meaning(fault: type[ProtocolError]) -> str:
    """Return the sentence that says when an error is raised."""
    sentence = inspect.cleandoc(fault.__doc__ or "").split("\n\n")[0]
    return sentence.replace("Raised ", "", 1)


def error_schema() -> dict[str, Any]:
    """Return the JSON Schema of an error object; `data` may hold more than is named here."""
    return {
        "description": "Why a request has no result.",
        "type": "object",
        "properties": {
            "code": {"type": "integer", "enum": list(CODES)},
            "message": {"type": "string"},
            "data": {
                "type": "object",
                "properties": {
                    "reason": {"type": "string", "enum": list(REASONS)},
                    "advice": {"type": "string", "description": "what to do"},
                    "retry_after_ms": {"type": "integer", "description": "with -31001"},
                    "supported": {
                        "type": "array",
                        "items": {"type": "integer"},
                        "description": "protocol versions, with -31004",
                    },
                    "log_id": {"type": "string", "description": "finds the traceback in the log, with -32603"},
                    "path": {"type": "string", "description": "the member that does not fit, with -32602"},
                },
                "required": ["reason"],
            },
        },
        "required": ["code", "message", "data"],
    }
