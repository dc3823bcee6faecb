"""Host names and address literals in their one canonical spelling.

A name is mapped by UTS 46 (`ada_url`), then every rule is checked on the A-labels that come out: letters, digits,
`-` and `_`, labels of at most 63, 253 in all, one trailing dot dropped, the last label not a number. Whatever another
parser could read as an address, and whatever `ada_url` lets through that does not round-trip, is refused (POLICY-01,
POLICY-03). No look-up is made here, and nothing is said about where a name leads.
"""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from typing import Final

import ada_url

from blitzweb.policy.texts import quoted

MAX_NAME_CHARS: Final = 253  # RFC 1035, as text without the trailing dot
MAX_LABEL_CHARS: Final = 63

# RFC 6761 and what the hosts files of common systems hold: local whatever DNS says.
LOCAL_NAMES: Final = frozenset(
    {
        *("localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback"),
        *("localhost4", "localhost4.localdomain4", "localhost6", "localhost6.localdomain6"),
    }
)

_LABEL = re.compile(r"[a-z0-9_-]+")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_IPV4 = re.compile(r"(?:0|[1-9][0-9]{0,2})(?:\.(?:0|[1-9][0-9]{0,2})){3}")
_IPV6 = re.compile(r"[0-9a-fA-F:.]+")


class NameRefused(Exception):
    """Raised for a host that has no canonical spelling; `text` says what is wrong with which value."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


def canonical_name(text: str) -> str:
    """Return the name as lower-case A-labels without a trailing dot.

    Raises:
        NameRefused: it is no host name, or other programs would read it as something else.
    """
    if len(text) > MAX_NAME_CHARS + 1:  # also bounds the work of UTS 46, which is quadratic in a label's length
        raise NameRefused(f"the host {quoted(text)} is longer than {MAX_NAME_CHARS} characters")
    name = text.lower() if text.isascii() else _mapped(text)
    name = name.removesuffix(".")
    labels = name.split(".")
    _check_labels(text, labels)
    if _NUMBER.fullmatch(labels[-1]):
        raise NameRefused(
            f"the host {quoted(text)} ends in a number, so that programs read it as different addresses; "
            "an IPv4 address is four plain decimal numbers"
        )
    if len(name) > MAX_NAME_CHARS:
        raise NameRefused(f"the host {quoted(text)} is longer than {MAX_NAME_CHARS} characters")
    return name


def canonical_ipv4(text: str) -> str | None:
    """Return the address if it is written as four plain decimal numbers, else `None`."""
    plain = _IPV4.fullmatch(text) is not None and all(int(part) <= 255 for part in text.split("."))  # noqa: PLR2004
    return text if plain else None


def canonical_ipv6(text: str) -> str:
    """Return an IPv6 address (without its brackets) in the WHATWG spelling.

    Raises:
        NameRefused: it is no IPv6 address, or it has a zone id.
    """
    refused = NameRefused(f"{quoted(f'[{text}]')} is no IPv6 address; a zone id is not taken either")
    if not _IPV6.fullmatch(text):
        raise refused
    try:
        number = ipaddress.IPv6Address(text)
        canonical = ada_url.URL(f"http://[{text}]/").hostname[1:-1]
    except ValueError:
        raise refused from None
    if ipaddress.IPv6Address(canonical) != number:
        raise refused
    return canonical


def unicode_name(name: str) -> str:
    """Return a canonical name as people write it; the same text where it is no IDN."""
    return ada_url.idna_to_unicode(name)


def is_local_name(name: str) -> bool:
    """Tell whether a canonical name means this machine."""
    return name in LOCAL_NAMES or name.endswith(".localhost")


def _mapped(text: str) -> str:
    """Map a name with non-ASCII characters by UTS 46; digits in disguise are refused, since they hide addresses."""
    for char in text:
        if not char.isascii() and any("0" <= folded <= "9" for folded in unicodedata.normalize("NFKC", char)):
            raise NameRefused(f"the host {quoted(text)} has the digit {quoted(char)}; write it as an ASCII digit")
    name = ada_url.idna_to_ascii(text.encode("utf-8", "replace")).decode("ascii")
    if not name:
        raise NameRefused(f"the host {quoted(text)} is no valid international name (UTS 46)")
    return name


def _check_labels(text: str, labels: list[str]) -> None:
    """Refuse a label that is empty, too long, has other characters, or is no well-formed A-label."""
    for label in labels:
        if not label:
            raise NameRefused(f"the host {quoted(text)} has an empty label")
        if len(label) > MAX_LABEL_CHARS:
            raise NameRefused(f"the host {quoted(text)} has a label longer than {MAX_LABEL_CHARS} characters")
        if not _LABEL.fullmatch(label):
            raise NameRefused(f"the host {quoted(text)} has a character that no host name has")
        if label.startswith("xn--") and not _round_trips(label):
            raise NameRefused(f"the host {quoted(text)} has the malformed international label {quoted(label)}")


def _round_trips(label: str) -> bool:
    """Tell whether an A-label is exactly what its Unicode form encodes to; `ada_url` passes those that are not."""
    plain = ada_url.idna_to_unicode(label)
    return not plain.isascii() and ada_url.idna_to_ascii(plain) == label.encode("ascii")
