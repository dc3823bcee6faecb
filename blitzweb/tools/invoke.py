"""Runs one tool: checks its arguments, and turns what a model can act on into a result (WIRE-31).

Both dialects call tools through here. Errors that are the host's (a cancel, a deadline) pass through.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from blitzweb.contract.codec import Misfit, decode, encode
from blitzweb.errors import InvalidArguments, ToolFailure
from blitzweb.policy.output_guard import Blocked, OutputGuard
from blitzweb.tools.base import Tool
from blitzweb.tools.call import Call, ToolResult


def invoke(tool: Tool, arguments: Mapping[str, Any], call: Call) -> ToolResult:
    """Return what the tool says, or a result with `is_error` that says why it could not."""
    try:
        return guarded(_run(tool, arguments, call), call)
    except Blocked as blocked:
        return failed(
            ToolFailure(f'the result was blocked by policy: it matches "{blocked.name}" of guard.deny_output')
        )


def _run(tool: Tool, arguments: Mapping[str, Any], call: Call) -> ToolResult:
    try:
        return tool.run(_read(tool, arguments), call)
    except ToolFailure as failure:
        return failed(failure)


def guarded(result: ToolResult, call: Call) -> ToolResult:
    """Return a result as it may leave, text, structured part and error alike (GUARD-01).

    Raises:
        Blocked: it may not leave at all.
    """
    guard = call.guard
    if not guard.active:
        return result
    return replace(result, output=_guard_values(encode(result.output), guard), text=guard.apply(result.text))


def _guard_values(value: Any, guard: OutputGuard) -> Any:
    if isinstance(value, str):
        return guard.apply(value)
    if isinstance(value, Mapping):
        return {name: _guard_values(inner, guard) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_guard_values(inner, guard) for inner in value]
    return value


def failed(failure: ToolFailure) -> ToolResult:
    """Return a failure as a result: what happened, and what to do where that is known."""
    text = f"{failure.message}\n{failure.advice}" if failure.advice else failure.message
    return ToolResult(output={"error": failure.message}, text=text, is_error=True)


def _read(tool: Tool, arguments: Mapping[str, Any]) -> Any:
    try:
        return decode(tool.shape.arguments, dict(arguments), where="arguments")
    except Misfit as misfit:
        raise InvalidArguments(f"{tool.misfit}: {misfit}") from None
