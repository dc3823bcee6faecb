"""The providers, one module each, and the choice among them by the settings (WEB-10)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from blitzweb.search.provider import Provider
from blitzweb.search.providers.brave import Brave
from blitzweb.search.providers.duckduckgo import DuckDuckGo
from blitzweb.search.providers.google import Google
from blitzweb.search.providers.searxng import SearXNG
from blitzweb.search.providers.tavily import Tavily
from blitzweb.settings import Settings
from blitzweb.settings.tables import Web

_MAKERS: Final[Mapping[str, Callable[[Web, str], Provider]]] = {
    "brave": lambda web, _model: Brave(key=web.search_api_key, url=web.search_url),
    "tavily": lambda web, _model: Tavily(key=web.search_api_key, url=web.search_url),
    "searxng": lambda web, _model: SearXNG(url=web.search_url),
    "google": lambda web, model: Google(key=web.search_api_key, model=model, url=web.search_url),
    "duckduckgo": lambda web, _model: DuckDuckGo(url=web.search_url),
}


def make_provider(settings: Settings) -> Provider:
    """Return the chosen provider; `usable` has said that it can work."""
    web = settings.web
    return _MAKERS[web.search_provider](web, web.search_model or settings.gemini.model)
