"""Search providers in the lab: what a double says, at its real host name, and what the daemon sent to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.support import providers as doubles
from tests.support.lab.scene import OTHER_IPV4, WEB_IPV4, Answer, Log, Request, Response, Scene
from tests.support.providers import Answered, Asked, Double, Page

# Host name of each provider as its documentation gives it, the settings that choose it, and its double.
PROVIDERS: dict[str, tuple[str, dict[str, Any], Double]] = {
    "brave": ("api.search.brave.com", {"search_api_key": "brave-key"}, doubles.Brave()),
    "tavily": ("api.tavily.com", {"search_api_key": "tvly-key"}, doubles.Tavily()),
    "searxng": ("searx.example", {"search_url": "https://searx.example/"}, doubles.SearXNG()),
    "google": ("generativelanguage.googleapis.com", {"search_api_key": "AIza-key"}, doubles.Google()),
    "duckduckgo": ("html.duckduckgo.com", {}, doubles.DuckDuckGo()),
}
RESOLVER = "vertexaisearch.cloud.google.com"
SEARCH_FREELY = {"allow": ["search(*)", "web(*)"]}


def settings(name: str, **web: Any) -> dict[str, Any]:
    """Return the settings that choose a provider; what this is about comes before and after any person's answer."""
    return {"web": {"search_provider": name, **PROVIDERS[name][1], **web}, "permissions": SEARCH_FREELY}


def as_response(answered: Answered) -> Response:
    return Response(answered.status, answered.headers, answered.body)


def as_asked(request: Request) -> Asked:
    headers = {name.lower(): value for name, value in request.headers}
    return Asked(request.method, request.target, headers, request.body)


def provider_scene(name: str, *responses: Response, pages: Mapping[str, Response] | None = None) -> Scene:
    """Return a scene in which a provider says these things, one after the other."""
    names: dict[str, tuple[Answer, ...]] = {PROVIDERS[name][0]: ((WEB_IPV4,),), RESOLVER: ((OTHER_IPV4,),)}
    return Scene(names=names, responses=responses, pages=pages or {})


def found_by(name: str, pages: tuple[Page, ...] = doubles.PAGES) -> Response:
    """Return what a provider says when it finds pages."""
    if name == "duckduckgo":
        return as_response(doubles.DuckDuckGo(pages=pages)(Asked("GET", "/html/?q=x")))
    if name == "brave":
        asked = Asked("GET", "/res/v1/web/search?q=x&count=20", {"x-subscription-token": "brave-key"})
        return as_response(doubles.Brave(pages=pages)(asked))
    if name == "tavily":
        headers = {"authorization": "Bearer tvly-key", "content-type": "application/json"}
        asked = Asked("POST", "/search", headers, b'{"query": "x", "max_results": 20, "include_answer": true}')
        return as_response(doubles.Tavily(pages=pages)(asked))
    if name == "searxng":
        return as_response(doubles.SearXNG(pages=pages)(Asked("GET", "/search?q=x&format=json")))
    return as_response(doubles.as_json(200, doubles.Google(pages=pages).found()))


def redirects_of(double: doubles.Google) -> dict[str, Response]:
    """Return the redirects that Google's answer links to, as pages of a scene."""
    links = [f"/grounding-api-redirect/AUZIYQ{number}" for number in range(len(double.pages))]
    return {f"{RESOLVER}{link}": as_response(double.redirect(Asked("GET", link))) for link in links}


def sent_to(log: Log, host: str) -> list[Request]:
    """Return the requests that came for a host."""
    return [request for request in log.requests if request.header("Host") == host]
