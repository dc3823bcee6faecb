"""A search engine for one set of settings: the chosen provider, its limits, and which addresses its host may have."""

from __future__ import annotations

from blitzweb.net.dialer import AddressRule
from blitzweb.search.engine import Search, Surroundings
from blitzweb.search.providers import make_provider
from blitzweb.settings import Settings


def make_search(settings: Settings, around: Surroundings) -> Search:
    """Return the engine; `usable` has said that it can work.

    A host that the user's own `search_url` names may be local, for these requests alone (SEARCH-07).
    """
    provider = make_provider(settings)
    opened = bool(settings.web.search_url) or settings.web.allow_private
    return Search(
        provider,
        around,
        rule=AddressRule(opened=opened),
        seconds=settings.web.timeout_seconds,
        price=settings.price(provider.name),
    )
