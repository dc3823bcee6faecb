"""Where a redirect leads: the value of a `Location` header, resolved against the URL that answered with it.

The value has no controls and at most 8 KiB; a whole URL in it passes the same strict grammar as any other, and a
relative one can never leave the origin. Whether the hop may be made is decided elsewhere (POLICY-01, WEB-05).
"""

from __future__ import annotations

import re

import ada_url

from blitzweb.limits import MAX_LOCATION_BYTES
from blitzweb.policy.texts import quoted_url
from blitzweb.policy.urls import SCHEME, SLASHES, Url, UrlRefused, check_characters, parse_url
from blitzweb.policy.verdicts import Reason

_AFTER_PATH = re.compile(r"[?#]")


def resolve_location(base: Url, location: str) -> Url:
    """Return where a redirect leads: `location` is the value of the one `Location` header that `base` answered with.

    The value is text of Latin-1, as HTTP libraries hand headers over. UTF-8 in it is taken as such; other bytes and
    spaces are percent-encoded, as browsers do. Everything else keeps to the strict grammar.

    Raises:
        UrlRefused: it is too long, needs interpreting, or leads to nothing that may be gone to.
    """
    try:
        return parse_url(_absolute(base, _read_value(location)))
    except UrlRefused as refused:
        raise UrlRefused(
            Reason.REDIRECT_TARGET, f"{base.display_host} redirects to what is refused: {refused.text}"
        ) from None


def _read_value(location: str) -> str:
    """Return the header's value as text without spaces."""
    try:
        raw = location.strip(" ").encode("latin-1")
    except UnicodeEncodeError:
        raise UrlRefused(Reason.URL, f"the Location {quoted_url(location)} is no value of a header") from None
    if len(raw) > MAX_LOCATION_BYTES:
        raise UrlRefused(Reason.URL, f"the Location has {len(raw)} bytes, more than {MAX_LOCATION_BYTES}")
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        text = "".join(chr(byte) if byte < 0x80 else f"%{byte:02X}" for byte in raw)  # noqa: PLR2004
    return text.replace(" ", "%20")


def _absolute(base: Url, location: str) -> str:
    """Return the text of the whole URL that the redirect leads to."""
    check_characters(location)
    if SCHEME.match(location):
        return location
    if "\\" in _AFTER_PATH.split(location, maxsplit=1)[0]:
        raise UrlRefused(Reason.URL, f"a backslash in {quoted_url(location)} is refused; browsers take it for a slash")
    if location.startswith(SLASHES):
        return f"{base.scheme}:{location}"
    joined = ada_url.URL(location, base.href)
    if joined.origin != base.origin:
        raise UrlRefused(Reason.URL, f"{quoted_url(location)} is read as another host by the WHATWG rules")
    return joined.href
