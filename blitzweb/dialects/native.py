"""The native protocol: the table of its methods, each of which reads params, asks the core, and writes the result.

What is answered on the reader's turn keeps away from the contract, so that the first answer comes soon; the rest loads
it on first use, in a thread of its own. Ids: WIRE-19, WIRE-27 to WIRE-38, WIRE-44.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar

from blitzweb import __version__
from blitzweb.dialects.core import Core, Offer
from blitzweb.dialects.handshake import read_hello
from blitzweb.dialects.lanes import find_lane
from blitzweb.errors import InternalFault, InvalidParams, SettingsError, StateError
from blitzweb.limits import MAX_CALLS, MAX_LINE_BYTES, MAX_TIMEOUT_MS, PROTOCOL_VERSION
from blitzweb.rpc.methods import Kind, Method, Params, longest
from blitzweb.rpc.running import Running

if TYPE_CHECKING:
    from blitzweb.tools.call import ToolResult

T = TypeVar("T")

_LATE: Final = f"give it more time with timeout_ms (at most {MAX_TIMEOUT_MS})"

# What the daemon does of what a host may want; the names are those of the host's capabilities.
CAPABILITIES: Final = {"approvals": True, "progress": True, "audit": True, "images": True}


def native_methods(core: Core) -> dict[str, Method]:
    """Return what `serve` answers; `ping`, `shutdown` and the notifications are the connection's own."""
    native = Native(core)
    return {
        "initialize": Method(native.initialize),
        "tools/list": Method(native.list_tools, Kind.WORK),
        "tools/call": Method(native.call_tool, Kind.WORK, deadline=native.seconds, lane=native.lane, late=_LATE),
        "search/web": Method(native.search_web, Kind.WORK, deadline=native.search_seconds),
        "search/session": Method(native.search_session, Kind.WORK),
        "session/end": Method(native.end_session),
        "settings/update": Method(native.update_settings),
        "browser/close": Method(native.close_browser, Kind.WORK),
        "doctor": Method(native.doctor, Kind.WORK),
        "$/status": Method(native.status),
        "rpc.discover": Method(native.discover, Kind.WORK),
    }


class Native:
    """The handlers. They know whether the host asks its person; everything else is the core's."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._asks = False

    def initialize(self, params: Params, running: Running) -> Any:
        """Take the host in."""
        hello = read_hello(params)
        try:
            offer = self._core.initialize(hello, running.connection)
        except SettingsError as error:
            raise _bad_setting(error) from None
        except StateError as error:
            raise InternalFault(error.message, advice=error.advice) from None
        self._asks = hello.approvals
        if hello.host_pid is not None:
            running.connection.watch_host(hello.host_pid)
        return {
            "protocol_version": PROTOCOL_VERSION,
            "server": {"name": "blitzweb", "version": __version__, "pid": os.getpid()},
            "capabilities": CAPABILITIES,
            "limits": {"max_line_bytes": MAX_LINE_BYTES, "max_calls": MAX_CALLS},
            **_offered(offer),
        }

    def update_settings(self, params: Params, _running: Running) -> Any:
        """Change the host's layer."""
        from blitzweb.contract.lifecycle import SettingsUpdateParams

        settings = _read(SettingsUpdateParams, params).settings
        try:
            return _offered(self._core.update_settings(settings))
        except SettingsError as error:
            raise _bad_setting(error) from None

    def list_tools(self, params: Params, _running: Running) -> Any:
        """List what is on offer."""
        from blitzweb.contract.calls import ToolsListParams, ToolsListResult
        from blitzweb.contract.codec import encode
        from blitzweb.contract.toolset import describe

        tools = self._core.tools(_read(ToolsListParams, params).context)
        return encode(ToolsListResult(tools=tuple(describe(tool) for tool in tools)))

    def seconds(self, params: Params) -> float:
        """Return the deadline of a call. A `timeout_ms` that does not fit is refused when the call is read."""
        given = params or {}
        timeout = given.get("timeout_ms")
        if timeout is None:
            return self._core.seconds(str(given.get("name", "")))
        return timeout / 1000 if type(timeout) is int and 0 < timeout <= MAX_TIMEOUT_MS else longest(params)

    def lane(self, params: Params) -> str | None:
        """Return the lane of a call."""
        given = params or {}
        return find_lane(given.get("name"), given.get("context"), given.get("arguments"))

    def call_tool(self, params: Params, running: Running) -> Any:
        """Run a tool."""
        from blitzweb.approval.person import HostPerson, Nobody
        from blitzweb.contract.calls import ToolsCallParams

        asked = _read(ToolsCallParams, params)
        result = self._core.call_tool(
            asked.name,
            asked.arguments,
            context=asked.context,
            running=running,
            report=running.progress(asked.progress_token),
            person=HostPerson(running.host) if self._asks else Nobody(),
        )
        return _said(result)

    def search_seconds(self, _params: Params) -> float:
        """Return the deadline of the user's own search."""
        return self._core.seconds("search/web")

    def search_web(self, params: Params, running: Running) -> Any:
        """Make the user's own search."""
        from blitzweb.contract.codec import encode
        from blitzweb.contract.searches import SearchWebParams

        asked = _read(SearchWebParams, params)
        return encode(self._core.search_web(asked.terms, context=asked.context, running=running))

    def search_session(self, params: Params, _running: Running) -> Any:
        """Search the transcript."""
        from blitzweb.contract.codec import encode
        from blitzweb.contract.searches import SearchSessionParams
        from blitzweb.search.sessions import search_session

        asked = _read(SearchSessionParams, params)
        return encode(search_session(asked.terms, asked.messages))

    def end_session(self, params: Params, _running: Running) -> None:
        """Forget a session."""
        from blitzweb.contract.upkeep import SessionEndParams

        self._core.end_session(_read(SessionEndParams, params).session)

    def close_browser(self, params: Params, _running: Running) -> None:
        """Close the browser of a workspace; null if there is none too."""
        from blitzweb.contract.upkeep import BrowserCloseParams

        self._core.close_browser(_read(BrowserCloseParams, params).workspace)

    def doctor(self, params: Params, _running: Running) -> Any:
        """Check the machine."""
        from blitzweb.contract.codec import encode
        from blitzweb.contract.upkeep import DoctorParams, DoctorResult

        checks = self._core.doctor(online=_read(DoctorParams, params).online)
        return encode(DoctorResult(checks=tuple(checks)))

    def status(self, params: Params, running: Running) -> Any:
        """Tell how the daemon is."""
        if params:
            raise InvalidParams(f'params has no member "{next(iter(params))[:80]}"; $/status takes none')
        figures = self._core.figures()
        browsers = list(figures.browsers)
        return {**figures._asdict(), "browsers": browsers, **running.connection.snapshot()}

    def discover(self, params: Params, _running: Running) -> Any:
        """Return the OpenRPC document."""
        from blitzweb.contract.lifecycle import Nothing
        from blitzweb.contract.openrpc import openrpc_document

        _read(Nothing, params)
        return openrpc_document()


def _read(cls: type[T], params: Params) -> T:
    from blitzweb.contract.codec import Misfit, decode

    try:
        return decode(cls, params or {}, where="params")
    except Misfit as misfit:
        raise InvalidParams(str(misfit), path=misfit.path) from None


def _bad_setting(error: SettingsError) -> InvalidParams:
    return InvalidParams(error.message, advice=error.advice)


def _offered(offer: Offer) -> Mapping[str, Any]:
    return {"tools": list(offer.tools), "settings": offer.settings, "warnings": list(offer.warnings)}


def _said(result: ToolResult) -> Any:
    from blitzweb.contract.codec import encode

    return {
        "output": encode(result.output),
        "text": result.text,
        "images": encode(result.images),
        "is_error": result.is_error,
    }
