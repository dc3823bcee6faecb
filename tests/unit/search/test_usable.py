from __future__ import annotations

import pytest

from blitzweb.search.pricing import Usage, find_usage
from blitzweb.search.providers import make_provider
from blitzweb.search.usable import is_offered, is_wanted, why_unusable
from blitzweb.settings import load_settings
from tests.support.covers import covers


def load(web=None, environ=None, **tables):
    return load_settings(
        host={"web": web or {}, **tables}, environ={"BLITZWEB_CONFIG": "", "HOME": "/nowhere", **(environ or {})}
    )


def complain(web=None, environ=None, **tables):
    return why_unusable(load(web, environ, **tables), environ or {})


@covers("PAGE-07", "WEB-10")
def test_the_default_is_duckduckgo_which_needs_nothing():
    settings = load()
    assert settings.web.search_provider == "duckduckgo"
    assert is_offered(settings, {})


@covers("WEB-10")
@pytest.mark.parametrize(
    ("web", "environ", "tables"),
    [
        ({"search_provider": "brave", "search_api_key": "k"}, {}, {}),
        ({"search_provider": "brave"}, {"BRAVE_API_KEY": "k"}, {}),
        ({"search_provider": "tavily"}, {"TAVILY_API_KEY": "k"}, {}),
        ({"search_provider": "google"}, {"GEMINI_API_KEY": "k"}, {}),
        ({"search_provider": "google"}, {"GOOGLE_API_KEY": "k"}, {}),
        ({"search_provider": "google"}, {}, {"llm": {"gemini": {"api_key": "k"}}}),
        ({"search_provider": "google", "search_api_key": "k"}, {"GOOGLE_APPLICATION_CREDENTIALS": "/x.json"}, {}),
        ({"search_provider": "searxng", "search_url": "http://127.0.0.1:8080"}, {}, {}),
        ({"search_url": "https://html.example/html"}, {}, {}),
    ],
)
def test_a_provider_with_what_it_needs_is_usable_and_can_be_made(web, environ, tables):
    assert complain(web, environ, **tables) is None
    settings = load(web, environ, **tables)
    assert make_provider(settings).name == settings.web.search_provider


@covers("WEB-10")
@pytest.mark.parametrize(
    ("web", "environ", "problem", "remedy"),
    [
        ({"search_provider": "brave"}, {}, '"brave" has no key', "BRAVE_API_KEY"),
        ({"search_provider": "tavily"}, {"BRAVE_API_KEY": "k"}, '"tavily" has no key', "TAVILY_API_KEY"),
        ({"search_provider": "google"}, {}, '"google" has no key', "GEMINI_API_KEY"),
        ({"search_provider": "searxng"}, {}, "needs web.search_url", "search.formats"),
        ({"search_provider": "searxng", "search_url": "ftp://x"}, {}, "ftp", "http://"),
        ({"search_url": "localhost:8080"}, {}, "web.search_url cannot be used", "http://"),
        ({"search_url": "http://a.example/" + "x" * 4096}, {}, "longer than 4096", "shorter"),
        ({"search_provider": "google", "search_api_key": "k", "search_model": "a b"}, {}, "no name of a", "gemini-"),
        ({"search_provider": "google", "search_api_key": "k", "search_model": "x/../y"}, {}, "no name of a", "gemini-"),
        (
            {"search_provider": "google", "search_api_key": "k", "search_model": "projects/p/x"},
            {},
            "no name",
            "gemini-",
        ),
        ({"search_provider": ""}, {}, "no search provider is chosen", "web.search_provider"),
        ({"search_provider": "brave", "search_api_key": "two words"}, {}, "characters that no key has", "again"),
        ({"search_provider": "brave", "search_api_key": "k\r\nX: y"}, {}, "characters that no key has", "again"),
        ({"search_provider": "google", "search_api_key": '{"type": "service_account"}'}, {}, "Vertex", "API key"),
        ({"search_provider": "google", "search_api_key": "/home/x/key.json"}, {}, "Vertex", "API key"),
        ({"search_provider": "google", "search_api_key": "ya29.token"}, {}, "Vertex", "API key"),
        ({"search_provider": "google"}, {"GOOGLE_APPLICATION_CREDENTIALS": "/x"}, "Vertex", "API key"),
    ],
)
def test_what_is_missing_is_said_with_the_remedy(web, environ, problem, remedy):
    unusable = complain(web, environ)
    assert unusable is not None
    assert problem in unusable.problem
    assert remedy in unusable.advice
    assert len(web.get("search_api_key", "")) < 2 or web["search_api_key"] not in unusable.problem + unusable.advice


@covers("PAGE-05", "PAGE-07")
@pytest.mark.parametrize(
    ("web", "permissions", "wanted"),
    [
        ({}, {}, True),
        ({"search_enabled": False}, {}, False),
        ({"enabled": False}, {}, False),
        ({"search_provider": ""}, {}, False),
        ({}, {"deny": [" web_search "]}, False),
        ({}, {"deny": ["search(duckduckgo)", "web_open"]}, True),
    ],
)
def test_the_settings_turn_the_selector_on_and_off(web, permissions, wanted):
    assert is_wanted(load(web, permissions=permissions)) is wanted


@covers("WEB-15")
def test_queries_are_priced_by_the_thousand():
    google = make_provider(load({"search_provider": "google", "search_api_key": "k"}))
    brave = make_provider(load({"search_provider": "brave", "search_api_key": "k"}))
    free = make_provider(load())
    assert find_usage(google, 3, load().price("google")) == Usage("google", 3, 0.042)
    assert find_usage(google, 0, 14.0) is None
    assert find_usage(brave, 1, load().price("brave")) == Usage("brave", 1, 0.0)
    assert find_usage(free, 1, 0.0) is None
    assert find_usage(free, 1, 5.0) == Usage("duckduckgo", 1, 0.005)


@covers("WEB-10")
def test_the_model_of_google_is_the_searchs_then_geminis_then_the_default():
    web = {"search_provider": "google", "search_api_key": "k"}
    for settings, model in (
        (load(web), "gemini-2.5-flash"),
        (load(web, llm={"gemini": {"model": "g"}}), "g"),
        (load(web | {"search_model": "s"}, llm={"gemini": {"model": "g"}}), "s"),
    ):
        assert f"/models/{model}:" in make_provider(settings).request("q", 1).url
