"""URLs: one strict grammar, then rebuilt once by the WHATWG rules; only the rebuilt URL is handed on.

What would need interpreting (controls, blanks, a backslash, `@` or `%` in the authority, odd spellings of an address,
bad ports) is refused with the reason, since two programs may interpret it as two hosts. `ada_url` never decides on the
host: what it read must be what the grammar read (POLICY-01, POLICY-02, POLICY-03, WEB-01). No look-up happens here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import ada_url

from blitzweb.limits import MAX_URL_CHARS
from blitzweb.policy.names import (
    NameRefused,
    canonical_ipv4,
    canonical_ipv6,
    canonical_name,
    is_local_name,
    unicode_name,
)
from blitzweb.policy.ports import BAD_PORTS, DEFAULT_PORTS, MAX_PORT, describe_bad_port, read_port
from blitzweb.policy.texts import AT_SIGN, quoted, quoted_url
from blitzweb.policy.verdicts import Reason, Refuse

# C0, space, DEL, C1, the line and paragraph separators, and half a surrogate pair, which no encoding can carry.
_UNWRITABLE = re.compile("[\x00-\x20\x7f-\x9f\u2028\u2029\ud800-\udfff]")
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
SLASHES: Final = "//"
_AFTER_AUTHORITY = re.compile(r"[/?#]")
_HOST_AND_PORT = re.compile(r"(?P<host>\[[^\[\]]*\]|[^\[\]:]*)(?::(?P<port>[^:\[\]]*))?")
_PRINTABLE = re.compile(r"[\x21-\x7e]+")


class UrlRefused(Exception):
    """Raised for a text that is no URL to go to; `text` says what is wrong with which value, and what to do."""

    def __init__(self, reason: Reason, text: str) -> None:
        super().__init__(text)
        self.reason = reason
        self.text = text

    @property
    def verdict(self) -> Refuse:
        """The same as a verdict."""
        return Refuse(self.reason, self.text)


class HostKind(StrEnum):
    """What the host of a URL is."""

    NAME = "name"
    IPV4 = "ipv4"
    IPV6 = "ipv6"


@dataclass(frozen=True, slots=True)
class Url:
    """A URL that passed the grammar; only `parse_url` makes one.

    `host` is canonical: A-labels in lower case without a trailing dot, or an address without brackets. `port` is
    `None` where it is the scheme's own. `href` is ASCII, rebuilt, with the fragment.
    """

    scheme: str
    host: str
    port: int | None
    href: str
    kind: HostKind

    @property
    def effective_port(self) -> int:
        """The port to connect to."""
        return self.port or DEFAULT_PORTS[self.scheme]

    @property
    def origin(self) -> str:
        """Scheme, host and port, as the web compares them."""
        return f"{self.scheme}://{self.authority}"

    @property
    def authority(self) -> str:
        """Host and port as a `Host` header has them."""
        return join_authority(self.host, self.kind, self.port)

    @property
    def target(self) -> str:
        """Path and query, as a request line has them."""
        return self.without_fragment[len(self.origin) :]

    @property
    def without_fragment(self) -> str:
        """The URL as it leaves the machine."""
        return self.href.partition("#")[0]

    @property
    def display_host(self) -> str:
        """The host for a person: an international name in both its forms."""
        shown = unicode_name(self.host) if self.kind is HostKind.NAME else self.host
        return self.host if shown == self.host else f"{shown} ({self.host})"

    @property
    def is_local_name(self) -> bool:
        """Whether the host is a name of this machine, whatever DNS says."""
        return self.kind is HostKind.NAME and is_local_name(self.host)


def parse_url(text: str) -> Url:
    """Read a URL by the strict grammar, and rebuild it.

    Raises:
        UrlRefused: the text would need interpreting, or is nothing to go to.
    """
    text = text.strip(" ")
    check_characters(text)
    scheme, rest = _split_scheme(text)
    authority = _AFTER_AUTHORITY.split(rest, maxsplit=1)[0]
    host_text, port_text = _split_authority(authority)
    host, kind = read_host(host_text)
    port = _read_port(port_text, scheme)
    return _rebuild(scheme, host, kind, port, rest[len(authority) :])


def refuse_for_pages(url: Url) -> None:
    """Hold a URL to the stricter rules of the page tools: a name, and port 80 or 443.

    Raises:
        UrlRefused: an address instead of a name, or another port.
    """
    if url.kind is not HostKind.NAME:
        raise UrlRefused(Reason.URL, f"the host {url.host} is an address; pages are opened by name only")
    if url.effective_port not in DEFAULT_PORTS.values():
        raise UrlRefused(Reason.PORT, f"port {url.port} is refused; pages are opened on ports 80 and 443 only")


def check_characters(text: str) -> None:
    """Refuse what no part of a URL may hold, and a text that is empty or too long."""
    if not text:
        raise UrlRefused(Reason.URL, "the URL is empty")
    if len(text) > MAX_URL_CHARS:
        raise UrlRefused(Reason.URL, f"the URL has {len(text)} characters, more than {MAX_URL_CHARS}")
    if found := _UNWRITABLE.search(text):
        code = ord(found.group())
        what = "a space (write %20)" if code == ord(" ") else f"a control character (U+{code:04X})"
        raise UrlRefused(Reason.URL, f"the URL {quoted_url(text)} has {what}")


def _split_scheme(text: str) -> tuple[str, str]:
    """Return the scheme, and what follows `://`."""
    found = SCHEME.match(text)
    if not found:
        raise UrlRefused(Reason.URL, f"{quoted_url(text)} has no scheme; write http:// or https:// before the host")
    scheme, rest = found.group()[:-1].lower(), text[found.end() :]
    if scheme not in DEFAULT_PORTS:
        raise UrlRefused(Reason.URL, f'the scheme {quoted(scheme)} is refused; only "http" and "https" are taken')
    if not rest.startswith(SLASHES):
        raise UrlRefused(Reason.URL, f'{quoted_url(text)} is no URL; write "{scheme}://" and the host')
    return scheme, rest[len(SLASHES) :]


def _split_authority(authority: str) -> tuple[str, str]:
    """Return the texts of the host and of the port; never quotes an authority that may hold a password."""
    if AT_SIGN.search(authority):
        raise UrlRefused(Reason.URL, "credentials in a URL are refused; leave out all up to the @ before the host")
    for sign, name in (("\\", "a backslash"), ("%", "percent-encoding")):
        if sign in authority:
            raise UrlRefused(
                Reason.URL, f"{name} in the host {quoted_url(authority)} is refused; write the host plainly"
            )
    found = _HOST_AND_PORT.fullmatch(authority)
    if not found:
        raise UrlRefused(Reason.URL, f"{quoted_url(authority)} is no host and port; brackets hold a whole IPv6 address")
    return found["host"], found["port"] or ""


def read_authority(text: str) -> tuple[str, HostKind, int | None]:
    """Return the canonical host of an authority, what it is, and its port if there is one; bad ports are not judged.

    Raises:
        UrlRefused: it would need interpreting.
    """
    host_text, port_text = _split_authority(text)
    host, kind = read_host(host_text)
    return host, kind, _check_port(port_text) if port_text else None


def read_host(text: str) -> tuple[str, HostKind]:
    """Return the canonical host, and what it is."""
    if not text:
        raise UrlRefused(Reason.URL, "the URL has no host")
    try:
        if text.startswith("["):
            return canonical_ipv6(text[1:-1]), HostKind.IPV6
        if address := canonical_ipv4(text):
            return address, HostKind.IPV4
        return canonical_name(text), HostKind.NAME
    except NameRefused as refused:
        raise UrlRefused(Reason.URL, refused.text) from None


def _read_port(text: str, scheme: str) -> int | None:
    """Return the port where it is not the scheme's own."""
    if not text:
        return None
    port = _check_port(text)
    if port in BAD_PORTS:
        raise UrlRefused(Reason.PORT, describe_bad_port(port))
    return None if port == DEFAULT_PORTS[scheme] else port


def _check_port(text: str) -> int:
    """Return the number that a text is, whatever service may live there."""
    port = read_port(text)
    if port is None:
        shown = quoted(text) if text.isdecimal() else "what follows the colon"  # it may be the password of a user
        raise UrlRefused(Reason.PORT, f"{shown} is no port; a port is a number from 1 to {MAX_PORT}")
    return port


def join_authority(host: str, kind: HostKind, port: int | None) -> str:
    """Return host and port as a URL has them."""
    bracketed = f"[{host}]" if kind is HostKind.IPV6 else host
    return bracketed if port is None else f"{bracketed}:{port}"


def _rebuild(scheme: str, host: str, kind: HostKind, port: int | None, rest: str) -> Url:
    """Have `ada_url` write the URL, and compare its reading with ours."""
    origin = f"{scheme}://{join_authority(host, kind, port)}"
    try:
        href = ada_url.URL(origin + rest).href
    except ValueError:
        raise UrlRefused(Reason.URL, f"{quoted_url(origin + rest)} is no URL by the WHATWG rules") from None
    if not href.startswith(f"{origin}/") or not _PRINTABLE.fullmatch(href):
        raise UrlRefused(Reason.URL, f"{quoted_url(origin + rest)} is read as another URL by the WHATWG rules")
    if len(href) > MAX_URL_CHARS:
        raise UrlRefused(Reason.URL, f"the URL has {len(href)} characters when encoded, more than {MAX_URL_CHARS}")
    return Url(scheme, host, port, href, kind)
