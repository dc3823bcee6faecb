"""Pages that do not come to an end: what runs in them is ended; one that reacts to nothing is given up (BROWSER-07)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from blitzweb.browser.chrome import Chrome
from blitzweb.browser.doing import Doing
from blitzweb.browser.failures import BrowserFailure, CommandTimedOut, DialogOpened
from blitzweb.browser.tab import Tab
from blitzweb.errors import CallCancelled
from blitzweb.limits import BUSY_SECONDS, REACTION_SECONDS
from blitzweb.timing import Deadline


def answers(tab: Tab, seconds: float = BUSY_SECONDS) -> bool:
    """Tell whether the page reacts to anything; one that waits for a dialog's answer does."""
    try:
        tab.session.send("Runtime.evaluate", expression="0").wait(Deadline(seconds))
    except DialogOpened:
        return True
    except BrowserFailure:
        return False
    return True


def end_scripts(doing: Doing) -> None:
    """End what keeps the page from reacting, so that the next action finds it usable; whether it is, is seen then.

    A page that reacts is left alone: what is short, and its own, would be cut off in the middle.
    """
    doing.tab.suspect = True
    if not answers(doing.tab, REACTION_SECONDS):
        doing.tab.session.send("Runtime.terminateExecution")


@contextmanager
def ending_scripts(doing: Doing) -> Iterator[None]:
    """Do the block; when its time is up, or it is cancelled, the next action finds a page that reacts."""
    try:
        yield
    except BrowserFailure as failure:
        if isinstance(failure, CommandTimedOut) or doing.deadline.expired:
            end_scripts(doing)
        raise
    except CallCancelled:
        end_scripts(doing)
        raise


def free_if_busy(doing: Doing) -> None:
    """End what runs in the page that is about to be left, if it keeps that from happening.

    Once the new page is on its way, nothing reaches the scripts of the old one any more.
    """
    if not answers(doing.tab, min(BUSY_SECONDS, doing.deadline.remaining())):
        doing.tab.session.send("Runtime.terminateExecution")


def give_up_if_hung(chrome: Chrome, tab: Tab, deadline: Deadline) -> None:
    """Replace a tab that still does not react since its last action ran out of time; that is told."""
    if not tab.suspect:
        return
    tab.suspect = False
    if answers(tab):
        return
    tab.session.send("Runtime.terminateExecution")
    if answers(tab):
        return
    replace_tab(chrome, tab, deadline)


def replace_tab(chrome: Chrome, tab: Tab, deadline: Deadline) -> Tab:
    """Close a tab that hangs, and open another one in its place; that is told."""
    fresh = chrome.open_tab(deadline)
    fresh.note(f"the page {tab.url} reacted to nothing any more and was closed; this is a new tab")
    chrome.close_tab(tab)
    return fresh
