"""The one dial function: resolve once, judge every address, dial what was judged, check the peer (WEB-04).

No other code opens a socket to the outside: fetches, pages, searches and the browser's proxy all come through here.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple, Protocol

from blitzweb.errors import FetchFailed, Refused
from blitzweb.limits import DIAL_SECONDS
from blitzweb.net.failures import Phase, map_failure
from blitzweb.net.own import OwnPorts, is_own_address
from blitzweb.net.resolver import Resolver, SystemResolver
from blitzweb.policy.addresses import (
    AddressClass,
    classify_address,
    describe_not_public,
    is_public,
    opened_by_allow_local,
    opened_by_allow_private,
)
from blitzweb.policy.verdicts import Reason
from blitzweb.timing import CancelToken, Deadline


class AddressRule(NamedTuple):
    """Which of a host's addresses may be dialled.

    `every`: one that may not be dialled refuses the host; else the others are tried. `setting` is what may open some
    classes that are not public, and `opened` whether it does. `trusted` is for a proxy that the user named: no check.
    """

    every: bool = False
    opened: bool = False
    setting: str = "web.allow_private"
    trusted: bool = False

    def allows(self, cls: AddressClass) -> bool:
        """Tell whether addresses of a class may be dialled."""
        return is_public(cls) or (self.opened and self.opens(cls))

    def opens(self, cls: AddressClass) -> bool:
        """Tell whether the setting is one that opens a class."""
        return opened_by_allow_local(cls) if self.setting == "browser.allow_local" else opened_by_allow_private(cls)


ANY_PUBLIC = AddressRule()
ALL_PUBLIC = AddressRule(every=True)


class Connect(Protocol):
    """Opens a TCP connection to one address that has been judged."""

    def __call__(self, address: str, port: int, seconds: float, cancel: CancelToken) -> socket.socket:
        """Return the connected socket, or raise OSError."""
        ...


class Dialer:
    """Resolves, judges and dials. The parts that touch the system are seams for tests; nothing here keeps state."""

    def __init__(
        self,
        *,
        resolver: Resolver | None = None,
        connect: Connect | None = None,
        classify: Callable[[str], AddressClass] = classify_address,
        is_own: Callable[[str], bool] = is_own_address,
        own_ports: OwnPorts | None = None,
    ) -> None:
        self._resolver = resolver or SystemResolver()
        self._connect = connect or connect_tcp
        self._classify = classify
        self._is_own = is_own
        self.own_ports = own_ports or OwnPorts()

    def dial(
        self,
        host: str,
        port: int,
        rule: AddressRule,
        deadline: Deadline,
        cancel: CancelToken,
        *,
        enter: Callable[[Phase], object] = lambda _phase: None,
    ) -> socket.socket:
        """Return a connected socket whose peer has been checked; the caller closes it.

        Raises:
            Refused: no address of the host may be dialled.
            FetchFailed: the name does not resolve, or nothing answers; phase "dns" or "connect".
            CallCancelled: the call was cancelled meanwhile.
        """
        enter(Phase.DNS)
        addresses = self.resolve(host, port, rule, deadline, cancel)
        enter(Phase.CONNECT)
        return self._try_each(host, addresses, port, deadline.sooner(DIAL_SECONDS), cancel)

    def resolve(self, host: str, port: int, rule: AddressRule, deadline: Deadline, cancel: CancelToken) -> list[str]:
        """Return the addresses of a host that may be dialled, in the order to try them; never none.

        Raises: as `dial`.
        """
        addresses = self._resolver.resolve(host, deadline, cancel)
        refusals = {address: self._refuse(host, address, port, rule) for address in addresses}
        allowed = [address for address, refusal in refusals.items() if refusal is None]
        refused = [refusal for refusal in refusals.values() if refusal is not None]
        if refused and (rule.every or not allowed):
            raise refused[0]
        return allowed

    def passes(self, peer: str, port: int, rule: AddressRule) -> bool:
        """Tell whether a connection that is kept alive may still be used under a rule."""
        return self._refuse(peer, peer, port, rule) is None

    def _refuse(self, host: str, address: str, port: int, rule: AddressRule) -> Refused | None:
        """Return why one address may not be dialled."""
        if rule.trusted:
            return None
        cls = self._classify(address)
        if not rule.allows(cls):
            shown = host if host == address else f"{host} resolves to {address}, which"
            text = f"not approved: {describe_not_public(shown, cls, rule.setting)}"
            return Refused(text, reason=Reason.NOT_PUBLIC.value)
        return self._refuse_own(host, address, port, cls)

    def _refuse_own(self, host: str, address: str, port: int, cls: AddressClass) -> Refused | None:
        """Refuse this machine: a service on all addresses answers on its public one too.

        What the setting opened is the user's wish; the ports of our own listeners stay closed all the same.
        """
        if is_public(cls) and self._is_own(address):
            text = f"not approved: {host} is an address of this machine ({address})"
            return Refused(text, reason=Reason.OWN_ADDRESS.value)
        if not is_public(cls) and port in self.own_ports and self._is_own(address):
            text = f"not approved: port {port} of {host} is one that blitzweb itself listens on"
            return Refused(text, reason=Reason.OWN_PORT.value)
        return None

    def _try_each(
        self, host: str, addresses: list[str], port: int, deadline: Deadline, cancel: CancelToken
    ) -> socket.socket:
        """Dial one address after the other; each gets a fair share of the time, so that a silent one cannot eat it."""
        failure: Exception = FetchFailed(f"{host} has no address", phase=Phase.CONNECT)
        for position, address in enumerate(addresses):
            share = deadline.remaining() / (len(addresses) - position)
            try:
                return self._dial_one(address, port, share, cancel)
            except (OSError, FetchFailed) as error:
                cancel.check()
                failure = map_failure(error, Phase.CONNECT, f"{host} ({address}) port {port}", deadline.seconds)
        raise failure

    def _dial_one(self, address: str, port: int, seconds: float, cancel: CancelToken) -> socket.socket:
        if seconds <= 0:
            raise TimeoutError
        connected = self._connect(address, port, seconds, cancel)
        try:
            _check_peer(connected, address)
        except BaseException:
            connected.close()
            raise
        return connected


def connect_tcp(address: str, port: int, seconds: float, cancel: CancelToken) -> socket.socket:
    """Open a TCP connection. A cancel wakes it by shutting the socket down."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    opened = socket.socket(family, socket.SOCK_STREAM)
    try:
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        opened.settimeout(seconds)
        with cancel.stopping(lambda: opened.shutdown(socket.SHUT_RDWR)):
            opened.connect((address, port))
        cancel.check()
    except BaseException:
        opened.close()
        raise
    return opened


def peer_address(connected: socket.socket) -> str:
    """Return the address at the other end, or "" where there is none any more."""
    with suppress(OSError):
        return str(connected.getpeername()[0]).partition("%")[0]
    return ""


def _check_peer(connected: socket.socket, address: str) -> None:
    """Make sure that the other end is what was judged, whatever stands between us and the network."""
    peer = peer_address(connected)
    if not peer or ipaddress.ip_address(peer) != ipaddress.ip_address(address.partition("%")[0]):
        raise FetchFailed(f"the connection to {address} leads to {peer or 'nowhere'}", phase=Phase.CONNECT)
