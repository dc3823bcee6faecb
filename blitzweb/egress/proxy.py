"""The browser's egress proxy, put together: what it takes, where it listens, how it ends (EGRESS-05, EGRESS-07).

One thread moves every byte (`loop.py`); whatever may block has a short-lived thread of its own (`threads.py`). Proxies
of the environment and `network.ca_file` are none of its business: it dials hosts itself, and never looks into TLS.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable

from blitzweb.egress.answers import PROBE_TITLE, Failure, Refusal
from blitzweb.egress.connector import Admit, Connector, Listeners
from blitzweb.egress.descriptors import raise_descriptor_limit
from blitzweb.egress.listener import Listener
from blitzweb.egress.loop import Loop
from blitzweb.egress.parts import Parts
from blitzweb.egress.pump import Pipes
from blitzweb.egress.target import PROBE_HOST
from blitzweb.egress.token import USER, TokenCheck, make_token
from blitzweb.net.dialer import AddressRule, Dialer

__all__ = ["PROBE_HOST", "PROBE_TITLE", "USER", "Admit", "EgressProxy", "Failure", "Refusal"]

_BACKLOG = 512  # a page opens that many connections at once and more


class EgressProxy:
    """One proxy with one token and one policy; it starts once and is closed once.

    `admit` decides on a canonical host and a port, before any look-up; it must not block. `rule` says which addresses
    may be dialled. `on_refused` and `on_failed` are called once for each request, on threads that may block.
    """

    def __init__(
        self,
        *,
        dialer: Dialer,
        admit: Admit,
        rule: AddressRule,
        token: str | None = None,
        on_refused: Callable[[Refusal], object] = lambda _refusal: None,
        on_failed: Callable[[Failure], object] = lambda _failure: None,
        address: tuple[str, int] = ("127.0.0.1", 0),
        complain: Callable[[str], object] = lambda _text: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.token = make_token() if token is None else token
        self.port = 0
        self._address = address
        self._dialer = dialer
        loop = Loop(complain, clock)
        connector = Connector(loop, dialer, admit, rule, Listeners(on_refused, on_failed, complain))
        self._parts = Parts(loop, connector, Pipes(), TokenCheck(self.token))

    def start(self) -> None:
        """Listen, and from then on serve.

        Raises:
            OSError: the address cannot be listened on; the proxy is closed.
        """
        family = socket.AF_INET6 if ":" in self._address[0] else socket.AF_INET
        try:
            listening = socket.create_server(self._address, family=family, backlog=_BACKLOG)
        except OSError:
            self.close()
            raise
        listening.settimeout(0)
        self.port = listening.getsockname()[1]
        self._dialer.own_ports.add(self.port)
        raise_descriptor_limit()
        self._parts.loop.call(Listener(self._parts, listening).begin)
        self._parts.loop.start()

    def close(self) -> None:
        """End every connection and thread."""
        self._parts.loop.close()
        self._parts.connector.close()
        self._parts.pipes.close()
        self._dialer.own_ports.discard(self.port)
