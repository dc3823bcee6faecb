"""Waiting until something is so on the page, for as long as was said (BROWSER-08).

The page tells when it has changed, through a promise of ours in its isolated world: nothing is polled.
"""

from __future__ import annotations

from typing import NamedTuple

from blitzweb.browser.client import Pending
from blitzweb.browser.doing import Doing
from blitzweb.browser.failures import BrowserFailure, CommandFailed
from blitzweb.browser.frames import Frame
from blitzweb.browser.settle import watching
from blitzweb.browser.world import make_world, read_value, send_function
from blitzweb.policy.globs import Glob, PatternRefused
from blitzweb.timing import Deadline

_QUIET_SECONDS = 0.5  # without a request under way: what `idle` means
_CHANGE = "function(ms){return blitzweb.untilChanged(ms)}"
_LOOK_MS = 250  # words may also come by styles, which no observer tells


class Wanted(NamedTuple):
    """What is waited for: one of them."""

    text: str | None = None
    gone: str | None = None
    url: str | None = None
    idle: bool = False


def wait_until(doing: Doing, wanted: Wanted, seconds: float) -> str:
    """Wait; return what has become so.

    Raises:
        BrowserFailure: it did not become so in time.
    """
    limit = doing.deadline.sooner(seconds)
    if wanted.idle:
        return _wait_for_idle(doing, limit)
    if wanted.url:
        return _wait_for_url(doing, wanted.url, limit)
    text, present = (wanted.text or "", True) if wanted.text else (wanted.gone or "", False)
    return _wait_for_text(doing, text, limit, present=present)


def _wait_for_url(doing: Doing, glob: str, limit: Deadline) -> str:
    tab = doing.tab
    try:
        pattern = Glob.compile(glob)
    except PatternRefused as refused:
        raise BrowserFailure(f"url: {refused.text}") from None
    if tab.wait(lambda: pattern.matches(tab.url) and tab.navigation.over, limit, doing.cancel):
        return f"the page is at {tab.url}"
    raise BrowserFailure(f"after {limit.seconds:g} s the page is at {tab.url}, which does not match {glob}")


def _wait_for_idle(doing: Doing, limit: Deadline) -> str:
    """Wait until no request has been under way for half a second."""
    tab = doing.tab
    with watching(doing):
        while not limit.expired:
            tab.wait(lambda: not tab.requests.under_way and tab.navigation.over, limit, doing.cancel)
            quiet = limit.sooner(_QUIET_SECONDS)
            if not _request_begins(doing, quiet) and quiet.seconds == _QUIET_SECONDS:
                return "the network is idle"
    raise BrowserFailure(f"after {limit.seconds:g} s there still are requests under way")


def _request_begins(doing: Doing, limit: Deadline) -> bool:
    tab = doing.tab
    with tab.changed:
        seen = tab.requests.begun
    return tab.wait(lambda: tab.requests.begun != seen, limit, doing.cancel)


def _wait_for_text(doing: Doing, text: str, limit: Deadline, *, present: bool) -> str:
    while True:
        if _shows(doing, text) is present:
            return f'the page shows "{text}"' if present else f'the page no longer shows "{text}"'
        if limit.expired:
            said = "does not show" if present else "still shows"
            raise BrowserFailure(f'after {limit.seconds:g} s the page {said} "{text}"')
        _await_change(doing, limit)


def _shows(doing: Doing, text: str) -> bool:
    """Tell whether any frame shows a text; a frame that goes away meanwhile does not."""
    for frame in doing.tab.all_frames():
        try:
            if doing.run(frame, "hasText", text):
                return True
        except BrowserFailure:
            doing.tab.check()
    return False


def _await_change(doing: Doing, limit: Deadline) -> None:
    """Wait until any frame has changed, a little while at most."""
    tab = doing.tab
    with tab.changed:
        committed = tab.navigation.committed
    pending = [_ask(doing, frame, limit) for frame in tab.all_frames()]

    def has_changed() -> bool:
        return any(one.settled for one in pending) or tab.navigation.committed != committed

    tab.wait(has_changed, limit, doing.cancel)
    for one in pending:
        if one.settled:
            try:
                read_value(one.wait(limit))
            except CommandFailed:
                continue  # the document went away, which is a change too


def _ask(doing: Doing, frame: Frame, limit: Deadline) -> Pending:
    tab = doing.tab
    if not frame.world:
        make_world(tab, frame, doing.deadline)
    return send_function(tab, frame, _CHANGE, min(_LOOK_MS, int(limit.remaining() * 1000)))
