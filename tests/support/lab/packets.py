"""What leaves the daemon's side: every first packet, on the link and over loopback, seen at the interface."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import struct
from collections.abc import Iterator

from tests.support.lab.scene import Packet

_ETH_P_ALL, _ETH_P_IP, _ETH_P_IPV6 = 0x0003, 0x0800, 0x86DD
_SOL_PACKET, _PACKET_STATISTICS = 263, 6
_SO_RCVBUFFORCE = 33
_BUFFER_BYTES = 16 * 2**20  # a whole page of 10 MiB may wait here before it is looked at
_HEADER_BYTES = 128  # of each packet: more than IP and TCP headers need
_SYN, _ACK = 0x02, 0x10


def open_sniffer() -> socket.socket:
    """Return a socket that is given every packet of this network namespace."""
    sniffer = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(_ETH_P_ALL))
    sniffer.settimeout(0)
    with contextlib.suppress(PermissionError):  # the usual buffer will do for all but the largest pages
        sniffer.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, _BUFFER_BYTES)
    return sniffer


def drain(sniffer: socket.socket) -> Iterator[Packet]:
    """Yield the beginnings among the packets that left since the last time.

    A packet is in the sniffer's queue before the call that sent it returns, so nothing that has happened is missed.
    """
    while True:
        try:
            data, (_interface, protocol, direction, *_rest) = sniffer.recvfrom(_HEADER_BYTES)
        except BlockingIOError:
            break
        if direction == socket.PACKET_OUTGOING:
            yield from _beginnings(protocol, data)
    lost = struct.unpack("II", sniffer.getsockopt(_SOL_PACKET, _PACKET_STATISTICS, 8))[1]
    if lost:
        raise RuntimeError(f"the lab's sniffer lost {lost} packets: nothing can be said about what left")


def _beginnings(protocol: int, data: bytes) -> Iterator[Packet]:
    if protocol == _ETH_P_IP:
        kind, address, payload = data[9], ipaddress.ip_address(data[16:20]), data[(data[0] & 0x0F) * 4 :]
    elif protocol == _ETH_P_IPV6:
        kind, address, payload = data[6], ipaddress.ip_address(data[24:40]), data[40:]
    else:
        return  # ARP
    if kind == socket.IPPROTO_TCP:
        if payload[13] & (_SYN | _ACK) == _SYN:
            yield Packet("tcp", str(address), int.from_bytes(payload[2:4], "big"))
    elif kind == socket.IPPROTO_UDP:
        yield Packet("udp", str(address), int.from_bytes(payload[2:4], "big"))
    elif kind not in {socket.IPPROTO_ICMPV6, socket.IPPROTO_HOPOPTS}:  # neighbours and groups of the link itself
        yield Packet(str(kind), str(address), 0)
