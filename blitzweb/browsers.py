"""Puts the browser together: workspaces, the egress proxy on the one dialer, and the tools that drive them.

Browsers outlive a change of settings: the proxies and the guards of pages ask for the policy as it is now. Only what a
Chrome was started with starts a new one, with the next action (WEB-30, WEB-32).
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Mapping
from typing import Any

from blitzweb.audit import Audit, AuditRecord
from blitzweb.browser.capture import Bounds
from blitzweb.browser.chrome import Chrome
from blitzweb.browser.find import find_browser
from blitzweb.browser.profile import sweep_profiles
from blitzweb.browser.start import Outside, Running, start
from blitzweb.browser.switches import Launch
from blitzweb.browser.troubles import Trouble, Troubles
from blitzweb.browser.workspace import Workspaces
from blitzweb.egress.proxy import EgressProxy, Failure, Refusal
from blitzweb.limits import PAGE_LOAD_SECONDS
from blitzweb.net.dialer import USERS_PROXY, AddressRule, Dialer
from blitzweb.pictures.store import ImageStore
from blitzweb.policy.decide import BROWSER, Policy
from blitzweb.policy.verdicts import Decision, Refuse
from blitzweb.rpc.log import Log
from blitzweb.settings import Settings
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

    def make_tools(
        self, settings: Settings, policy: Policy, audit: Audit, converter: Converter, state_dir: str
    ) -> list[Tool]:
        """Return the tools that fit the settings; what runs goes by this policy from now on."""
        self._loads.policy, self._audit = policy, audit
        if not (settings.web.enabled and settings.browser.enabled):
            return []
        equipment = _equip(settings, policy, state_dir)
        starter = LocalStarter(settings, self)
        parts = (equipment, self.workspaces, starter)
        tools: list[Tool] = [BrowserTool(*parts)] if settings.browser.interface != "digest" else []
        if settings.browser.interface != "actions":
            tools += [BrowserNavigate(*parts), BrowserState(*parts), BrowserClick(*parts), BrowserFill(*parts)]
            tools += [BrowserExtract(*parts, Extracts(converter)), BrowserScreenshot(*parts), BrowserFind(*parts)]
        return tools

    def start_local(
        self,
        launch: Launch,
        *,
        opens_local: bool,
        takes_downloads: bool,
        deadline: Deadline,
        cancel: CancelToken,
        on_gone: Callable[[], object],
    ) -> Running:
        """Start a Chrome behind a proxy of its own."""
        if not self._swept:
            self._swept = True
            sweep_profiles()
        watch = EgressWatch(lambda: self._audit)

        def make_proxy() -> EgressProxy:
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


class EgressWatch:
    """Hears of what the proxy of one browser turned away, and tells the tab, the audit and whoever looks (AUDIT-07)."""

    def __init__(self, audit: Callable[[], Audit]) -> None:
        self.troubles = Troubles()
        self.chrome: Chrome | None = None
        self._audit = audit
        self._telling = threading.Lock()  # guards the two below
        self._page = ""
        self._told: set[str] = set()  # hosts that the page was refused: one record each

    def refused(self, refusal: Refusal) -> None:
        """Take note of a refusal, in a thread of the proxy's."""
        self.troubles.add(Trouble(refusal.host, refusal.port, True, refusal.text, refusal.reason.value))  # noqa: FBT003
        tab = self.chrome.active if self.chrome is not None else None
        page = tab.frames.main.loader if tab is not None else ""
        if tab is not None:
            tab.refuse(f"{refusal.host}: {refusal.text}")
        if not self._is_news(refusal.host, page):
            return
        record = AuditRecord(
            kind="egress",
            tool=BROWSER,
            target=refusal.host,
            detail=f"{refusal.host}:{refusal.port} for {tab.url if tab is not None else 'the browser'}",
            decision=(Decision.RULE_DENY if refusal.rule else Decision.ERROR).value,
            rule=refusal.rule,
        )
        self._audit().write(record)

    def _is_news(self, host: str, page: str) -> bool:
        with self._telling:
            if page != self._page:
                self._page = page
                self._told.clear()
            news = host not in self._told
            self._told.add(host)
            return news

    def failed(self, failure: Failure) -> None:
        """Take note of a dead host."""
        self.troubles.add(Trouble(failure.host, failure.port, False, failure.text, failure.phase))  # noqa: FBT003


def _equip(settings: Settings, policy: Policy, state_dir: str) -> Equipment:
    images = settings.images
    return Equipment(
        policy=policy,
        browser=settings.browser,
        files=settings.files,
        images=ImageStore(os.path.join(state_dir, "images"), retain_days=images.retain_days, enabled=images.enabled),
        bounds=Bounds(images.max_dimension, images.max_bytes),
        screenshots=os.path.join(state_dir, "screenshots"),
        walkthroughs=settings.walkthrough.dir or os.path.join(state_dir, "walkthroughs"),
        load_seconds=max(settings.web.timeout_seconds, PAGE_LOAD_SECONDS),
    )


def _tell(tell: TellEvent, workspace: str, kind: str, more: Mapping[str, Any]) -> None:
    text = ", ".join(f"{name} {value}" for name, value in more.items())
    tell({"workspace": workspace, "kind": kind, **({"text": text} if text else {})})
