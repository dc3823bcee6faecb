"""One request and its response, on a kept connection or a new one (FETCH-08, FETCH-09).

A connection is kept only if its response was read to the end; whatever was cut, failed or cancelled closes it.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable
from typing import Final, NamedTuple

from blitzweb.net.bodies import ACCEPT_ENCODING, NOT_READ, read_body
from blitzweb.net.connections import GuardedConnection, Key, Use
from blitzweb.net.failures import FOREIGN, MalformedResponse, Phase, map_failure
from blitzweb.net.plan import Plan, Response
from blitzweb.net.pool import Pool
from blitzweb.net.proxy import proxy_headers, request_target
from blitzweb.net.strict_response import StrictResponse
from blitzweb.policy.urls import Url
from blitzweb.timing import CancelToken, Deadline

REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
GONE: Final = (ConnectionError, ssl.SSLEOFError)  # what a connection shows that the server has closed meanwhile


class Answer(NamedTuple):
    """A response, and, if it is a redirect to be followed, its Location; `whole` if nothing of it is left unread."""

    response: Response
    location: str | None
    whole: bool


class Exchange:
    """One request of one call; made for each hop."""

    def __init__(  # noqa: PLR0917 (the fetcher alone makes one)
        self,
        url: Url,
        plan: Plan,
        key: Key,
        deadline: Deadline,
        cancel: CancelToken,
        enter: Callable[[Phase], object],
    ) -> None:
        self._url, self._plan, self._key = url, plan, key
        self._enter_outside = enter
        self._phase = Phase.SENDING
        self._use = Use(deadline, cancel, self._enter, plan.header_seconds, plan.header_bytes, plan.tls_seconds)

    def run(self, pool: Pool, open_new: Callable[[Key, Use], GuardedConnection]) -> Answer:
        """Return the answer.

        Raises: as `Fetcher.fetch`.
        """
        use = self._use
        try:
            return self._run_on_any(pool, open_new)
        except FOREIGN as error:
            use.cancel.check()
            raise map_failure(error, self._phase, self._url.host, use.deadline.seconds) from None

    def _run_on_any(self, pool: Pool, open_new: Callable[[Key, Use], GuardedConnection]) -> Answer:
        """Use a kept connection if the request may be sent again: the server may be closing it just now."""
        kept = pool.take(self._key) if self._plan.keep_alive and self._plan.method == "GET" else None
        if kept is not None:
            kept.arm(self._use)
            try:
                return self._run_on(kept, pool)
            except GONE:
                if self._phase not in {Phase.SENDING, Phase.HEADERS}:
                    raise
        return self._run_on(open_new(self._key, self._use), pool)

    def _run_on(self, connection: GuardedConnection, pool: Pool) -> Answer:
        response, keep, cancel = None, False, self._use.cancel
        try:
            with cancel.stopping(connection.wake):
                self._send(connection)
                response = connection.receive()
                answer = self._read(response)
            # A cancel that came at the last moment may still be about to shut the connection down.
            keep = self._plan.keep_alive and answer.whole and not response.will_close and not cancel.cancelled
            return answer
        finally:
            if response is not None:
                response.close()  # its reader holds the socket open
            if keep:
                pool.give_back(connection)
            else:
                connection.close()

    def _send(self, connection: GuardedConnection) -> None:
        plan, url = self._plan, self._url
        self._enter(Phase.SENDING)
        connection.vet_target()
        headers = {"Host": url.authority, **plan.headers}
        headers["Accept-Encoding"] = ACCEPT_ENCODING if plan.decode else "identity"
        if not plan.keep_alive:
            headers["Connection"] = "close"
        if url.scheme == "http":
            headers |= proxy_headers(self._key.route)
        connection.request(plan.method, request_target(url, self._key.route), plan.body, headers)

    def _read(self, response: StrictResponse) -> Answer:
        """Read what is to be read of a response: the body, unless it is a redirect's."""
        plan = self._plan
        headers = {name.lower(): value for name, value in response.headers.itermerged()}  # type: ignore[attr-defined]
        if plan.admit is not None:
            plan.admit(response.status, headers)
        location = _find_location(response) if plan.follow else None
        if location is None:
            self._enter(Phase.BODY)
            body = read_body(response, plan.max_bytes, decode=plan.decode)
        else:
            body = NOT_READ._replace(whole=response.length == 0)
        return Answer(Response(self._url, response.status, headers, body.data, body.truncated), location, body.whole)

    def _enter(self, phase: Phase) -> None:
        self._phase = phase
        self._enter_outside(phase)


def _find_location(response: StrictResponse) -> str | None:
    """Return where a redirect leads; `None` where the response is none."""
    if response.status not in REDIRECTS:
        return None
    locations: list[str] = response.headers.getlist("location")  # type: ignore[attr-defined]
    if len(locations) != 1:
        count = "more than one Location" if locations else "no Location"
        raise MalformedResponse(f"a redirect ({response.status}) with {count} came")
    return locations[0]
