"""One Chrome that runs and is attached to: its process, its connection, and the tabs of one context (WEB-30).

New windows are attached to before they run a line: auto-attach makes them wait until their guard stands.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from blitzweb.browser.client import Client
from blitzweb.browser.downloads import Downloads
from blitzweb.browser.failures import PageClosed
from blitzweb.browser.process import ChromeProcess
from blitzweb.browser.session import Session
from blitzweb.browser.tab import Loads, Tab
from blitzweb.browser.tab_events import TabEvents
from blitzweb.browser.troubles import Troubles
from blitzweb.browser.world import WORLD, source
from blitzweb.errors import BrowserUnavailable
from blitzweb.timing import CancelToken, Deadline

_PAGES: Final = [{"type": "page"}]
# Frames in processes of their own. Workers are made to wait with them, listed or not: unlisted, they would for ever.
_CHILDREN: Final = [{"type": "iframe"}, {"type": "worker"}]
_DOCUMENTS: Final = [{"resourceType": "Document", "requestStage": "Request"}]


class View(NamedTuple):
    """The viewport that every tab begins with; None for the window's own size."""

    width: int
    height: int


class Chrome:
    """Owned by a workspace. The reader thread adds tabs and marks those that are gone; `changed` guards the table."""

    def __init__(
        self,
        client: Client,
        process: ChromeProcess | None,
        *,
        loads: Loads,
        token: str,
        view: View | None,
        troubles: Troubles,
        context: str = "",
        downloads: str = "",
    ) -> None:
        self.client = client
        self.process = process
        self.browser = Session(client)
        self.context = context  # of ours, in a Chrome that others use too; "" for the only one
        self.changed = threading.Condition()
        self.tabs: dict[str, Tab] = {}  # by target
        self.active: Tab | None = None
        self._loads = loads
        self._troubles = troubles
        self._credentials = ("blitzweb", token)
        self._view = view
        self._count = 0
        self._home = context  # else that of the first page: pages of other contexts are somebody else's
        self.downloads = Downloads(self.browser, downloads, context)

    def attach(self, deadline: Deadline, cancel: CancelToken) -> None:
        """Attach to what is open, and to whatever opens from now on; returns once there is a tab.

        Raises:
            BrowserUnavailable: there is none in time.
        """
        self.client.on("", self._handle)
        self.downloads.catch()
        self.browser.send(
            "Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True, filter=_PAGES
        )
        if self.context:
            self.browser.send("Target.createTarget", url="about:blank", browserContextId=self.context)
        with cancel.stopping(self._wake), self.changed:
            while self.active is None:
                cancel.check()
                self.client.check()
                if deadline.expired or not self.changed.wait(deadline.remaining()):
                    raise BrowserUnavailable(f"the browser opened no page within {deadline.seconds:g} s")

    def open_tab(self, deadline: Deadline) -> Tab:
        """Open a blank tab and make it the active one."""
        params: dict[str, Any] = {"url": "about:blank"}
        if self.context:
            params["browserContextId"] = self.context
        target = str(self.browser.call("Target.createTarget", deadline, **params)["targetId"])
        with self.changed:
            self.changed.wait_for(lambda: target in self.tabs, deadline.remaining())
            if target not in self.tabs:
                raise PageClosed
            self.active = self.tabs[target]
        return self.active

    def open_tabs(self) -> list[Tab]:
        """Return the tabs that are open, in the order in which they were opened."""
        with self.changed:
            return list(self.tabs.values())

    def usable_tab(self, deadline: Deadline) -> Tab:
        """Return the active tab; if it crashed or was closed, another one, or a new one."""
        with self.changed:
            tab = self.active
            if tab is None or tab.closed:
                tab = self.active = next(reversed(self.tabs.values()), None)
        if tab is not None and not tab.crashed:
            return tab
        fresh = self.open_tab(deadline)
        if tab is not None:
            self.close_tab(tab)
        return fresh

    def close_tab(self, tab: Tab) -> None:
        """Close a tab; what waits for it ends."""
        self.browser.send("Target.closeTarget", targetId=tab.target)
        self._drop(tab.target)

    def _wake(self) -> None:
        with self.changed:
            self.changed.notify_all()

    def wake_all(self) -> None:
        """Wake whoever waits for anything of this Chrome: it is gone."""
        self._wake()
        for tab in self.open_tabs():
            with tab.changed:
                tab.changed.notify_all()

    # --- events of the browser, in the reader thread ---------------------------------------------------------------

    def _handle(self, method: str, params: Mapping[str, Any]) -> None:
        if method == "Target.attachedToTarget":
            self._attached(params)
        elif method == "Target.detachedFromTarget":
            self._drop(params.get("targetId", ""))
        elif method == "Target.targetInfoChanged":
            self._renamed(params["targetInfo"])
        elif method.startswith("Browser.download"):
            self.downloads.handle(method, params)
            self._tell_download(params.get("frameId", ""))

    def _tell_download(self, frame: str) -> None:
        for tab in self.open_tabs():
            with tab.changed:
                if tab.frames.get(frame) is not None:
                    tab.downloads_begun += 1
                    tab.changed.notify_all()

    def _attached(self, params: Mapping[str, Any]) -> None:
        info, session = params["targetInfo"], Session(self.client, params["sessionId"])
        self._home = self._home or str(info.get("browserContextId", ""))
        if info.get("browserContextId") != self._home:
            session.send("Runtime.runIfWaitingForDebugger")  # somebody else's
            self.browser.send("Target.detachFromTarget", sessionId=session.id)
            return
        opener = self.tabs.get(info.get("openerId", ""))
        self._count += 1
        tab = Tab(
            f"t{self._count}",
            info["targetId"],
            session,
            self._loads,
            self._troubles,
            host=opener.host if opener else "",
        )
        events = TabEvents(tab, self._credentials, lambda frame, _params: self._adopt(tab, events, frame))
        self.client.on(session.id, events.handler(session.id))
        self._prepare(tab)
        with self.changed:
            self.tabs[tab.target] = tab
            if self.active is None:
                self.active = tab
            self.changed.notify_all()
        if opener is not None:
            opener.note(f"a new tab was opened: {tab.id} (tabs, op switch)")

    def _prepare(self, tab: Tab) -> None:
        """Put a tab under guard, and let it run. Chrome keeps the order: the last answer tells that all is in place."""
        send = tab.session.send
        send("Fetch.enable", patterns=_DOCUMENTS, handleAuthRequests=True)
        send("Page.enable")
        send("Page.setLifecycleEventsEnabled", enabled=True)
        send("Runtime.enable")
        send("Log.enable")
        send("Page.addScriptToEvaluateOnNewDocument", source=source(), worldName=WORLD, runImmediately=True)
        send("Page.setInterceptFileChooserDialog", enabled=True)
        send("ServiceWorker.enable")
        if self._view is not None:
            send(
                "Emulation.setDeviceMetricsOverride",
                width=self._view.width,
                height=self._view.height,
                deviceScaleFactor=1,
                mobile=False,
            )
        send("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True, filter=_CHILDREN)
        tab.ready = send("Runtime.runIfWaitingForDebugger")

    def _adopt(self, tab: Tab, events: TabEvents, session: Session) -> None:
        """Take in a frame that is in a process of its own."""
        self.client.on(session.id, events.handler(session.id))
        send = session.send
        send("Page.enable")
        send("Page.setLifecycleEventsEnabled", enabled=True)
        send("Runtime.enable")
        send("Page.addScriptToEvaluateOnNewDocument", source=source(), worldName=WORLD, runImmediately=True)
        send("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True, filter=_CHILDREN)
        send("Runtime.runIfWaitingForDebugger")
        if tab.recording_requests:
            send("Network.enable")

    def _renamed(self, info: Mapping[str, Any]) -> None:
        with self.changed:
            if (tab := self.tabs.get(info.get("targetId", ""))) is not None:
                tab.title = str(info.get("title", ""))

    def _drop(self, target: str) -> None:
        with self.changed:
            tab = self.tabs.pop(target, None)
            if tab is None:
                return
            if self.active is tab:
                self.active = None
            self.changed.notify_all()
        tab.closed = True
        tab.interrupt(PageClosed())
        for session in list(tab.sessions):
            self.client.on(session, None)
