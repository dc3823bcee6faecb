"""What a request of a call goes to, hop by hop, for the audit: each refusal is written once, with what it was about.

The policy refuses before a hop is made, the dialer at it, and the fetcher what is no hop at all (AUDIT-01, WEB-05).
"""

from __future__ import annotations

import contextlib

from blitzweb.errors import Refused
from blitzweb.policy.urls import Url
from blitzweb.policy.verdicts import Go, Reason, Refuse, Verdict
from blitzweb.tools.call import Call


class Trail:
    """Owned by one call, in its thread. `here` is the URL that is decided on or gone to just now."""

    def __init__(self, url: Url, call: Call) -> None:
        self.here = url
        self._call = call
        self._how = "GET"
        self._is_told = False

    def follow(self, target: Url) -> None:
        """Go on to where a redirect leads."""
        self.here = target
        self._how = "redirect GET"

    def settle(self, verdict: Verdict) -> Go:
        """Return how the URL was allowed; see `Approver.settle`."""
        try:
            return self._settle(verdict, self.here.host, f"{self._how} {self.here.without_fragment}")
        except Refused:
            self._is_told = True
            raise

    def record(self, refused: Refused) -> None:
        """Audit what was refused on the way, unless it has been: at dialling, or a redirect that leads nowhere."""
        if self._is_told:
            return
        refusal = Refuse(Reason(refused.reason), refused.message)
        with contextlib.suppress(Refused):
            if refused.target:
                self._settle(refusal, refused.target, f"redirect GET {refused.target}")
            else:
                self.settle(refusal)

    def _settle(self, verdict: Verdict, target: str, detail: str) -> Go:
        return self._call.approver.settle(verdict, self._call, target=target, detail=detail)
