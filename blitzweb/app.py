"""The composition root: the only module that knows every part, and what dialects ask of it (`dialects/core.py`).

A change of settings makes a new `World`; calls that run keep the one that they started with. What the start of the
process has no time for (policy, net, tools, the contract) is loaded when a world is first used.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from blitzweb.contract.offer import SELECTED_TOGETHER, allows, browser_tools
from blitzweb.dialects.core import Figures, Offer
from blitzweb.dialects.handshake import Hello
from blitzweb.errors import ToolFailure, UnknownTool
from blitzweb.flags import Flags
from blitzweb.limits import ACTION_GRACE_SECONDS, PAGE_LOAD_SECONDS, PAGE_SECONDS
from blitzweb.masking import Masker
from blitzweb.rpc.log import Log
from blitzweb.rpc.running import HostLink, Report, Running
from blitzweb.search.usable import is_offered, is_wanted, why_unusable
from blitzweb.settings import Settings, load_settings
from blitzweb.settings.fallbacks import resolve_state_dir

if TYPE_CHECKING:
    from blitzweb.approval.approvals import SessionRules
    from blitzweb.approval.person import Person
    from blitzweb.browsers import Browsers
    from blitzweb.contract.searches import SearchWebResult
    from blitzweb.contract.toolset import ToolShape
    from blitzweb.contract.upkeep import DoctorCheck
    from blitzweb.pages.store import PageStore
    from blitzweb.policy.context import CallContext
    from blitzweb.tools.call import ToolResult
    from blitzweb.workers.conversion import Converter
    from blitzweb.world import World

_DEADLINE_GRACE_SECONDS = 0.25  # a tool's own limit comes first, and its text names the phase


def serve_native(flags: Flags) -> int:
    """Serve a host in the native protocol; return the exit code."""
    from blitzweb.dialects.native import native_methods
    from blitzweb.dialects.native_lifecycle import NativeLifecycle
    from blitzweb.rpc.serve import serve
    from blitzweb.rpc.terminal import NATIVE_GREETING, greet_person

    greet_person(NATIVE_GREETING)
    log = Log(level=os.environ.get("BLITZWEB_LOG") or "info")
    app = App(flags, log)
    return serve(native_methods(app), lifecycle=NativeLifecycle(), log=log, on_stop=(app.close,))


def serve_mcp(flags: Flags) -> int:
    """Serve an MCP client; return the exit code.

    Raises:
        SettingsError: a setting is wrong.
        StateError: a file of ours is damaged.
    """
    from blitzweb.dialects.mcp.lifecycle import McpLifecycle
    from blitzweb.dialects.mcp.methods import mcp_methods, open_core
    from blitzweb.rpc.serve import serve
    from blitzweb.rpc.terminal import MCP_GREETING, greet_person

    greet_person(MCP_GREETING)
    log = Log(level=os.environ.get("BLITZWEB_LOG") or "info")
    app = App(flags, log)
    open_core(app, log)
    return serve(mcp_methods(app), lifecycle=McpLifecycle(), log=log, on_stop=(app.close,))


class App:
    """Fills the dialects' `Core`. The lock guards the world alone and is never held over I/O of the network."""

    def __init__(self, flags: Flags, log: Log, environ: Mapping[str, str] | None = None) -> None:
        self._flags = flags
        self._log = log
        self._environ = os.environ if environ is None else environ
        self._started = time.monotonic()
        self._lock = threading.Lock()
        self._settings: Settings | None = None
        self._hello = Hello({"protocol_version": 0})
        self._connection: HostLink | None = None
        self._world: World | None = None
        self._session_rules: SessionRules | None = None
        self._pages: PageStore | None = None
        self._converter: Converter | None = None  # no setting is its: calls go on with it while settings change
        self._browsers: Browsers | None = None  # what runs goes on while settings change

    # --- the life of a connection -----------------------------------------------------------------------------------

    def initialize(self, hello: Hello, connection: HostLink) -> Offer:
        """Take the host's settings and capabilities."""
        settings = self._load(hello, hello.settings)
        from blitzweb.approval.saved import SavedRules

        SavedRules(self._state_dir(hello)).read()  # a damaged file is an error of the start
        self._hello, self._connection = hello, connection
        self._log.tell = self._tell_log
        self._apply(settings)
        if settings.browser.prewarm and settings.browser.enabled and settings.web.enabled:
            threading.Thread(target=self._prewarm, name="blitzweb-prewarm", daemon=True).start()
        return self._offer(settings)

    def update_settings(self, settings: Mapping[str, Any]) -> Offer:
        """Replace the host's layer of settings."""
        loaded = self._load(self._hello, settings)
        before = self._offer(self._settings).tools if self._settings else []
        self._apply(loaded)
        offer = self._offer(loaded)
        if offer.tools != before and self._connection is not None:
            self._connection.host.notify("tools/changed", {})
        return offer

    def close(self) -> None:
        """Close what is kept open; calls have been cancelled."""
        with self._lock:
            world, self._world = self._world, None
            converter, self._converter = self._converter, None
            browsers, self._browsers = self._browsers, None
        if browsers is not None:
            browsers.close()
        if world is not None:
            world.close()
        if converter is not None:
            converter.close()

    # --- tools ------------------------------------------------------------------------------------------------------

    def tools(self, context: CallContext) -> Sequence[ToolShape]:
        """Return the tools on offer for a call with this context."""
        from blitzweb.contract.toolset import narrow, offered_in

        world = self._get_world()
        return offered_in(narrow(world.shapes, self._allowed()), context)

    def seconds(self, tool: str) -> float:
        """Return the deadline of a call for which the host gives none."""
        seconds = self._settings.web.timeout_seconds if self._settings else 0.0
        if tool in {"web_open", "web_find", "web_click"}:
            seconds = PAGE_SECONDS
        elif tool.startswith("browser"):
            seconds = max(seconds, PAGE_LOAD_SECONDS) + ACTION_GRACE_SECONDS
        elif tool == "search/web":
            seconds *= 2  # the provider's time, and that of the links that it redirects
        return seconds + _DEADLINE_GRACE_SECONDS

    def call_tool(
        self,
        name: str,
        arguments: Mapping[str, Any],
        *,
        context: CallContext,
        running: Running,
        report: Report,
        person: Person,
    ) -> ToolResult:
        """Run a tool."""
        from blitzweb.tools.call import Call
        from blitzweb.tools.invoke import failed, invoke

        if name not in {shape.name for shape in self.tools(context)}:
            if name in SELECTED_TOGETHER:  # a model may still know it from before (PAGE-39)
                return failed(_unavailable(name))
            raise UnknownTool(f'there is no tool "{name[:80]}" on offer', advice='"tools/list" lists those on offer')
        world = self._get_world()
        call = Call(
            name,
            context,
            running.deadline,
            running.cancel,
            world.approvals,
            report,
            enter=running.enter,
            person=person,
            guard=world.guards.of(name),
        )
        return invoke(world.tool(name), arguments, call)

    def search_web(self, terms: str, *, context: CallContext, running: Running) -> SearchWebResult:
        """Make the user's own search."""
        from blitzweb.search.engine import Caller

        may_fetch = any(shape.name == "web_fetch" for shape in self.tools(context))
        caller = Caller(context, running.deadline, running.cancel, running.enter)
        return self._get_world().search_for_user(terms, caller, may_fetch=may_fetch)

    def end_session(self, session: str) -> None:
        """Forget what was remembered for a session."""
        if self._session_rules is not None:
            self._session_rules.end(session)
        if self._pages is not None:
            self._pages.end(session)
        with self._lock:
            world = self._world
        if world is not None:
            world.end_session(session)

    def close_browser(self, workspace: str) -> None:
        """Close the browser of a workspace, if there is one."""
        found = self._browsers.workspaces.find(workspace) if self._browsers is not None else None
        if found is not None:
            found.close()

    # --- upkeep -----------------------------------------------------------------------------------------------------

    def doctor(self, *, online: bool) -> Sequence[DoctorCheck]:
        """Check this machine and the settings."""
        from blitzweb.doctor import run_checks
        from blitzweb.self_test import check_egress

        settings = self._settings or self._load(self._hello, {})
        return run_checks(settings, self._state_dir(self._hello), self._environ, online=online, trials=[check_egress])

    def figures(self) -> Figures:
        """Return figures for `$/status`."""
        references = self._pages.count() if self._pages is not None else 0
        browsers = tuple(self._browsers.workspaces.figures()) if self._browsers is not None else ()
        return Figures(browsers, references, _resident_bytes(), round(time.monotonic() - self._started, 3))

    # --- inside -----------------------------------------------------------------------------------------------------

    def _load(self, hello: Hello, host: Mapping[str, Any]) -> Settings:
        from blitzweb.checks import CHECKS

        return load_settings(
            config_path=self._flags.config,
            flags=self._flags.settings,
            host=host,
            project=hello.project_settings,
            environ=self._environ,
            checks=CHECKS,
        )

    def _apply(self, settings: Settings) -> None:
        masker = Masker(settings.secrets, self._environ)
        self._log.mask = masker.mask
        self._log.configure(level=self._environ.get("BLITZWEB_LOG") or settings.log.level, file=settings.log.file)
        with self._lock:
            previous, self._world, self._settings = self._world, None, settings
            if self._pages is not None:
                self._pages.allow(allowed=is_offered(settings, self._environ))
        if previous is not None:
            previous.close()

    def _get_world(self) -> World:
        """Return the parts that fit the settings, made on first use."""
        from blitzweb.world import World

        with self._lock:
            if self._world is None:
                settings = self._settings or self._load(self._hello, {})
                self._world = World(
                    settings,
                    state_dir=self._state_dir(self._hello),
                    environ=self._environ,
                    log=self._log,
                    host=self._connection.host if self._connection else None,
                    session_rules=self._rules(),
                    pages=self._page_store(settings),
                    converter=self._get_converter(),
                    browsers=self._get_browsers(),
                    wants_audit=self._hello.audit,
                )
            return self._world

    def _rules(self) -> SessionRules:
        """Return what sessions approved: it outlives a change of settings."""
        from blitzweb.approval.approvals import SessionRules

        if self._session_rules is None:
            self._session_rules = SessionRules()
        return self._session_rules

    def _get_converter(self) -> Converter:
        from blitzweb.workers.conversion import Converter

        if self._converter is None:
            self._converter = Converter()
        return self._converter

    def _get_browsers(self) -> Browsers:
        from blitzweb.browsers import Browsers

        if self._browsers is None:
            self._browsers = Browsers(self._log, self._tell_browser)
        return self._browsers

    def _tell_log(self, level: str, text: str) -> None:
        if self._connection is not None:
            self._connection.host.notify("log/message", {"level": level, "text": text})

    def _prewarm(self) -> None:
        """Start a browser ahead of its first use, as the user wished; ends once it stands."""
        self._get_world()
        self._get_browsers().prewarm()

    def _tell_browser(self, event: Mapping[str, Any]) -> None:
        if self._connection is not None:
            self._connection.host.notify("browser/event", event)

    def _page_store(self, settings: Settings) -> PageStore:
        """Return the references of all sessions, which outlive a change of settings that leaves the selector on."""
        from blitzweb.pages.store import PageStore

        if self._pages is None:
            self._pages = PageStore()
            self._pages.allow(allowed=is_offered(settings, self._environ))
        return self._pages

    def _offer(self, settings: Settings) -> Offer:
        offered = ["web_fetch"] if settings.web.enabled else []
        drives = settings.web.enabled and settings.browser.enabled
        warnings = list(settings.warnings)
        unusable = why_unusable(settings, self._environ) if is_wanted(settings) else None
        if unusable is not None:
            warnings.append(f"web_search is not on offer: {unusable.problem}; {unusable.advice}")
        elif is_wanted(settings):
            offered += SELECTED_TOGETHER
        offered += browser_tools(settings.browser.interface) if drives else ()
        if settings.network.ca_file:
            from blitzweb.net.tls import why_unusable as why_no_authorities

            why = why_no_authorities(settings.network.ca_file)
            if why:
                warnings.append(f"network.ca_file {settings.network.ca_file} is not used: {why}")
        return Offer([name for name in offered if allows(name, self._allowed())], settings.to_json(), warnings)

    def _allowed(self) -> tuple[str, ...] | None:
        """Return the allow-list: the host's, and within it the command line's."""
        ours, theirs = self._flags.tools, self._hello.tools
        if ours is None or theirs is None:
            return theirs if ours is None else ours
        return tuple(name for name in theirs if name in ours)

    def _state_dir(self, hello: Hello) -> str:
        return resolve_state_dir(hello.state_dir or self._flags.state_dir)


def _unavailable(name: str) -> ToolFailure:
    kind = "search" if name == "web_search" else "page"
    return ToolFailure(f"web {kind}: unavailable in this session")


def _resident_bytes() -> int:
    """Return the daemon's resident memory; 0 where the system does not tell it in this way."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return 0
