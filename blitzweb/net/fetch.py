"""One request with its redirects: decide, dial, send, read; a value in and a value out (WEB-04, WEB-05, WEB-06)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from blitzweb.errors import FetchFailed, Refused
from blitzweb.net.connections import GuardedConnection, Key, Use
from blitzweb.net.dialer import Dialer
from blitzweb.net.exchange import REDIRECTS, Exchange
from blitzweb.net.failures import Phase
from blitzweb.net.plan import Admit, DecideHop, Plan, Response
from blitzweb.net.pool import Pool
from blitzweb.net.tls import TlsContext
from blitzweb.policy.decide import refuse_more_redirects
from blitzweb.policy.locations import resolve_location
from blitzweb.policy.routes import Direct, ProxyRefused, Route, route
from blitzweb.policy.texts import without_credentials
from blitzweb.policy.urls import Url, UrlRefused
from blitzweb.timing import CancelToken, Deadline

__all__ = ["REDIRECTS", "Admit", "DecideHop", "Fetcher", "Plan", "Response"]


class Fetcher:
    """Makes requests. Safe from any thread; each request runs in its caller's."""

    def __init__(
        self, dialer: Dialer | None = None, tls: TlsContext | None = None, environ: Mapping[str, str] | None = None
    ) -> None:
        self.dialer = dialer or Dialer()
        self._tls = tls or TlsContext()
        self._environ = os.environ if environ is None else environ
        self._pool = Pool()

    def close(self) -> None:
        """Close the connections that are kept alive; those of requests that still run close at their ends."""
        self._pool.close()

    def fetch(
        self,
        url: Url,
        plan: Plan,
        *,
        deadline: Deadline,
        cancel: CancelToken,
        decide_hop: DecideHop,
        enter: Callable[[Phase], object] = lambda _phase: None,
    ) -> Response:
        """Make a request that has been decided on, and follow its redirects.

        Raises:
            Refused: an address, or a redirect, is not to be gone to.
            FetchFailed: the network or the server failed; `phase` says where.
            CallCancelled: the call was cancelled meanwhile.
        """
        hops = [url]
        while True:
            key = self._key(hops[-1], plan)
            answer = Exchange(hops[-1], plan, key, deadline, cancel, enter).run(self._pool, self._open)
            if answer.location is None:
                return answer.response._replace(hops=tuple(hops))
            target = _next_hop(hops, answer.location, plan)
            decide_hop(hops[-1], target)
            hops.append(target)

    def _open(self, key: Key, use: Use) -> GuardedConnection:
        return GuardedConnection(key, self.dialer, self._tls.get, use)

    def _key(self, url: Url, plan: Plan) -> Key:
        return Key(url.scheme, url.host, url.effective_port, plan.rule, self._route(url, plan))

    def _route(self, url: Url, plan: Plan) -> Route:
        """Return how a request travels; computed once for each hop."""
        if not plan.use_proxy:
            return Direct()
        try:
            return route(url, self._environ)
        except ProxyRefused as refused:
            raise FetchFailed(refused.text, phase=Phase.CONNECT, advice="mend or unset the variable") from None


def _next_hop(hops: list[Url], location: str, plan: Plan) -> Url:
    """Return where a redirect leads, which is not decided yet."""
    if len(hops) > plan.max_redirects:
        refusal = refuse_more_redirects(plan.max_redirects)
        raise Refused(refusal.text, reason=refusal.reason.value, target=without_credentials(location))
    try:
        return resolve_location(hops[-1], location)
    except UrlRefused as refused:
        text, target = f"not followed: {refused.text}", without_credentials(location)
        raise Refused(text, reason=refused.reason.value, target=target) from None
