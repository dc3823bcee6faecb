"""Puts the browser together: workspaces, the egress proxy on the one dialer, and the tools that drive them.

Browsers outlive a change of settings: the proxies and the guards of pages ask for the policy as it is now. Only what a
Chrome was started with starts a new one, with the next action (WEB-30, WEB-32).
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from blitzweb.audit import Audit
from blitzweb.browser.capture import Bounds
from blitzweb.browser.chrome import View
from blitzweb.browser.elsewhere import Control, Surroundings, attach
from blitzweb.browser.find import find_browser
from blitzweb.browser.profile import sweep_profiles
from blitzweb.browser.start import Launched, Outside, Proxy, start
from blitzweb.browser.switches import Launch
from blitzweb.browser.workspace import Running, Starter, Workspaces
from blitzweb.egress.proxy import EgressProxy
from blitzweb.egress.token_file import read_token_file
from blitzweb.egress_watch import EgressWatch
from blitzweb.endpoints import Endpoints
from blitzweb.errors import BlitzwebError, BrowserUnavailable
from blitzweb.limits import BROWSER_START_SECONDS, PAGE_LOAD_SECONDS
from blitzweb.net.dialer import USERS_PROXY, AddressRule, Dialer
from blitzweb.net.fetch import Fetcher
from blitzweb.net.tls import TlsContext
from blitzweb.pictures.listing import walkthroughs_folder
from blitzweb.pictures.store import ImageStore
from blitzweb.policy.decide import Policy
from blitzweb.policy.verdicts import Refuse
from blitzweb.rpc.log import Log
from blitzweb.settings import Settings
from blitzweb.shared_chrome import SharedChrome, Start
from blitzweb.timing import CancelToken, Deadline
from blitzweb.tools.base import Tool
from blitzweb.tools.browser import BrowserTool
from blitzweb.tools.browser_digest import (
    BrowserClick,
    BrowserExtract,
    BrowserFill,
    BrowserFind,
    BrowserNavigate,
    BrowserScreenshot,
    BrowserState,
)
from blitzweb.tools.browsing.attending import PageLoads
from blitzweb.tools.browsing.extract import Extracts
from blitzweb.tools.browsing.render import PageRenderer
from blitzweb.tools.browsing.scene import Equipment
from blitzweb.workers.conversion import Converter

TellEvent = Callable[[Mapping[str, Any]], object]


class Browsers:
    """Owned by the app, which closes it."""

    def __init__(self, log: Log, tell: TellEvent) -> None:
        self.workspaces = Workspaces(lambda name, kind, more: _tell(tell, name, kind, more))
        self.dialer = Dialer()
        self._log = log
        self._loads = PageLoads(Policy())
        self._audit = Audit()
        self._swept = False
        self._shared = SharedChrome()
        self._starter: Starter | None = None  # of the settings as they are now

    def make_tools(
        self, settings: Settings, policy: Policy, audit: Audit, converter: Converter, state_dir: str
    ) -> tuple[list[Tool], PageRenderer | None]:
        """Return the tools that fit the settings, and what renders for web_fetch; what runs goes by this policy now."""
        self._loads.policy, self._audit = policy, audit
        if not (settings.web.enabled and settings.browser.enabled):
            return [], None
        equipment = _equip(settings, policy, state_dir)
        starter: Starter = LocalStarter(settings, self)
        if settings.browser.endpoint:
            starter = EndpointStarter(settings, self)
        elif settings.browser.shared:
            starter = SharedStarter(settings, self)
        self._starter = starter
        parts = (equipment, self.workspaces, starter)
        tools: list[Tool] = [BrowserTool(*parts)] if settings.browser.interface != "digest" else []
        if settings.browser.interface != "actions":
            tools += [BrowserNavigate(*parts), BrowserState(*parts), BrowserClick(*parts), BrowserFill(*parts)]
            tools += [BrowserExtract(*parts, Extracts(converter)), BrowserScreenshot(*parts), BrowserFind(*parts)]
        return tools, PageRenderer(*parts)

    def start_local(
        self,
        launch: Launch,
        *,
        opens_local: bool,
        takes_downloads: bool,
        deadline: Deadline,
        cancel: CancelToken,
        on_gone: Callable[[], object],
    ) -> Launched:
        """Start a Chrome behind a proxy of its own."""
        if not self._swept:
            self._swept = True
            sweep_profiles()
        watch = EgressWatch(lambda: self._audit)
        make_proxy = partial(self._make_proxy, watch, opens_local=opens_local)
        outside = Outside(
            make_proxy,
            self._dial,
            self.dialer.own_ports.add,
            self.dialer.own_ports.discard,
            self._log.warning,
            watch.troubles,
            takes_downloads,
        )
        running = start(launch, outside, self._loads, deadline, cancel, on_gone=on_gone)
        watch.chrome = running.chrome
        return running

    def attach_elsewhere(
        self, settings: Settings, deadline: Deadline, cancel: CancelToken, on_gone: Callable[[], object]
    ) -> Running:
        """Attach to the Chrome at `browser.endpoint`, behind our proxy or the one that the settings name."""
        browser = settings.browser
        tls = TlsContext(settings.network.ca_file)
        fetcher = Fetcher(self.dialer, tls)
        limit = deadline.sooner(BROWSER_START_SECONDS)
        named = read_token_file(os.path.expanduser(browser.endpoint_token_file)) if browser.endpoint_proxy else ""
        control = Endpoints(fetcher, tls).open(browser.endpoint, limit, cancel)
        fetcher.close()
        return self._attach(control, settings, limit, cancel, on_gone, token=named)

    def start_shared(
        self,
        settings: Settings,
        start_one: Start,
        deadline: Deadline,
        cancel: CancelToken,
        on_gone: Callable[[], object],
    ) -> Running:
        """Attach to the one Chrome of all workspaces, in a context of this one's."""
        limit = deadline.sooner(BROWSER_START_SECONDS)
        launched = self._shared.take(start_one, limit, cancel)
        try:
            connected = self._dial("127.0.0.1", launched.port, limit, cancel)
        except BaseException:
            self._shared.give_back()
            raise
        control = Control(connected, launched.url, self._shared.give_back)
        return self._attach(control, settings, limit, cancel, on_gone)

    def _attach(
        self,
        control: Control,
        settings: Settings,
        limit: Deadline,
        cancel: CancelToken,
        on_gone: Callable[[], object],
        *,
        token: str = "",
    ) -> Running:
        """Attach in a context of our own; with a token the proxy is the one that the settings name."""
        browser, watch = settings.browser, EgressWatch(lambda: self._audit)
        proxy: Proxy = NamedProxy(token) if token else self._make_proxy(watch, opens_local=browser.allow_local)
        around = Surroundings(
            proxy,
            browser.endpoint_proxy if token else f"127.0.0.1:{proxy.port}",
            self._loads,
            watch.troubles,
            View(browser.width, browser.height),
            self._log.warning,
        )
        borrowed = attach(control, around, limit, cancel, on_gone=on_gone)
        watch.chrome = borrowed.chrome
        return borrowed

    def _make_proxy(self, watch: EgressWatch, *, opens_local: bool) -> EgressProxy:
        proxy = EgressProxy(
            dialer=self.dialer,
            admit=self._admit,
            rule=AddressRule(opened=opens_local, setting="browser.allow_local"),
            on_refused=watch.refused,
            on_failed=watch.failed,
            complain=self._log.warning,
        )
        proxy.start()
        return proxy

    def prewarm(self) -> None:
        """Start the default workspace's browser ahead of its first use; what goes wrong is told then."""
        if self._starter is not None:
            workspace = self.workspaces.get("default")
            with workspace.use(), contextlib.suppress(BlitzwebError):
                workspace.get(self._starter, Deadline(BROWSER_START_SECONDS), CancelToken())

    def close(self) -> None:
        """End every browser."""
        self.workspaces.close()

    def _admit(self, host: str, port: int) -> Refuse | None:
        return self._loads.policy.decide_egress(host, port)

    def _dial(self, host: str, port: int, deadline: Deadline, cancel: CancelToken) -> socket.socket:
        return self.dialer.dial(host, port, USERS_PROXY, deadline, cancel)


class LocalStarter:
    """Fills the workspace's `Starter`: a Chrome of this machine's."""

    def __init__(self, settings: Settings, browsers: Browsers) -> None:
        self._settings = settings
        self._browser = settings.browser
        self._browsers = browsers

    @property
    def fingerprint(self) -> object:
        """What a browser is started with."""
        browser = self._browser
        return (
            browser.path,
            browser.engine,
            browser.transport,
            browser.visible,
            browser.width,
            browser.height,
            browser.allow_local,
            bool(self._settings.files.download_dir),
        )

    def start(self, deadline: Deadline, cancel: CancelToken, on_gone: Callable[[], object]) -> Running:
        """Start one."""
        return self.launch(deadline, cancel, on_gone)

    def launch(self, deadline: Deadline, cancel: CancelToken, on_gone: Callable[[], object]) -> Launched:
        """Start one of our own."""
        browser = self._browser
        program = find_browser(path=browser.path, engine=browser.engine, visible=browser.visible)
        launch = Launch(program, browser.transport, browser.visible, browser.width, browser.height)
        return self._browsers.start_local(
            launch,
            opens_local=browser.allow_local,
            takes_downloads=bool(self._settings.files.download_dir),
            deadline=deadline,
            cancel=cancel,
            on_gone=on_gone,
        )


class NamedProxy:
    """A proxy that somebody else runs: `blitzweb egress` beside the browser, known by its token."""

    port = 0

    def __init__(self, token: str) -> None:
        self.token = token

    def close(self) -> None:
        """Leave it running: it is not ours."""


class SharedStarter(LocalStarter):
    """Fills the workspace's `Starter`: a context in the one Chrome of all workspaces."""

    def start(self, deadline: Deadline, cancel: CancelToken, on_gone: Callable[[], object]) -> Running:
        """Start the Chrome if need be, and attach to it."""
        if self._browser.transport == "pipe":
            raise BrowserUnavailable(
                "browser.shared needs a connection for each workspace, and a pipe is one",
                advice='set browser.transport = "websocket", or browser.shared = false',
            )
        return self._browsers.start_shared(self._settings, self._start_one, deadline, cancel, on_gone)

    def _start_one(self, deadline: Deadline, cancel: CancelToken) -> Launched:
        return self.launch(deadline, cancel, lambda: None)


class EndpointStarter:
    """Fills the workspace's `Starter`: a Chrome that runs elsewhere."""

    def __init__(self, settings: Settings, browsers: Browsers) -> None:
        self._settings = settings
        self._browsers = browsers

    @property
    def fingerprint(self) -> object:
        """What an attachment is made with."""
        browser = self._settings.browser
        where = (browser.endpoint, browser.endpoint_proxy, browser.endpoint_token_file)
        return (*where, browser.width, browser.height, browser.allow_local)

    def start(self, deadline: Deadline, cancel: CancelToken, on_gone: Callable[[], object]) -> Running:
        """Attach to it."""
        return self._browsers.attach_elsewhere(self._settings, deadline, cancel, on_gone)


def _equip(settings: Settings, policy: Policy, state_dir: str) -> Equipment:
    images = settings.images
    return Equipment(
        policy=policy,
        browser=settings.browser,
        files=settings.files,
        images=ImageStore(os.path.join(state_dir, "images"), retain_days=images.retain_days, enabled=images.enabled),
        bounds=Bounds(images.max_dimension, images.max_bytes),
        screenshots=os.path.join(state_dir, "screenshots"),
        walkthroughs=walkthroughs_folder(settings, state_dir),
        load_seconds=max(settings.web.timeout_seconds, PAGE_LOAD_SECONDS),
    )


def _tell(tell: TellEvent, workspace: str, kind: str, more: Mapping[str, Any]) -> None:
    text = ", ".join(f"{name} {value}" for name, value in more.items())
    tell({"workspace": workspace, "kind": kind, **({"text": text} if text else {})})
