"""One request with its redirects: decide, dial, send, read; a value in and a value out (WEB-04, WEB-05, WEB-06)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from blitzweb.errors import FetchFailed, Refused
from blitzweb.limits import MAX_REDIRECTS, TLS_SECONDS
from blitzweb.net.bodies import ACCEPT_ENCODING, Body, read_body
from blitzweb.net.connections import GuardedConnection, Key, Use, proxy_headers, request_target
from blitzweb.net.dialer import ANY_PUBLIC, AddressRule, Dialer
from blitzweb.net.failures import FOREIGN, MalformedResponse, Phase, map_failure
from blitzweb.net.pool import Pool
from blitzweb.net.strict_response import StrictResponse
from blitzweb.net.tls import TlsContext
from blitzweb.policy.decide import refuse_more_redirects
from blitzweb.policy.locations import resolve_location
from blitzweb.policy.routes import Direct, ProxyRefused, Route, route
from blitzweb.policy.urls import Url, UrlRefused
from blitzweb.timing import CancelToken, Deadline

REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})


class Plan(NamedTuple):
    """How a request is made; the defaults are web_fetch's."""

    max_bytes: int
    headers: Mapping[str, str]
    rule: AddressRule = ANY_PUBLIC
    method: str = "GET"
    body: bytes | None = None
    max_redirects: int = MAX_REDIRECTS
    follow: bool = True
    keep_alive: bool = True
    use_proxy: bool = True
    decode: bool = True  # False: encoded bodies are not asked for, and refused
    header_seconds: float = float("inf")
    tls_seconds: float = TLS_SECONDS


class Response(NamedTuple):
    """What came: header names in lower case, values of one name joined by ", "."""

    url: Url
    status: int
    headers: Mapping[str, str]
    body: bytes
    truncated: bool
    hops: tuple[Url, ...] = ()  # every URL on the way, the first one included


DecideHop = Callable[[Url, Url], object]  # (the last approved URL, the target); raises Refused to stop


class Fetcher:
    """Makes requests. Safe from any thread; each request runs in its caller's."""

    def __init__(
        self, dialer: Dialer | None = None, tls: TlsContext | None = None, environ: Mapping[str, str] | None = None
    ) -> None:
        self.dialer = dialer or Dialer()
        self._tls = tls or TlsContext()
        self._environ = os.environ if environ is None else environ
        self._pool = Pool(self.dialer, self._tls.get)

    def close(self) -> None:
        """Close the connections that are kept alive."""
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
            exchange = _Exchange(self, hops[-1], plan, deadline, cancel, enter)
            response, location = exchange.run()
            if location is None:
                return response._replace(hops=tuple(hops))
            if len(hops) > plan.max_redirects:
                refusal = refuse_more_redirects(plan.max_redirects)
                raise Refused(refusal.text, reason=refusal.reason.value)
            target = _resolve(hops[-1], location)
            decide_hop(hops[-1], target)
            hops.append(target)

    def take(self, url: Url, plan: Plan) -> tuple[GuardedConnection, bool]:
        """Return a connection for a URL, and whether it has been used before."""
        key = Key(url.scheme, url.host, url.effective_port, plan.rule, self.route(url, plan))
        return self._pool.take(key)

    def give_back(self, connection: GuardedConnection) -> None:
        """Keep a connection for the next request."""
        self._pool.give_back(connection)

    def route(self, url: Url, plan: Plan) -> Route:
        """Return how a request travels."""
        if not plan.use_proxy:
            return Direct()
        try:
            return route(url, self._environ)
        except ProxyRefused as refused:
            raise FetchFailed(refused.text, phase=Phase.CONNECT, advice="mend or unset the variable") from None


class _Exchange:
    """One request and its response on one connection."""

    def __init__(  # noqa: PLR0917
        self,
        fetcher: Fetcher,
        url: Url,
        plan: Plan,
        deadline: Deadline,
        cancel: CancelToken,
        enter: Callable[[Phase], object],
    ) -> None:
        self._fetcher = fetcher
        self._url = url
        self._plan = plan
        self._deadline = deadline
        self._cancel = cancel
        self._enter_outside = enter
        self._phase = Phase.SENDING

    def run(self) -> tuple[Response, str | None]:
        """Return the response, or its redirect's Location, with no body then."""
        try:
            return self._run_on_any()
        except FOREIGN as error:
            self._cancel.check()
            raise map_failure(error, self._phase, self._url.host, self._deadline.seconds) from None

    def _run_on_any(self) -> tuple[Response, str | None]:
        """Use a kept connection if there is one; if the server has just closed it, a new one once."""
        connection, used_before = self._take()
        try:
            return self._run_on(connection)
        except (OSError, EOFError) as error:
            stale = (
                used_before and self._phase in {Phase.SENDING, Phase.HEADERS} and not isinstance(error, TimeoutError)
            )
            if not stale or self._plan.method != "GET":
                raise
        fresh, _ = self._take(fresh=True)
        return self._run_on(fresh)

    def _take(self, *, fresh: bool = False) -> tuple[GuardedConnection, bool]:
        connection, used_before = self._fetcher.take(self._url, self._plan)
        if fresh and used_before:
            connection.close()
            return self._take(fresh=True)
        use = Use(self._deadline, self._cancel, self._enter, self._plan.header_seconds, self._plan.tls_seconds)
        connection.arm(use)
        return connection, used_before

    def _run_on(self, connection: GuardedConnection) -> tuple[Response, str | None]:
        keep, response = False, None
        try:
            with self._cancel.stopping(connection.wake):
                self._send(connection)
                response = connection.receive()
                location = _find_location(response) if self._plan.follow else None
                body = Body(b"", truncated=False, whole=False)
                if location is None:
                    plan = self._plan
                    body = read_body(response, plan.max_bytes, method=plan.method, decode=plan.decode)
                keep = self._plan.keep_alive and body.whole and not response.will_close
            return self._made(response, body), location
        finally:
            if keep:
                self._fetcher.give_back(connection)
            else:
                if response is not None:
                    response.close()  # its reader holds the socket open
                connection.close()

    def _send(self, connection: GuardedConnection) -> None:
        self._enter(Phase.SENDING)
        plan, route = self._plan, connection.key.route
        headers = {"Host": self._url.authority, **plan.headers}
        if plan.decode:
            headers["Accept-Encoding"] = ACCEPT_ENCODING
        else:
            headers["Accept-Encoding"] = "identity"
        if not plan.keep_alive:
            headers["Connection"] = "close"
        if self._url.scheme == "http":
            headers |= proxy_headers(route)
        connection.request(plan.method, request_target(self._url, route), plan.body, headers)

    def _enter(self, phase: Phase) -> None:
        self._phase = phase
        self._enter_outside(phase)

    def _made(self, response: StrictResponse, body: Body) -> Response:
        headers: dict[str, str] = {}
        for name, value in response.headers.items():
            known = headers.get(name.lower())
            headers[name.lower()] = value if known is None else f"{known}, {value}"
        return Response(self._url, response.status, headers, body.data, body.truncated)


def _find_location(response: StrictResponse) -> str | None:
    """Return where a redirect leads; `None` where the response is none."""
    if response.status not in REDIRECTS:
        return None
    locations = response.headers.get_all("location", [])
    if not locations:
        raise MalformedResponse(f"a redirect ({response.status}) without a Location came")
    if len(locations) > 1:
        raise MalformedResponse("a redirect with more than one Location came")
    return str(locations[0])


def _resolve(base: Url, location: str) -> Url:
    try:
        return resolve_location(base, location.strip(" \t"))
    except UrlRefused as refused:
        raise Refused(f"not followed: {refused.text}", reason=refused.reason.value) from None
