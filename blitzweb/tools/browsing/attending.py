"""The action that runs answers for the loads that its page starts: it asks the person (WEB-34)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from blitzweb.browser.tab import PausedLoad, Tab
from blitzweb.browser.tab_events import host_of
from blitzweb.errors import Refused
from blitzweb.policy.decide import Policy
from blitzweb.policy.verdicts import Verdict
from blitzweb.tools.call import Call


class PageLoads:
    """Fills the browser's `Loads`: what the settings say now, whichever they were when the browser started."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    def decide(self, current_host: str, url: str, method: str) -> Verdict | None:
        """Return whether a page may go from a host to a URL by itself; None where it stays on the host."""
        return self.policy.decide_load(current_host, url, method)


class AskingAction:
    """Fills the browser's `Attendant` for one call."""

    def __init__(self, tab: Tab, call: Call) -> None:
        self._tab = tab
        self._call = call

    def settle(self, load: PausedLoad) -> None:
        """Ask the person about a load; see `Attendant.settle`."""
        host = host_of(load.url)
        detail = load.verdict.question.detail
        try:
            self._call.approver.settle(load.verdict, self._call, target=host, detail=detail)
        except Refused as refused:
            self._tab.refuse(f"{host}: {refused.message}")
            raise
        self._tab.approve(host)


@contextmanager
def attending(tab: Tab, call: Call) -> Iterator[None]:
    """Have a call answer for a tab inside the block."""
    tab.attend(AskingAction(tab, call))
    try:
        yield
    finally:
        tab.attend(None)
