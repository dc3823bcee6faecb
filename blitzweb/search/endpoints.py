"""The address that a request of a provider goes to: its own, or the one of `web.search_url`, with a query string."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode


def with_query(endpoint: str, parameters: Mapping[str, str]) -> str:
    """Return an endpoint with parameters added to those that it may have already."""
    base = endpoint.partition("#")[0]
    return f"{base}{'&' if '?' in base else '?'}{urlencode(parameters)}"


def with_path(base: str, path: str) -> str:
    """Return an address whose path ends as it must: as given if it does already, else with `path` added."""
    address, mark, query = base.partition("#")[0].partition("?")
    if not address.endswith(path):
        address = address.rstrip("/") + path
    return address + mark + query
