"""What is this machine's own: its addresses, and the ports that this process listens on (POLICY-11)."""

from __future__ import annotations

import ipaddress
import socket
import threading
from typing import Final

_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")


def is_own_address(text: str) -> bool:
    """Tell whether an address is one of this machine's: a datagram socket "connected" to it then has it as its own.

    Nothing is sent. An address that cannot be reached at all is not ours. Behind NAT64, the address inside counts too.
    """
    address = ipaddress.ip_address(text.partition("%")[0])
    if address.is_loopback:
        return True  # all of 127.0.0.0/8, though only one of it is used to send from
    if isinstance(address, ipaddress.IPv6Address) and address in _NAT64:
        return is_own_address(str(ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)))
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6  # noqa: PLR2004
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((text, 9))  # any port will do: 9 is "discard"
            local = str(probe.getsockname()[0])
    except OSError:
        return False
    return ipaddress.ip_address(local.partition("%")[0]) == address


class OwnPorts:
    """The ports that this process listens on; refused on every address of this machine, whatever the settings open."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ports: set[int] = set()

    def add(self, port: int) -> None:
        """Take a port in, when a listener opens."""
        with self._lock:
            self._ports.add(port)

    def discard(self, port: int) -> None:
        """Let a port go, when its listener closes."""
        with self._lock:
            self._ports.discard(port)

    def __contains__(self, port: int) -> bool:
        with self._lock:
            return port in self._ports
