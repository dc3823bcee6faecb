"""Runs one tool: checks its arguments, and turns what a model can act on into a result (WIRE-31).

Both dialects call tools through here. Errors that are the host's (a cancel, a deadline) pass through.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from blitzweb.contract.codec import Misfit, decode
from blitzweb.errors import InvalidArguments, ToolFailure
from blitzweb.tools.base import Tool
from blitzweb.tools.call import Call, ToolResult


def invoke(tool: Tool, arguments: Mapping[str, Any], call: Call) -> ToolResult:
    """Return what the tool says, or a result with `is_error` that says why it could not."""
    try:
        return tool.run(_read(tool, arguments), call)
    except ToolFailure as failure:
        return failed(failure)


def failed(failure: ToolFailure) -> ToolResult:
    """Return a failure as a result: what happened, and what to do where that is known."""
    text = f"{failure.message}\n{failure.advice}" if failure.advice else failure.message
    return ToolResult(output={"error": failure.message}, text=text, is_error=True)


def _read(tool: Tool, arguments: Mapping[str, Any]) -> Any:
    try:
        return decode(tool.shape.arguments, dict(arguments), where="arguments")
    except Misfit as misfit:
        raise InvalidArguments(f"{tool.misfit}: {misfit}") from None
