"""Hears of what the proxy of one browser turned away, and tells the tab, the audit and whoever looks (AUDIT-07)."""

from __future__ import annotations

import threading
from collections.abc import Callable

from blitzweb.audit import Audit, AuditRecord
from blitzweb.browser.chrome import Chrome
from blitzweb.browser.troubles import Trouble, Troubles
from blitzweb.egress.proxy import Failure, Refusal
from blitzweb.policy.decide import BROWSER
from blitzweb.policy.verdicts import Decision


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
