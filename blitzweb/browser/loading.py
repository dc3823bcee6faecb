"""Loads: going to a URL, through the history, and knowing when a load is over (WEB-31, BROWSER-03)."""

from __future__ import annotations

from typing import Any, Final

from blitzweb.browser.doing import Doing
from blitzweb.browser.failures import BrowserFailure, CommandFailed
from blitzweb.browser.tab_events import host_of
from blitzweb.errors import Refused
from blitzweb.timing import Deadline

_ABORTED: Final = "net::ERR_ABORTED"
_DEAD: Final = {
    "net::ERR_NAME_NOT_RESOLVED": "the name does not resolve",
    "net::ERR_CONNECTION_REFUSED": "the connection was refused",
    "net::ERR_CONNECTION_TIMED_OUT": "the host does not answer",
    "net::ERR_TUNNEL_CONNECTION_FAILED": "the host cannot be reached",
    "net::ERR_PROXY_CONNECTION_FAILED": "the browser's own proxy is gone",
}


class LoadFailed(BrowserFailure):
    """Raised when a page could not be loaded; `code` is Chrome's."""

    def __init__(self, url: str, code: str, why: str = "") -> None:
        self.code = code
        if why:
            super().__init__(f"loading {url}: {why}")
            return
        why = f" ({_DEAD[code]})" if code in _DEAD else ""
        if code.startswith("net::ERR_CERT"):
            why = " (the site's certificate is not valid for it)"
        super().__init__(f"loading {url}: {code}{why}")


def navigate(doing: Doing, url: str) -> None:
    """Go to a URL that was approved, and wait for its load.

    Raises:
        LoadFailed: there is no page.
    """
    tab = doing.tab
    if url != "about:blank":
        tab.approve(host_of(url))
    limit, mark = doing.load_deadline, tab.troubles.mark
    if tab.ready is not None:
        tab.await_answer(tab.ready, limit, doing.cancel)
        tab.ready = None
    pending = tab.session.send("Page.navigate", url=url)
    pending.notify = tab.wake
    committed = tab.wait(lambda: pending.settled, limit, doing.cancel)
    if not committed:
        _stop(doing, f"{url} had not answered after {limit.seconds:g} s")
        raise LoadFailed(url, "net::ERR_TIMED_OUT")
    answer = pending.wait(limit.sooner(1.0))
    failed = str(answer.get("errorText", ""))
    _check_troubles(doing, url, mark)
    if failed:
        _explain(doing, url, failed)
    elif loader := answer.get("loaderId"):
        wait_for_load(doing, limit, str(loader))


def _check_troubles(doing: Doing, url: str, mark: int) -> None:
    """Raise if the proxy turned the page itself away: what is shown then is the proxy's page, not the site's."""
    tab = doing.tab
    hosts = {host_of(url), tab.host}
    for trouble in tab.troubles.since(mark):
        if trouble.host in hosts and trouble.refused:
            raise Refused(trouble.text, reason=trouble.reason)
        if trouble.host in hosts:
            raise LoadFailed(url, "net::ERR_FAILED", trouble.text)


def _explain(doing: Doing, url: str, code: str) -> None:
    """Say what came of a navigation that shows no new page."""
    tab = doing.tab
    with tab.changed:
        refused = list(tab.refused)
    if code != _ABORTED:
        raise LoadFailed(url, code)
    if refused:
        raise BrowserFailure(f"not approved: {refused[-1]}")
    if not any("download" in note for note in tab.notes):
        tab.note(f"{url} answered without a page (no content, or not for showing); the page is the one before")


def go_through_history(doing: Doing, by: int) -> None:
    """Go back or forward, and wait until the page is there.

    Raises:
        BrowserFailure: there is no such page.
    """
    tab = doing.tab
    history = tab.session.call("Page.getNavigationHistory", doing.deadline)
    index = int(history["currentIndex"]) + by
    entries = history["entries"]
    if not 0 <= index < len(entries) or (index == 0 and entries[0]["url"] == "about:blank"):
        raise BrowserFailure(f"there is no page to go {'back' if by < 0 else 'forward'} to")
    url = str(entries[index]["url"])
    if host_of(url) in tab.hosts:
        tab.approve(host_of(url))
    await_navigation(doing, "Page.navigateToHistoryEntry", entryId=entries[index]["id"])


def reload(doing: Doing) -> None:
    """Load the page anew."""
    await_navigation(doing, "Page.reload")


def await_navigation(doing: Doing, method: str, **params: Any) -> None:
    """Send a command that leads to another document, or within this one, and wait until that is there."""
    tab = doing.tab
    limit = doing.load_deadline
    with tab.changed:
        begun, committed = tab.navigation.begun, tab.navigation.committed
    try:
        tab.await_answer(tab.session.send(method, **params), limit, doing.cancel)
    except CommandFailed as failed:
        raise BrowserFailure(f"the browser could not do it: {failed.text}") from None
    tab.wait(lambda: tab.navigation.begun > begun or tab.navigation.committed > committed, limit, doing.cancel)
    wait_for_load(doing, limit)


def wait_for_load(doing: Doing, limit: Deadline, loader: str = "") -> None:
    """Wait until nothing is on its way any more; at the limit the page is taken as it is, and that is told.

    Of a navigation of ours the document is known: signs of one before it do not count.
    """
    tab = doing.tab
    in_time = not loader or tab.wait(lambda: tab.navigation.is_shown(loader), limit, doing.cancel)
    if not in_time or not tab.wait(lambda: tab.navigation.over, limit, doing.cancel):
        _stop(doing, f"the page had not finished loading after {limit.seconds:g} s; it is shown as it is")


def _stop(doing: Doing, note: str) -> None:
    """Take the page as it is."""
    doing.tab.note(note)
    doing.tab.session.send("Page.stopLoading")
    with doing.tab.changed:
        doing.tab.navigation.stop()
