"""The keys under which an approval is remembered: the one place that makes them (AUDIT-06)."""

from __future__ import annotations

from typing import Final

SCRIPT_KEY: Final = "browser:script"
UPLOAD_KEY: Final = "browser:upload"
DOWNLOAD_KEY: Final = "browser:download"


def web_key(host: str) -> str:
    """Return the key of requests to a canonical host, whichever tool makes them (WEB-03, WEB-33)."""
    return f"web:{host}"


def search_key(provider: str) -> str:
    """Return the key of searches with a provider (WEB-12)."""
    return f"search:{provider}"
