"""Listing, switching and closing tabs (BROWSER-08)."""

from __future__ import annotations

from blitzweb.browser.chrome import Chrome
from blitzweb.browser.doing import Doing
from blitzweb.browser.failures import BrowserFailure
from blitzweb.browser.tab import Tab
from blitzweb.contract.browser import TabInfo


def list_tabs(chrome: Chrome) -> tuple[TabInfo, ...]:
    """Return the tabs that are open."""
    return tuple(
        TabInfo(id=tab.id, url=tab.url, title=tab.title, active=tab is chrome.active) for tab in chrome.open_tabs()
    )


def switch(doing: Doing, chrome: Chrome, identity: str) -> None:
    """Make a tab the one that actions go to."""
    tab = _find(chrome, identity)
    with chrome.changed:
        chrome.active = tab
    tab.session.call("Page.bringToFront", doing.deadline)
    tab.wait(lambda: tab.navigation.over, doing.load_deadline, doing.cancel)


def close(doing: Doing, chrome: Chrome, identity: str) -> None:
    """Close a tab; where it was the active one, the last that is left becomes that, or a blank one."""
    chrome.close_tab(_find(chrome, identity))
    chrome.usable_tab(doing.deadline)


def _find(chrome: Chrome, identity: str) -> Tab:
    open_tabs = chrome.open_tabs()
    for tab in open_tabs:
        if tab.id == identity.strip():
            return tab
    names = ", ".join(tab.id for tab in open_tabs)
    raise BrowserFailure(f'there is no tab "{identity}"; open are {names or "none"}')
