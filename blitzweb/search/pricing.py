"""What searches cost: queries that were billed, and their estimated price (WEB-15)."""

from __future__ import annotations

from typing import NamedTuple

from blitzweb.search.provider import Provider

_PRICED_QUERIES = 1000
_DECIMALS = 6  # of a US dollar: a ten-thousandth of a cent


class Usage(NamedTuple):
    """The bill of one search."""

    provider: str
    queries: int
    cost_usd: float


def find_usage(provider: Provider, queries: int, per_1k_queries: float) -> Usage | None:
    """Return the bill; `None` where nothing was billed: no query was run, or the provider is free of charge."""
    if not queries or not (provider.bills or per_1k_queries):
        return None
    return Usage(provider.name, queries, round(queries * per_1k_queries / _PRICED_QUERIES, _DECIMALS))
