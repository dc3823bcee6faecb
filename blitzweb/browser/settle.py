"""Knowing when what an action started is over: a navigation to its load, requests for at most 400 ms (WEB-31).

Chrome's Network domain is on before the input goes out; after it, one turn of the page's task queue lets the page begin
what it wants to. Then the events tell, and nothing else is waited for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from blitzweb.browser.client import Pending
from blitzweb.browser.doing import Doing
from blitzweb.browser.failures import BrowserFailure, CommandFailed, CommandTimedOut
from blitzweb.browser.loading import wait_for_load
from blitzweb.browser.navigation import Stage
from blitzweb.limits import CDP_ANSWER_SECONDS, SETTLE_SECONDS
from blitzweb.timing import Deadline

_EMPTY = frozenset({0, 204, 205})  # statuses of answers without a page; 0 where nothing was answered
_TURN = "new Promise(done => setTimeout(done))"


@contextmanager
def settling(doing: Doing) -> Iterator[None]:
    """Do the block's input, then wait until what it started is over."""
    tab = doing.tab
    with tab.changed:
        windows = tab.windows_opened
        tab.requests.document_status = 0
        before = (tab.navigation.begun, tab.navigation.committed, tab.downloads_begun)
    with watching(doing):
        yield
        _settle(doing, before[0])
        _await_windows(doing, windows)
        _await_download(doing, *before)


@contextmanager
def watching(doing: Doing) -> Iterator[None]:
    """Have requests told inside the block."""
    _watch(doing).wait(doing.deadline.sooner(CDP_ANSWER_SECONDS))
    try:
        yield
    finally:
        _stop_watching(doing)


def _watch(doing: Doing) -> Pending:
    """Have requests told, in the page and in its frames of other processes; return the page's answer."""
    tab = doing.tab
    with tab.changed:
        frames = [session for identity, session in tab.sessions.items() if identity != tab.session.id]
    for session in frames:
        session.send("Network.enable")
    return tab.session.send("Network.enable")


def _stop_watching(doing: Doing) -> None:
    tab = doing.tab
    if tab.recording_requests:
        return
    with tab.changed:
        sessions = list(tab.sessions.values())
        tab.requests.forget_under_way()
    for session in sessions:
        if session is not tab.session or not tab.bypassing_workers:
            session.send("Network.disable")


def _settle(doing: Doing, begun: int) -> None:
    tab = doing.tab
    quiet = doing.deadline.sooner(SETTLE_SECONDS)
    while True:
        if not take_turn(doing):
            break
        with tab.changed:
            idle = tab.navigation.over and not tab.requests.under_way
            leaving = not tab.navigation.over or tab.navigation.begun > begun
        if idle or leaving or quiet.expired:
            break
        tab.wait(lambda: not tab.requests.under_way or not tab.navigation.over, quiet, doing.cancel)
    _await_navigation(doing, quiet)


def take_turn(doing: Doing) -> bool:
    """Let the page's task queue turn once; tell whether the document is still there to do so."""
    tab = doing.tab
    pending = tab.session.send("Runtime.evaluate", expression=_TURN, awaitPromise=True, returnByValue=True)
    pending.notify = tab.wake
    in_time = tab.wait(lambda: pending.settled or tab.navigation.stage is Stage.LOADING, doing.deadline, doing.cancel)
    if not in_time:
        raise CommandTimedOut("a turn of the page")
    if not pending.settled:
        return False
    try:
        pending.wait(doing.deadline)
    except CommandFailed:
        return False  # the document was replaced meanwhile
    return True


def _await_navigation(doing: Doing, quiet: Deadline) -> None:
    """Wait for the load that the action led to; what was asked for and is not begun soon does not come."""
    tab = doing.tab
    tab.wait(lambda: tab.navigation.stage is not Stage.REQUESTED, quiet, doing.cancel)
    with tab.changed:
        tab.navigation.give_up_request()
    if not tab.navigation.over:
        wait_for_load(doing, doing.load_deadline)


def _await_windows(doing: Doing, before: int) -> None:
    """Give a window that was opened the time to become a tab, so that the result can name it."""
    tab = doing.tab
    if tab.windows_opened > before:
        tab.wait(
            lambda: any("a new tab" in note for note in tab.notes), doing.deadline.sooner(SETTLE_SECONDS), doing.cancel
        )


def _await_download(doing: Doing, begun: int, committed: int, downloads: int) -> None:
    """Where a load came to nothing although it had an answer, a download is about to be told."""
    tab = doing.tab
    with tab.changed:
        came_to_nothing = tab.navigation.begun > begun and tab.navigation.committed == committed
        is_empty = tab.requests.document_status in _EMPTY
    if came_to_nothing and not is_empty:
        tab.wait(lambda: tab.downloads_begun > downloads, doing.deadline.sooner(SETTLE_SECONDS), doing.cancel)


def settle_after(doing: Doing, pending: list[Pending]) -> list[Any]:
    """Return the answers to input that was sent; a page that does not take it within the deadline is busy."""
    try:
        return [one.wait(doing.deadline) for one in pending]
    except CommandTimedOut as timed_out:
        raise BrowserFailure("the page is busy and did not take the input", advice=timed_out.advice) from None
