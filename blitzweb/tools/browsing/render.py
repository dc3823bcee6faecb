"""`web_fetch` with `render`: the page as it is once its scripts have run, in a tab of its own (FETCH-13)."""

from __future__ import annotations

from typing import NamedTuple

from blitzweb.browser import loading
from blitzweb.browser.digest import await_quiet
from blitzweb.browser.inspection import inspect
from blitzweb.browser.workspace import Starter, Workspaces
from blitzweb.limits import MAX_VISIBLE_HTML_CHARS, QUIET_MS, RENDER_SETTLE_MS
from blitzweb.policy.decide import Policy
from blitzweb.policy.urls import Url
from blitzweb.tools.browsing.attending import attending
from blitzweb.tools.browsing.deadlines import leave_margin
from blitzweb.tools.browsing.outcome import look_at
from blitzweb.tools.browsing.scene import Equipment, Scene
from blitzweb.tools.call import Call


class Rendered(NamedTuple):
    """The markup of what a person would see; `url` is where the page is."""

    url: str
    html: bytes
    truncated: bool


class PageRenderer:
    """Loads pages for reading. Calls come one at a time for each workspace, like all that drives its browser."""

    def __init__(self, equipment: Equipment, workspaces: Workspaces, starter: Starter) -> None:
        self._equipment = equipment
        self._workspaces = workspaces
        self._starter = starter

    @property
    def policy(self) -> Policy:
        """What pages in the browser may be."""
        return self._equipment.policy

    def render(self, url: Url, call: Call) -> Rendered:
        """Load a page that has been decided on, beside what the workspace shows, and return its markup.

        Raises:
            ToolFailure: there is no page.
            BrowserUnavailable: no browser can be started.
        """
        workspace = self._workspaces.get(call.context.workspace)
        deadline = leave_margin(call.deadline)
        with workspace.use():
            call.enter("starting the browser")
            chrome = workspace.get(self._starter, deadline, call.cancel)
            call.enter(f"rendering {url.host}")
            before, tab = chrome.active, chrome.open_tab(deadline)
            scene = Scene(equipment=self._equipment, workspace=workspace, chrome=chrome, call=call, deadline=deadline)
            try:
                with attending(tab, call):
                    return self._read(scene, url)
            finally:
                chrome.close_tab(tab)
                with chrome.changed:
                    chrome.active = before

    def _read(self, scene: Scene, url: Url) -> Rendered:
        doing = scene.doing
        main = doing.tab.frames.main
        loading.navigate(doing, url.without_fragment)
        inspect(doing, main)
        await_quiet(doing, [main], QUIET_MS, RENDER_SETTLE_MS)
        page = look_at(scene)
        seen = doing.run(main, "visibleHtml", None, MAX_VISIBLE_HTML_CHARS)
        return Rendered(doing.tab.url, page.mask(seen["html"]).encode("utf-8", "replace"), bool(seen["truncated"]))
