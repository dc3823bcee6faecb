"""What an IP address is: one table of blocks, and which of them may be dialled.

Addresses are judged as integers, never as spellings, and only global unicast that no registry reserves is public.
`ipaddress` reads the text and judges nothing: its `is_global` is wrong for a score of blocks and differs between
Python's releases (POLICY-08, POLICY-09, POLICY-10, WEB-04).
"""

from __future__ import annotations

import ipaddress
from bisect import bisect_right
from collections.abc import Iterable
from enum import Enum
from typing import Final, NamedTuple


class AddressClass(Enum):
    """What an address belongs to; the value says it in one phrase."""

    PUBLIC = "public"
    UNSPECIFIED = "unspecified"
    THIS_NETWORK = "this network"
    LOOPBACK = "loopback"
    PRIVATE = "private network"
    CGNAT = "carrier-grade NAT"
    LINK_LOCAL = "link-local"
    METADATA = "cloud metadata"
    PROTOCOL = "IETF protocol assignments"
    DOCUMENTATION = "documentation"
    BENCHMARKING = "benchmarking"
    ANYCAST = "anycast of the infrastructure (AS112, AMT, PCP, TURN)"
    MULTICAST = "multicast"
    RESERVED = "reserved"
    BROADCAST = "broadcast"
    UNIQUE_LOCAL = "unique local network"
    SITE_LOCAL = "site-local"
    DISCARD = "discard-only"
    ORCHID = "ORCHID or drone identifiers"
    SRV6 = "SRv6 segment identifiers"
    COMPATIBLE = "IPv4-compatible IPv6"
    MAPPED = "IPv4-mapped IPv6"
    TRANSLATED = "IPv4-translated IPv6"
    NAT64_LOCAL = "local-use NAT64"
    SIX_TO_FOUR = "6to4"
    TEREDO = "Teredo"
    OUTSIDE = "outside global unicast"
    UNREADABLE = "not an address"


OPENED_BY_ALLOW_PRIVATE: Final = frozenset(
    {AddressClass.LOOPBACK, AddressClass.PRIVATE, AddressClass.UNIQUE_LOCAL, AddressClass.CGNAT}
)
OPENED_BY_ALLOW_LOCAL: Final = OPENED_BY_ALLOW_PRIVATE - {AddressClass.CGNAT}

# The registries of IANA for special-purpose addresses (2025-10-09), and what else is no site: AS112 and AMT anycasts
# are "globally reachable" there, and no site lives in them. The narrowest block that holds an address decides.
BLOCKS: Final = (
    ("0.0.0.0/0", AddressClass.PUBLIC),
    ("0.0.0.0/8", AddressClass.THIS_NETWORK),
    ("0.0.0.0/32", AddressClass.UNSPECIFIED),
    ("10.0.0.0/8", AddressClass.PRIVATE),
    ("100.64.0.0/10", AddressClass.CGNAT),
    ("127.0.0.0/8", AddressClass.LOOPBACK),
    ("169.254.0.0/16", AddressClass.LINK_LOCAL),
    ("172.16.0.0/12", AddressClass.PRIVATE),
    ("192.0.0.0/24", AddressClass.PROTOCOL),
    ("192.0.2.0/24", AddressClass.DOCUMENTATION),
    ("192.31.196.0/24", AddressClass.ANYCAST),
    ("192.52.193.0/24", AddressClass.ANYCAST),
    ("192.88.99.0/24", AddressClass.SIX_TO_FOUR),
    ("192.168.0.0/16", AddressClass.PRIVATE),
    ("192.175.48.0/24", AddressClass.ANYCAST),
    ("198.18.0.0/15", AddressClass.BENCHMARKING),
    ("198.51.100.0/24", AddressClass.DOCUMENTATION),
    ("203.0.113.0/24", AddressClass.DOCUMENTATION),
    ("224.0.0.0/4", AddressClass.MULTICAST),
    ("240.0.0.0/4", AddressClass.RESERVED),
    ("255.255.255.255/32", AddressClass.BROADCAST),
    ("::/0", AddressClass.OUTSIDE),
    ("::/96", AddressClass.COMPATIBLE),
    ("::/128", AddressClass.UNSPECIFIED),
    ("::1/128", AddressClass.LOOPBACK),
    ("::ffff:0:0/96", AddressClass.MAPPED),
    ("::ffff:0:0:0/96", AddressClass.TRANSLATED),
    ("64:ff9b:1::/48", AddressClass.NAT64_LOCAL),
    ("100::/64", AddressClass.DISCARD),
    ("100:0:0:1::/64", AddressClass.DISCARD),  # the dummy prefix
    ("2000::/3", AddressClass.PUBLIC),
    ("2001::/23", AddressClass.PROTOCOL),
    ("2001::/32", AddressClass.TEREDO),
    ("2001:1::/126", AddressClass.ANYCAST),  # PCP, TURN, SRP
    ("2001:2::/48", AddressClass.BENCHMARKING),
    ("2001:3::/32", AddressClass.ANYCAST),  # AMT
    ("2001:4:112::/48", AddressClass.ANYCAST),  # AS112
    ("2001:10::/28", AddressClass.ORCHID),
    ("2001:20::/28", AddressClass.ORCHID),
    ("2001:30::/28", AddressClass.ORCHID),  # drone remote identifiers
    ("2001:db8::/32", AddressClass.DOCUMENTATION),
    ("2002::/16", AddressClass.SIX_TO_FOUR),
    ("2620:4f:8000::/48", AddressClass.ANYCAST),  # AS112
    ("3fff::/20", AddressClass.DOCUMENTATION),
    ("5f00::/16", AddressClass.SRV6),
    ("fc00::/7", AddressClass.UNIQUE_LOCAL),
    ("fe80::/10", AddressClass.LINK_LOCAL),
    ("fec0::/10", AddressClass.SITE_LOCAL),
    ("ff00::/8", AddressClass.MULTICAST),
)

# A second table, always on: several lie in blocks that allow_private opens, and one looks public.
METADATA: Final = (
    "169.254.169.254",  # AWS, GCP, Azure, OCI, DigitalOcean, OpenStack, Hetzner, IBM, …
    "fd00:ec2::254",  # AWS
    "169.254.170.2",  # AWS ECS
    *("169.254.170.23", "fd00:ec2::23"),  # AWS EKS pod identity
    *("169.254.169.253", "169.254.169.123", "fd00:ec2::253", "fd00:ec2::123"),  # AWS resolver and time
    "fd20:ce::254",  # GCP
    "168.63.129.16",  # Azure wire server
    *("100.100.100.200", "fd00:100::100:200"),  # Alibaba
    *("192.0.0.192", "fd00:c1::a9fe:a9fe"),  # Oracle
    "169.254.0.23",  # Tencent
    *("169.254.42.42", "fd00:42::42"),  # Scaleway
    "fd00:a9fe:a9fe::1",  # Linode
    "fe80::a9fe:a9fe",  # OpenStack
    "fdaa::3",  # Fly
)

_NAT64_PREFIX: Final = int(ipaddress.IPv6Address("64:ff9b::")) >> 32
_ISATAP_IDS: Final = frozenset({0x0000_5EFE, 0x0200_5EFE})
_LOW_32_BITS: Final = 0xFFFF_FFFF


class _Table(NamedTuple):
    """Where runs of one class begin, sorted, from the first address to the last."""

    starts: tuple[int, ...]
    classes: tuple[AddressClass, ...]

    def at(self, number: int) -> AddressClass:
        return self.classes[bisect_right(self.starts, number) - 1]


def _build_table(version: int, blocks: Iterable[tuple[str, AddressClass]]) -> _Table:
    networks = [(ipaddress.ip_network(text), cls) for text, cls in blocks]
    rows = sorted(
        ((net.num_addresses, int(net[0]), int(net[-1]), cls) for net, cls in networks if net.version == version),
        key=lambda row: row[0],
    )
    last = max(row[2] for row in rows)
    starts = sorted({edge for _, first, final, _ in rows for edge in (first, final + 1) if edge <= last})
    narrowest = (next(cls for _, first, final, cls in rows if first <= start <= final) for start in starts)
    return _Table(tuple(starts), tuple(narrowest))


_TABLES: Final = {version: _build_table(version, BLOCKS) for version in (4, 6)}
_METADATA: Final = frozenset(map(ipaddress.ip_address, METADATA))


def classify_address(text: str) -> AddressClass:
    """Return what an address belongs to, a scope id left aside; what is no address is `UNREADABLE`."""
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return AddressClass.UNREADABLE
    if address in _METADATA:
        return AddressClass.METADATA
    outer = _TABLES[address.version].at(int(address))
    return outer if address.version == 4 else _judge_embedded(int(address), outer)  # noqa: PLR2004


def is_public(cls: AddressClass) -> bool:
    """Tell whether addresses of this class may be dialled without any setting."""
    return cls is AddressClass.PUBLIC


def opened_by_allow_private(cls: AddressClass) -> bool:
    """Tell whether `web.allow_private` opens this class."""
    return cls in OPENED_BY_ALLOW_PRIVATE


def opened_by_allow_local(cls: AddressClass) -> bool:
    """Tell whether `browser.allow_local` opens this class."""
    return cls in OPENED_BY_ALLOW_LOCAL


def opened_by(setting: str, cls: AddressClass) -> bool:
    """Tell whether a setting, named as in the settings, opens this class."""
    return opened_by_allow_local(cls) if setting == "browser.allow_local" else opened_by_allow_private(cls)


def describe_not_public(subject: str, cls: AddressClass, setting: str = "web.allow_private") -> str:
    """Return the text of a refusal: what `subject` is, and whether `setting` would open it."""
    remedy = f"{setting} = true would allow it" if opened_by(setting, cls) else f"not even {setting} opens it"
    return f"{subject} is not a public address ({cls.value}); {remedy}"


def _judge_embedded(number: int, outer: AddressClass) -> AddressClass:
    """Judge an IPv6 address by the IPv4 address inside, where the form is one that the network unwraps."""
    if number >> 32 == _NAT64_PREFIX:
        return _classify_inner(number)
    if (number >> 32) & _LOW_32_BITS in _ISATAP_IDS:
        return max(outer, _classify_inner(number), key=_severity)
    return outer


def _classify_inner(number: int) -> AddressClass:
    return classify_address(str(ipaddress.IPv4Address(number & _LOW_32_BITS)))


def _severity(cls: AddressClass) -> int:
    """Rank classes by how few settings would open them; of an ISATAP address the worse part counts."""
    return 0 if is_public(cls) else 3 - opened_by_allow_private(cls) - opened_by_allow_local(cls)
