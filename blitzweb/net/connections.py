"""Connections on urllib3's classes, opened by the one dial function and read strictly (WEB-04).

A connection belongs to one origin, one address rule and one route. It knows the call that uses it now (`Use`): its
clock, its cancel token, and where to say which phase it is in.
"""

from __future__ import annotations

import http.client
import socket
import ssl
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from urllib3.connection import HTTPConnection

from blitzweb.net.dialer import USERS_PROXY, AddressRule, Dialer
from blitzweb.net.failures import Phase, timed_out
from blitzweb.net.proxy import open_tunnel
from blitzweb.net.strict_response import StrictResponse
from blitzweb.net.tcp import Stream, peer_address
from blitzweb.net.timed_socket import Clock, TimedSocket
from blitzweb.net.tls import set_up
from blitzweb.policy.routes import Route, Via
from blitzweb.timing import CancelToken, Deadline


class Use(NamedTuple):
    """One request's use of a connection; the limits of header and TLS are within the deadline."""

    deadline: Deadline
    cancel: CancelToken
    enter: Callable[[Phase], object]
    header_seconds: float
    header_bytes: int
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

    def __init__(self, key: Key, dialer: Dialer, tls: Callable[[], ssl.SSLContext], use: Use) -> None:
        super().__init__(key.host, key.port)
        self.key = key
        self._dialer = dialer
        self._tls = tls
        self._clock = Clock(use.deadline, use.cancel)
        self._stream: TimedSocket | None = None  # kept beside `sock`, which http.client lets go of early
        self._peer = ""
        self.sock: Any = None
        self.arm(use)

    def arm(self, use: Use) -> None:
        """Take the call that uses the connection next."""
        self._use = use
        self._clock.deadline, self._clock.cancel = use.deadline, use.cancel
        self.response_class = partial(StrictResponse, max_header_bytes=use.header_bytes)  # type: ignore[assignment]

    def vet_target(self) -> None:
        """Make sure, before a proxy is asked to dial a host, that every address of it may be dialled (WEB-04).

        The proxy looks a host up for each tunnel, and for each request of plain http.
        """
        key, use = self.key, self._use
        if isinstance(key.route, Via) and (self.sock is None or key.scheme == "http"):
            use.enter(Phase.DNS)
            every = key.rule._replace(every=True)
            self._dialer.resolve(key.host, key.port, every, use.deadline, use.cancel)

    def connect(self) -> None:
        """Open the connection for the call that uses it; urllib3 and http.client call this."""
        key, use = self.key, self._use
        stream: Stream
        if isinstance(key.route, Via):
            stream = self._dial_proxy(key.route)
        else:
            stream = self._dial(key.host, key.port, key.rule)
        if key.scheme == "https":
            stream = self._set_up_tls(stream, key.host, use.tls_seconds)
        self._stream = self.sock = TimedSocket(stream, self._clock)
        use.enter(Phase.SENDING)

    def receive(self) -> StrictResponse:
        """Return the response, its head read."""
        self._use.enter(Phase.HEADERS)
        with self._clock.narrowed(self._use.header_seconds) as limit:
            try:
                return http.client.HTTPConnection.getresponse(self)  # type: ignore[return-value]
            except TimeoutError:
                raise timed_out(Phase.HEADERS, self.key.host, limit.seconds) from None

    def wake(self) -> None:
        """Wake a thread that is blocked on this connection; for another thread to call."""
        if self._stream is not None:
            self._stream.wake()

    @property
    def is_reusable(self) -> bool:
        """Whether the server has kept it open and silent, and its peer may still be talked to."""
        if self.sock is None or not self.is_connected:
            return False
        return isinstance(self.key.route, Via) or self._dialer.passes(self._peer, self.key.port, self.key.rule)

    def _dial(self, host: str, port: int, rule: AddressRule) -> socket.socket:
        use = self._use
        dialled = self._dialer.dial(host, port, rule, use.deadline, use.cancel, enter=use.enter)
        self._peer = peer_address(dialled)
        return dialled

    def _dial_proxy(self, proxy: Via) -> Stream:
        """Dial the user's own proxy, unchecked, and for TLS have it connect to the target."""
        stream: Stream = self._dial(proxy.host, proxy.port, USERS_PROXY)
        if proxy.scheme == "https":
            stream = self._set_up_tls(stream, proxy.host, self._use.tls_seconds)
        if self.key.scheme == "https":
            self._use.enter(Phase.CONNECT)
            open_tunnel(stream, proxy, self.key.host, self.key.port, self._clock)
        return stream

    def _set_up_tls(self, stream: Stream, host: str, seconds: float) -> Stream:
        self._use.enter(Phase.TLS)
        return set_up(stream, self._tls, host, self._clock, seconds=seconds)
