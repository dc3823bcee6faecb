"""Whether the settings leave a search provider that can work, and what to do where they do not (WEB-10, PAGE-07).

Part of the start: nothing heavier than the settings is loaded unless `web.search_url` is set.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from blitzweb.limits import MAX_TARGET_BYTES

if TYPE_CHECKING:
    from blitzweb.settings import Settings

SELECTOR: Final = "web_search"

_VARIABLES: Final = {"brave": "BRAVE_API_KEY", "tavily": "TAVILY_API_KEY", "google": "GEMINI_API_KEY"}
_NO_KEY_NEEDED: Final = 'or set web.search_provider = "duckduckgo", which needs no key'
_VERTEX_VARIABLES: Final = ("GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_GENAI_USE_VERTEXAI")


class Unusable:
    """Why no search can be made, and how to mend it."""

    __slots__ = ("advice", "problem")

    def __init__(self, problem: str, advice: str) -> None:
        self.problem = problem
        self.advice = advice


def is_wanted(settings: Settings) -> bool:
    """Tell whether the settings ask for searching at all (PAGE-05, PAGE-07)."""
    web = settings.web
    denied = any(rule.strip() == SELECTOR for rule in settings.permissions.deny)
    return web.enabled and web.search_enabled and bool(web.search_provider) and not denied


def is_offered(settings: Settings, environ: Mapping[str, str]) -> bool:
    """Tell whether the four tools of the selector are on offer."""
    return is_wanted(settings) and why_unusable(settings, environ) is None


def why_unusable(settings: Settings, environ: Mapping[str, str]) -> Unusable | None:
    """Return what keeps the chosen provider from working, or `None`."""
    name = settings.web.search_provider
    if not name:
        return Unusable("no search provider is chosen", 'set web.search_provider, for example to "duckduckgo"')
    return _lacks_key(settings, environ) or _lacks_url(settings) or _lacks_model(settings)


def _lacks_key(settings: Settings, environ: Mapping[str, str]) -> Unusable | None:
    name, key = settings.web.search_provider, settings.web.search_api_key
    if name not in _VARIABLES:
        return None
    if name == "google" and _is_vertex(key, environ):
        return Unusable(
            'the search provider "google" takes an API key of the Gemini API; Vertex credentials are not supported',
            f"set web.search_api_key or {_VARIABLES[name]} to an API key, {_NO_KEY_NEEDED}",
        )
    if not key:
        return Unusable(
            f'the search provider "{name}" has no key',
            f"set web.search_api_key or {_VARIABLES[name]}, {_NO_KEY_NEEDED}",
        )
    if not (key.isascii() and key.isprintable() and " " not in key):
        return Unusable(
            f'the key of the search provider "{name}" has characters that no key has',
            "copy web.search_api_key again, without blanks and line breaks",
        )
    return None


def _is_vertex(key: str, environ: Mapping[str, str]) -> bool:
    """Tell whether what is there are credentials of the cloud platform: a service account, or an access token."""
    if not key:
        return any(environ.get(name) for name in _VERTEX_VARIABLES)
    return key.lstrip().startswith(("{", "ya29.")) or key.endswith(".json")


def _lacks_url(settings: Settings) -> Unusable | None:
    web = settings.web
    if not web.search_url:
        if web.search_provider != "searxng":
            return None
        return Unusable(
            'the search provider "searxng" needs web.search_url',
            "set web.search_url to the address of your instance, which must have the JSON format enabled "
            f"(search.formats), {_NO_KEY_NEEDED}",
        )
    from blitzweb.policy.urls import UrlRefused, parse_url

    try:
        parse_url(web.search_url)
    except UrlRefused as refused:
        return Unusable(f"web.search_url cannot be used: {refused.text}", "write a whole http:// or https:// URL")
    if len(web.search_url) > MAX_TARGET_BYTES:
        return Unusable(f"web.search_url is longer than {MAX_TARGET_BYTES} characters", "write a shorter one")
    return None


def _lacks_model(settings: Settings) -> Unusable | None:
    """Refuse what would not be one part of a path."""
    if settings.web.search_provider != "google":
        return None
    import re

    model = settings.web.search_model or settings.gemini.model
    if not model or re.fullmatch(r"(?:models/)?[A-Za-z0-9][A-Za-z0-9._-]{0,100}", model):
        return None
    return Unusable(
        'the model of the search provider "google" is no name of a Gemini model',
        "set web.search_model to a name such as gemini-2.5-flash; models of the cloud platform are not supported",
    )
