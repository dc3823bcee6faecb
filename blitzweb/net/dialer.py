"""The one dial function: resolve once, judge every address, dial what was judged, check the peer (WEB-04).

No other code opens a socket to the outside: fetches, pages, searches and the browser's proxy all come through here.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from blitzweb.errors import FetchFailed, Refused
from blitzweb.limits import DIAL_SECONDS
from blitzweb.net.failures import Phase, map_failure
from blitzweb.net.own import OwnPorts, is_own_address
from blitzweb.net.resolver import Resolver, SystemResolver, is_literal
from blitzweb.net.tcp import Connect, connect_tcp, peer_address
from blitzweb.policy.addresses import (
    AddressClass,
    classify_address,
    describe_not_public,
    is_public,
    opened_by,
)
from blitzweb.policy.names import NameRefused, canonical_name, is_local_name
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
        return opened_by(self.setting, cls)


ANY_PUBLIC = AddressRule()
ALL_PUBLIC = AddressRule(every=True)
USERS_PROXY = AddressRule(trusted=True)


class Dialer:
    """Resolves, judges and dials. The parts that touch the system are seams for tests; nothing here keeps state."""

    def __init__(
        self,
        *,
        resolver: Resolver | None = None,
        connect: Connect = connect_tcp,
        classify: Callable[[str], AddressClass] = classify_address,
        is_own: Callable[[str], bool] = is_own_address,
        own_ports: OwnPorts | None = None,
    ) -> None:
        self._resolver = resolver or SystemResolver()
        self._connect = connect
        self._classify = lru_cache(maxsize=1024)(classify)  # the table never changes; whose an address is may
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

        `host` is canonical: an address, or a name as `policy.names` spells it. Looking it up counts as dialling.

        Raises:
            Refused: no address of the host may be dialled.
            FetchFailed: the name does not resolve, or nothing answers; phase "dns" or "connect".
            CallCancelled: the call was cancelled meanwhile.
        """
        limit = deadline.sooner(DIAL_SECONDS)
        enter(Phase.DNS)
        addresses = self.resolve(host, port, rule, limit, cancel)
        enter(Phase.CONNECT)
        return self._try_each(host, addresses, port, limit, cancel)

    def resolve(self, host: str, port: int, rule: AddressRule, deadline: Deadline, cancel: CancelToken) -> list[str]:
        """Return the addresses of a host that may be dialled, in the order to try them; never none.

        Raises: as `dial`.
        """
        if (refusal := self._refuse_host(host, rule)) is not None:
            raise refusal
        refusals = {
            address: self._refuse(host, address, port, rule)
            for address in self._resolver.resolve(host, deadline, cancel)
        }
        allowed = [address for address, refusal in refusals.items() if refusal is None]
        refused = [refusal for refusal in refusals.values() if refusal is not None]
        if refused and (rule.every or not allowed):
            raise refused[0]
        return allowed

    def passes(self, peer: str, port: int, rule: AddressRule) -> bool:
        """Tell whether a connection that is kept alive may still be used under a rule."""
        return self._refuse(peer, peer, port, rule) is None

    def _refuse_host(self, host: str, rule: AddressRule) -> Refused | None:
        """Return why a host is not even looked up: it is not canonical, or means this machine whatever DNS says."""
        if is_literal(host) or rule.trusted:
            return None
        if not _is_canonical(host):
            return Refused(f"not approved: {host!r:.80} is no host name in its canonical form", reason=Reason.URL.value)
        if is_local_name(host) and not rule.allows(AddressClass.LOOPBACK):
            text = f"not approved: {describe_not_public(host, AddressClass.LOOPBACK, rule.setting)}"
            return Refused(text, reason=Reason.NOT_PUBLIC.value)
        return None

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
        self, host: str, addresses: list[str], port: int, limit: Deadline, cancel: CancelToken
    ) -> socket.socket:
        """Dial one address after the other; each gets a fair share of the time, so that a silent one cannot eat it."""
        for still_to_try, address in zip(range(len(addresses), 0, -1), addresses, strict=True):
            try:
                return self._dial_one(address, port, limit.remaining() / still_to_try, cancel)
            except (OSError, FetchFailed) as error:
                failure = map_failure(error, Phase.CONNECT, f"{host} ({address}) port {port}", limit.seconds)
        raise failure

    def _dial_one(self, address: str, port: int, seconds: float, cancel: CancelToken) -> socket.socket:
        cancel.check()
        if seconds <= 0:
            raise TimeoutError
        connected = self._connect(address, port, seconds, cancel)
        try:
            _check_peer(connected, address)
        except BaseException:
            connected.close()
            raise
        return connected


def _is_canonical(host: str) -> bool:
    try:
        return canonical_name(host) == host
    except NameRefused:
        return False


def _check_peer(connected: socket.socket, address: str) -> None:
    """Make sure that the other end is what was judged, whatever stands between us and the network."""
    peer, judged = peer_address(connected), address.partition("%")[0]
    if peer != judged and not (peer and ipaddress.ip_address(peer) == ipaddress.ip_address(judged)):
        raise FetchFailed(f"the connection to {address} leads to {peer or 'nowhere'}", phase=Phase.CONNECT)
