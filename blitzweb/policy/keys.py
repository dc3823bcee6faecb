"""The keys under which an approval is remembered."""

from __future__ import annotations


def web_key(host: str) -> str:
    """Return the key of requests to a canonical host, whichever tool makes them (WEB-03, WEB-33)."""
    return f"web:{host}"
