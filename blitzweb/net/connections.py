"""Connections on urllib3's classes, opened by the one dial function and read strictly (WEB-04).

A connection belongs to one origin, one address rule and one route. It knows the call that uses it now (`Use`): its
clock, its cancel token, and where to say which phase it is in.
"""

from __future__ import annotations

import base64
import http.client
import ssl
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from urllib3.connection import HTTPConnection

from blitzweb.net.dialer import AddressRule, Dialer, peer_address
from blitzweb.net.failures import Phase
from blitzweb.net.strict_response import StrictResponse
from blitzweb.net.timed_socket import Stream, TimedSocket
from blitzweb.net.tls import wrap
from blitzweb.policy.routes import Direct, Route, Via
from blitzweb.policy.urls import Url
from blitzweb.timing import CancelToken, Deadline


class Use(NamedTuple):
    """One request's use of a connection; `header_seconds` and `tls_seconds` are limits within the deadline."""

    deadline: Deadline
    cancel: CancelToken
    enter: Callable[[Phase], object]
    header_seconds: float
    tls_seconds: float


class Key(NamedTuple):
    """What a connection may be used for again."""

    scheme: str
    host: str
    port: int
    rule: AddressRule
    route: Route


class GuardedConnection(HTTPConnection):
    """One connection; its `connect` is the hook at which every dialled address is judged."""

    response_class = StrictResponse

    def __init__(self, key: Key, dialer: Dialer, tls: Callable[[], ssl.SSLContext]) -> None:
        super().__init__(key.host, key.port)
        self.key = key
        self._dialer = dialer
        self._tls = tls
        self.sock: Any = None
        self._timed: TimedSocket | None = None
        self.peer = ""

    def connect(self) -> None:
        """Open the connection for the call that uses it; urllib3 and http.client call this."""
        use, key = self.use, self.key
        stream: Stream = self._dial_proxy(key.route) if isinstance(key.route, Via) else self._dial(key, key.rule)
        if isinstance(key.route, Via) and key.scheme == "https":
            stream = self._open_tunnel(stream, key.route)
        if key.scheme == "https":
            use.enter(Phase.TLS)
            stream = wrap(stream, self._tls, key.host, use.deadline, use.cancel, seconds=use.tls_seconds)
        self.sock = TimedSocket(stream, use.deadline, use.cancel)
        use.enter(Phase.SENDING)

    def arm(self, use: Use) -> None:
        """Take the call that uses the connection next."""
        self.use = use
        if self.sock is not None:
            self.sock.arm(use.deadline, use.cancel)

    def receive(self) -> StrictResponse:
        """Return the response, its headers read."""
        use = self.use
        use.enter(Phase.HEADERS)
        self._timed = timed = self.sock  # kept: http.client lets go of it when the server will close
        timed.await_headers(use.deadline.sooner(use.header_seconds))
        response = http.client.HTTPConnection.getresponse(self)
        timed.await_body(use.deadline)
        use.enter(Phase.BODY)
        return response  # type: ignore[return-value]

    def wake(self) -> None:
        """Wake a thread that is blocked on this connection."""
        timed = self.sock or self._timed
        if timed is not None:
            timed.wake()

    @property
    def is_reusable(self) -> bool:
        """Whether the server has kept it open and said nothing meanwhile."""
        return self.sock is not None and self.is_connected

    def _dial(self, end: Key | Via, rule: AddressRule) -> Stream:
        use = self.use
        dialled = self._dialer.dial(end.host, end.port, rule, use.deadline, use.cancel, enter=use.enter)
        self.peer = peer_address(dialled)
        return dialled

    def _dial_proxy(self, proxy: Via) -> Stream:
        """Dial the user's own proxy, unchecked, once the target has been found to be public (WEB-04)."""
        use, key = self.use, self.key
        use.enter(Phase.DNS)
        every = key.rule._replace(every=True)
        self._dialer.resolve(key.host, key.port, every, use.deadline, use.cancel)
        stream = self._dial(proxy, AddressRule(trusted=True))
        if proxy.scheme == "https":
            use.enter(Phase.TLS)
            stream = wrap(stream, self._tls, proxy.host, use.deadline, use.cancel)
        return stream

    def _open_tunnel(self, stream: Stream, proxy: Via) -> Stream:
        """Have the proxy connect to the target; afterwards the stream is the target's."""
        self.set_tunnel(self.key.host, self.key.port, headers=dict(proxy_headers(proxy)))
        self.sock = TimedSocket(stream, self.use.deadline, self.use.cancel)
        try:
            self._tunnel()
        except BaseException:
            self.close()
            raise
        finally:
            self.sock = None
        return stream


def proxy_headers(route: Route) -> Mapping[str, str]:
    """Return what goes to the proxy and nobody else."""
    if isinstance(route, Direct) or route.user is None:
        return {}
    credentials = f"{route.user}:{route.password or ''}".encode()
    return {"Proxy-Authorization": f"Basic {base64.b64encode(credentials).decode()}"}


def request_target(url: Url, route: Route) -> str:
    """Return what the request line names: the path, or for a proxy of plain http the whole URL."""
    through_proxy = isinstance(route, Via) and url.scheme == "http"
    return url.without_fragment if through_proxy else url.target
