"""Ports: how one is written in a URL, and those that no web page lives on (POLICY-01).

Values only. Refused ports are the Fetch standard's bad ports: services that a request line could be smuggled into.
"""

from __future__ import annotations

from typing import Final

DEFAULT_PORTS: Final = {"http": 80, "https": 443}

MAX_PORT: Final = 65535
MAX_PORT_DIGITS: Final = 5

# https://fetch.spec.whatwg.org/#port-blocking
BAD_PORTS: Final = frozenset(
    {
        *(0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95),
        *(101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179),
        *(389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636),
        *(989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566),
        *(6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080),
    }
)


def read_port(text: str) -> int | None:
    """Return the number that one to five ASCII digits name, or `None` where it is no port."""
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_PORT_DIGITS):
        return None
    port = int(text)
    return port if 0 < port <= MAX_PORT else None


def describe_bad_port(port: int) -> str:
    """Return the text of a refusal of one of the bad ports."""
    return f"port {port} is refused: it belongs to a service that is no web server"
