"""What the world of the lab shows and what it has seen: values that travel between a test and the world's process."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

# The link between the two sides. The daemon's addresses look public on purpose: that they are refused must come from
# their being its own. The other end of the link is the name server, and by its routes every other address there is.
OWN_IPV4, OWN_IPV6 = "93.184.220.2", "2606:2800:220:1::2"
GATE_IPV4, GATE_IPV6 = "93.184.220.1", "2606:2800:220:1::1"
NAMESERVER = (GATE_IPV4, 53)

# Public addresses with nothing special about them, where web servers listen.
WEB_IPV4, OTHER_IPV4, WEB_IPV6 = "93.184.215.14", "93.184.216.34", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"

Answer = tuple[str, ...] | Literal["SERVFAIL", "TIMEOUT"]
"""Of one look-up: addresses (none: no such name), a failure, or no reply at all."""

Ending = Literal["refused", "silent", "reset", "mute"]
"""Of a dial: RST, no reply, accepted and then RST, accepted and then nothing is ever said."""

Certificate = Literal["expired", "other-name", "unknown-ca"]


@dataclass(frozen=True)
class Response:
    """What a web server says to one request, and what it does with the connection then."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = (("Content-Type", "text/plain"),)
    body: bytes = b"A plain page of the lab.\n"
    raw: bytes | None = None  # the whole answer, instead of the three above
    then: Literal["keep", "close", "reset", "hold"] = "keep"

    def encode(self) -> bytes:
        """Return the answer as it goes over the wire."""
        if self.raw is not None:
            return self.raw
        headers = (*self.headers, ("Content-Length", str(len(self.body))))
        head = [f"HTTP/1.1 {self.status} Lab", *(f"{name}: {value}" for name, value in headers), "", ""]
        return "\r\n".join(head).encode("utf-8") + self.body


PLAIN = Response()


@dataclass(frozen=True)
class Scene:
    """All that the world shows until the next scene.

    A server listens on `ports` of every address that a name has or that `addresses` or `endings` list, and speaks TLS
    to whoever begins with it. A request for a key of `pages` (`host/path`) gets that; any other the next of
    `responses`, and when they are used up, a plain page.
    """

    names: Mapping[str, tuple[Answer, ...]] = field(default_factory=dict)  # of successive look-ups; the last repeats
    responses: tuple[Response, ...] = ()
    pages: Mapping[str, Response] = field(default_factory=dict)
    addresses: frozenset[str] = frozenset({WEB_IPV4, OTHER_IPV4, WEB_IPV6})
    endings: Mapping[str, Ending] = field(default_factory=dict)
    ports: tuple[int, ...] = (80, 443)
    certificates: Mapping[str, Certificate] = field(default_factory=dict)  # of hosts whose certificate is no good

    def listeners(self) -> set[str]:
        """Return the addresses of the world where a server listens."""
        answers = [answer for successive in self.names.values() for answer in successive if isinstance(answer, tuple)]
        wanted = {address for answer in answers for address in answer} | self.addresses | set(self.endings)
        return {address for address in wanted if _is_bindable(address) and self.endings.get(address) != "refused"}


def _is_bindable(address: str) -> bool:
    """Tell whether a TCP server can stand there, for a client on the other side of the link."""
    parsed = ipaddress.ip_address(address)
    mapped = parsed.version == 6 and parsed.ipv4_mapped is not None  # arrives as IPv4, if it leaves at all
    scoped = parsed.version == 6 and parsed.is_link_local
    return not (parsed.is_multicast or parsed.is_unspecified or parsed.is_loopback or scoped or mapped)


EVERYDAY = Scene(
    names={
        "a.example": ((WEB_IPV4,),),
        "b.example": ((OTHER_IPV4,),),
        "six.example": ((WEB_IPV6,),),
        "both.example": ((WEB_IPV4, WEB_IPV6),),
        "inner.example": (("10.0.0.5",),),
        "meta.example": (("169.254.169.254",),),
        "own.example": ((OWN_IPV4,),),
        "flip.example": ((WEB_IPV4,), ("127.0.0.1",)),
        "servfail.example": ("SERVFAIL",),
        "timeout.example": ("TIMEOUT",),
        "refused.example": (("93.184.217.1",),),
        "silent.example": (("93.184.217.2",),),
        "expired.example": ((WEB_IPV4,),),
        "other-name.example": ((WEB_IPV4,),),
        "unknown-ca.example": ((WEB_IPV4,),),
    },
    endings={"93.184.217.1": "refused", "93.184.217.2": "silent"},
    certificates={
        "expired.example": "expired",
        "other-name.example": "other-name",
        "unknown-ca.example": "unknown-ca",
    },
)
"""What there is where no test says otherwise: `scripts/lab` lists it."""


@dataclass(frozen=True)
class Packet:
    """A beginning that left the daemon's side, on the link or over loopback: a SYN, a datagram, or another protocol."""

    protocol: str  # "tcp", "udp", or the number of another one
    address: str
    port: int


@dataclass(frozen=True)
class Request:
    """A request that arrived, and where."""

    address: str
    port: int
    server_name: str | None  # of TLS; None over plain HTTP, "" where the client named none
    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes = b""

    def header(self, name: str) -> str | None:
        """Return the value of a header, or None."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)


@dataclass
class Log:
    """What the world has seen since the scene began."""

    lookups: list[tuple[str, str]] = field(default_factory=list)  # (name, "A" or "AAAA")
    packets: list[Packet] = field(default_factory=list)
    connections: list[tuple[str, int]] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)

    def attempts(self) -> set[str]:
        """Return every address that anything was sent to, the name server's for its own service apart."""
        return {packet.address for packet in self.packets if packet != Packet("udp", *NAMESERVER)}
