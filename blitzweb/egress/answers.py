"""What the proxy itself answers: refusals, failures, the request for the token, and the probe page (EGRESS-05).

A refusal is 403 with `X-Blitzweb-Refused`, a host that cannot be reached 502 with `X-Blitzweb-Failed`, so that nobody
takes the one for the other. Every answer ends its connection. Values only.
"""

from __future__ import annotations

import html
from typing import Final, NamedTuple

from blitzweb.policy.verdicts import Reason

OWN_HEADERS: Final = "x-blitzweb-"  # an origin's headers that begin so are dropped, so that none can be forged
PROBE_TITLE: Final = "blitzweb egress"
REALM: Final = "blitzweb"

_PHRASES: Final = {
    200: "OK",
    400: "Bad Request",
    403: "Forbidden",
    407: "Proxy Authentication Required",
    502: "Bad Gateway",
}
_COMMON: Final = (
    ("Content-Type", "text/html; charset=utf-8"),
    ("Content-Security-Policy", "default-src 'none'"),
    ("Cache-Control", "no-store"),
    ("Connection", "close"),
)


class Refusal(NamedTuple):
    """One thing that was refused, for whoever keeps count: each request that was, once."""

    host: str
    port: int
    reason: Reason
    text: str
    rule: str = ""


class Failure(NamedTuple):
    """One host that could not be reached, or that did not answer as HTTP wants it; `phase` is the dialer's."""

    host: str
    port: int
    phase: str
    text: str


class Answer(NamedTuple):
    """A whole answer of ours; `head_only` for HEAD, which gets no body."""

    status: int
    title: str
    text: str
    headers: tuple[tuple[str, str], ...] = ()

    def encode(self, *, head_only: bool = False) -> bytes:
        """Return the bytes."""
        title, text = html.escape(self.title), html.escape(self.text)
        page = f"<!doctype html>\n<meta charset=utf-8>\n<title>{title}</title>\n<h1>{title}</h1>\n<p>{text}</p>\n"
        body = page.encode()
        lines = [f"HTTP/1.1 {self.status} {_PHRASES[self.status]}", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in (*_COMMON, *self.headers)]
        return "\r\n".join([*lines, "", ""]).encode("ascii") + (b"" if head_only else body)


PROBE: Final = Answer(200, PROBE_TITLE, "This page comes from the proxy itself.")
CONNECTED: Final = b"HTTP/1.1 200 Connection established\r\n\r\n"
NO_TOKEN: Final = Answer(
    407, "Token required", "This proxy answers to its token alone.", (("Proxy-Authenticate", f'Basic realm="{REALM}"'),)
)


def bad_request(text: str) -> Answer:
    """Return the answer to a request that cannot be understood."""
    return Answer(400, "Bad request", text)


def refused(refusal: Refusal) -> Answer:
    """Return the answer to what a rule, an address or a port refuses."""
    rule = f'; rule="{_quotable(refusal.rule)}"' if refusal.rule else ""
    header = ("X-Blitzweb-Refused", f"{refusal.reason.value}{rule}")
    return Answer(403, f"Refused: {refusal.host}", refusal.text, (header,))


def failed(failure: Failure) -> Answer:
    """Return the answer for a host that cannot be reached."""
    return Answer(502, f"Not reached: {failure.host}", failure.text, (("X-Blitzweb-Failed", failure.phase),))


def _quotable(text: str) -> str:
    """Return a text as a quoted string of a header may hold it."""
    plain = text.encode("ascii", "backslashreplace").decode()
    return "".join(char if char.isprintable() and char not in '"\\' else "?" for char in plain)
