"""Whether a request goes directly or through a proxy of the environment, computed once for each URL (WEB-04).

The variable of the URL's scheme names the proxy, and NO_PROXY, matched on the canonical host, names the exceptions;
ALL_PROXY is never read. The environment is a value here: who calls passes it in.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from blitzweb.policy.ports import DEFAULT_PORTS, read_port
from blitzweb.policy.urls import HostKind, Url, UrlRefused, join_authority, read_host

_PROXY = re.compile(
    r"(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://)?"
    r"(?:(?P<user>[^/?#@:]*)(?::(?P<password>[^/?#@]*))?@)?"
    r"(?P<host>\[[^\[\]]*\]|[^\[\]:/?#@]+)(?::(?P<port>[0-9]+))?/?"
)
_ENTRY = re.compile(r"(?P<host>\[[^\[\]]*\]|[^\[\]:]*)(?::(?P<port>[0-9]+))?")
_BETWEEN_ENTRIES = re.compile(r"[,\s]+")


class ProxyRefused(Exception):
    """Raised for a variable that names no proxy that can be used; `text` names the variable, never its value."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


@dataclass(frozen=True, slots=True)
class Direct:
    """The request dials its host itself."""


@dataclass(frozen=True, slots=True)
class Via:
    """The request dials a proxy, which dials the host. The credentials are for the proxy and never leave this value."""

    scheme: str
    host: str
    port: int
    kind: HostKind
    variable: str
    user: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)

    @property
    def href(self) -> str:
        """The proxy's URL without credentials."""
        return f"{self.scheme}://{join_authority(self.host, self.kind, self.port)}"


Route = Direct | Via


def route(url: Url, environ: Mapping[str, str]) -> Route:
    """Return how requests for this URL travel.

    Raises:
        ProxyRefused: the environment names a proxy that is no http or https one.
    """
    variable, value = _lookup(environ, f"{url.scheme}_proxy")
    if not value or _is_exempt(url, _lookup(environ, "no_proxy")[1]):
        return Direct()
    return _read_proxy(variable, value)


def _lookup(environ: Mapping[str, str], name: str) -> tuple[str, str]:
    """Return the variable that is set, the lower-case one first as everywhere, and its value."""
    variable = name if name in environ else name.upper()
    return variable, environ.get(variable, "").strip()


def _read_proxy(variable: str, value: str) -> Via:
    found = _PROXY.fullmatch(value)
    if not found:
        raise ProxyRefused(f"{variable} is no proxy; write http://HOST:PORT or https://HOST:PORT")
    scheme = (found["scheme"] or "http").lower()
    if scheme not in DEFAULT_PORTS:
        raise ProxyRefused(f'{variable} names a proxy of the scheme "{scheme}"; only http and https proxies are used')
    port = read_port(found["port"]) if found["port"] else DEFAULT_PORTS[scheme]
    if port is None:
        raise ProxyRefused(f"{variable} names a proxy on no port; a port is a number from 1 to 65535")
    try:
        host, kind = read_host(found["host"])
    except UrlRefused as refused:
        raise ProxyRefused(f"{variable} names a proxy that cannot be used: {refused.text}") from None
    user, password = found["user"], found["password"]
    return Via(scheme, host, port, kind, variable, user and unquote(user), password and unquote(password))


def _is_exempt(url: Url, no_proxy: str) -> bool:
    return any(_exempts(entry, url) for entry in _BETWEEN_ENTRIES.split(no_proxy) if entry)


def _exempts(entry: str, url: Url) -> bool:
    """Tell whether one entry of NO_PROXY is this URL's host: `*`, an address, a block, a name or a suffix."""
    if entry == "*":
        return True
    host, port = _split_entry(entry)
    if port and read_port(port) != url.effective_port:
        return False
    return _is_name_of(host, url) if url.kind is HostKind.NAME else _holds(host, url.host)


def _split_entry(entry: str) -> tuple[str, str]:
    """Return host and port; an IPv6 address without brackets has no port."""
    found = _ENTRY.fullmatch(entry)
    if not found:
        return entry, ""
    return found["host"].strip("[]"), found["port"] or ""


def _holds(block: str, address: str) -> bool:
    """Tell whether an address or a block in CIDR notation holds an address; one with a zone id holds nothing."""
    if "%" in block:
        return False
    try:
        return ipaddress.ip_address(address) in ipaddress.ip_network(block, strict=False)
    except ValueError:
        return False


def _is_name_of(entry: str, url: Url) -> bool:
    """Tell whether a name is the host or, at the boundary of a label, its end; `.x` and `*.x` are as good as `x`."""
    try:
        name, kind = read_host(entry.removeprefix("*").removeprefix("."))
    except UrlRefused:
        return False
    return kind is HostKind.NAME and (url.host == name or url.host.endswith(f".{name}"))
