"""The catalogue: every method and notification, who sends it, its params, its result, the errors of its own.

Any request may also be answered with the errors that the wire itself has; they are not repeated here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from blitzweb import errors
from blitzweb.contract import approval, calls, events, lifecycle, searches, upkeep
from blitzweb.contract.lifecycle import Nothing

Sender = Literal["host", "daemon"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodShape:
    """One method. `result` is `None` where the answer is null; a notification has none at all."""

    name: str
    summary: str
    sender: Sender = "host"
    notification: bool = False
    params: type[Any] = Nothing
    result: type[Any] | None = None
    errors: tuple[type[errors.ProtocolError], ...] = ()
    always: bool = False  # WIRE-18: answered before `initialize` too
    document: bool = False  # the result is a document with a schema of its own


METHODS: tuple[MethodShape, ...] = (
    MethodShape(
        name="initialize",
        summary="Open the conversation: versions, capabilities, settings.",
        params=lifecycle.InitializeParams,
        result=lifecycle.InitializeResult,
        errors=(errors.InvalidParams, errors.VersionNotSpoken),
        always=True,
    ),
    MethodShape(name="initialized", summary="The host has read the answer to initialize.", notification=True),
    MethodShape(
        name="tools/list",
        summary="List the tools on offer, ready to hand to a model.",
        params=calls.ToolsListParams,
        result=calls.ToolsListResult,
        errors=(errors.InvalidParams,),
    ),
    MethodShape(
        name="tools/call",
        summary="Run a tool.",
        params=calls.ToolsCallParams,
        result=calls.ToolsCallResult,
        errors=(
            errors.InvalidParams,
            errors.UnknownTool,
            errors.CallCancelled,
            errors.DeadlinePassed,
            errors.Overloaded,
            errors.BrowserUnavailable,
        ),
    ),
    MethodShape(
        name="search/web",
        summary="Run the user's own web search, and grant the turn the pages that it finds.",
        params=searches.SearchWebParams,
        result=searches.SearchWebResult,
        errors=(errors.InvalidParams, errors.CallCancelled, errors.DeadlinePassed, errors.Overloaded),
    ),
    MethodShape(
        name="search/session",
        summary="Search the transcript for the user.",
        params=searches.SearchSessionParams,
        result=searches.SearchSessionResult,
        errors=(errors.InvalidParams,),
    ),
    MethodShape(
        name="session/end",
        summary="Forget the session's page references, approvals and grants.",
        params=upkeep.SessionEndParams,
        errors=(errors.InvalidParams,),
    ),
    MethodShape(
        name="settings/update",
        summary="Change the user's settings while the daemon runs.",
        params=lifecycle.SettingsUpdateParams,
        result=lifecycle.SettingsUpdateResult,
        errors=(errors.InvalidParams,),
    ),
    MethodShape(
        name="browser/close",
        summary="Close a workspace's browser.",
        params=upkeep.BrowserCloseParams,
        errors=(errors.InvalidParams,),
    ),
    MethodShape(
        name="doctor",
        summary="Check this machine and the settings.",
        params=upkeep.DoctorParams,
        result=upkeep.DoctorResult,
        errors=(errors.InvalidParams,),
    ),
    MethodShape(name="$/status", summary="Tell how the daemon is.", result=upkeep.StatusResult, always=True),
    MethodShape(name="rpc.discover", summary="Return the OpenRPC document.", always=True, document=True),
    MethodShape(name="ping", summary="Answer null, whatever runs.", always=True),
    MethodShape(name="shutdown", summary="Cancel what runs, close browsers, and take no more work."),
    MethodShape(
        name="$/cancelRequest",
        summary="Cancel a request; it is answered all the same.",
        notification=True,
        params=events.CancelRequestParams,
    ),
    MethodShape(name="exit", summary="End the process: 0 after shutdown, else 1.", notification=True),
    MethodShape(
        name="approval/request",
        summary="Ask the person; the host may take as long as the person does.",
        sender="daemon",
        params=approval.ApprovalRequestParams,
        result=approval.ApprovalRequestResult,
    ),
    MethodShape(
        name="approval/resolved",
        summary="A question needs no answer any more.",
        sender="daemon",
        notification=True,
        params=approval.ApprovalResolvedParams,
    ),
    MethodShape(
        name="$/progress",
        summary="Tell how far a call with a progress_token is.",
        sender="daemon",
        notification=True,
        params=events.ProgressParams,
    ),
    MethodShape(
        name="audit/event",
        summary="Tell a decision.",
        sender="daemon",
        notification=True,
        params=events.AuditEventParams,
    ),
    MethodShape(
        name="usage/search",
        summary="Tell what a search provider bills.",
        sender="daemon",
        notification=True,
        params=events.UsageSearchParams,
    ),
    MethodShape(
        name="tools/changed",
        summary="The tools on offer have changed: call tools/list again.",
        sender="daemon",
        notification=True,
    ),
    MethodShape(
        name="log/message",
        summary="Tell a line of the log.",
        sender="daemon",
        notification=True,
        params=events.LogMessageParams,
    ),
    MethodShape(
        name="browser/event",
        summary="Tell what became of a browser.",
        sender="daemon",
        notification=True,
        params=events.BrowserEventParams,
    ),
)
