"""Which host and port a request to the proxy means: its request line alone says so, never its Host (EGRESS-05)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from blitzweb.egress.head import Head, Malformed
from blitzweb.policy.ports import DEFAULT_PORTS
from blitzweb.policy.urls import UrlRefused, join_authority, read_authority

PROBE_HOST: Final = "blitzweb.invalid"  # RFC 2606: no name below .invalid leads anywhere

_read_authority = lru_cache(maxsize=1024)(read_authority)  # a page asks for the same few hosts over and over
_ABSOLUTE: Final = re.compile(r"http://(?P<authority>[^/?#]*)(?P<rest>[/?][^#]*)?", re.IGNORECASE)


class Target(NamedTuple):
    """Where a request goes. For a tunnel `path` is empty; `authority` is what the origin's Host header gets."""

    host: str
    port: int
    authority: str
    path: str = ""

    @property
    def tunnel(self) -> bool:
        """Whether a tunnel was asked for."""
        return not self.path

    def same_origin(self, other: Target) -> bool:
        """Tell whether a connection that stands for one may serve the other."""
        return (self.host, self.port, self.tunnel) == (other.host, other.port, other.tunnel)


def read_target(head: Head) -> Target:
    """Return the target of a request.

    Raises:
        Malformed: it names none, or one that would need interpreting.
    """
    try:
        return _read_tunnel(head.target) if head.method == "CONNECT" else _read_absolute(head.target)
    except UrlRefused as refused:
        raise Malformed(refused.text) from None


def _read_tunnel(text: str) -> Target:
    host, kind, port = _read_authority(text)
    if port is None:
        raise Malformed("CONNECT needs a host and a port")
    if host == PROBE_HOST:
        raise Malformed(f"{PROBE_HOST} is answered in plain http alone")
    return Target(host, port, join_authority(host, kind, port))


def _read_absolute(text: str) -> Target:
    found = _ABSOLUTE.fullmatch(text)
    if not found:
        raise Malformed("this is a proxy: it takes CONNECT, and whole URLs that begin with http://")
    host, kind, port = _read_authority(found["authority"])
    default = DEFAULT_PORTS["http"]
    authority = join_authority(host, kind, None if port in {None, default} else port)
    rest = found["rest"] or "/"
    return Target(host, port or default, authority, rest if rest.startswith("/") else f"/{rest}")
