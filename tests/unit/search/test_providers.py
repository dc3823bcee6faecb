from __future__ import annotations

import contextlib
import json
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.search.failures import RateLimited, SearchFailed
from blitzweb.search.provider import Findings, Reply, Request
from blitzweb.search.providers.brave import Brave
from blitzweb.search.providers.duckduckgo import DuckDuckGo
from blitzweb.search.providers.google import Google
from blitzweb.search.providers.searxng import SearXNG
from blitzweb.search.providers.tavily import Tavily
from tests.support import providers as doubles
from tests.support.covers import covers
from tests.support.providers import Answered, Asked, Double, as_json


def asked_by(request: Request) -> Asked:
    url = urlsplit(request.url)
    headers = {name.lower(): value for name, value in request.headers.items()}
    target = f"{url.path}?{url.query}" if url.query else url.path
    return Asked("GET" if request.body is None else "POST", target, headers, request.body or b"")


def as_reply(answered: Answered) -> Reply:
    return Reply(answered.status, {name.lower(): value for name, value in answered.headers}, answered.body)


PAIRS = {
    "brave": (Brave(key="brave-key"), doubles.Brave()),
    "tavily": (Tavily(key="tvly-key"), doubles.Tavily()),
    "searxng": (SearXNG(url="https://searx.example"), doubles.SearXNG()),
    "google": (Google(key="AIza-key"), doubles.Google()),
    "duckduckgo": (DuckDuckGo(), doubles.DuckDuckGo()),
}
EVERY = pytest.mark.parametrize(("provider", "double"), PAIRS.values(), ids=PAIRS)
EVERY_PROVIDER = pytest.mark.parametrize("provider", [pair[0] for pair in PAIRS.values()], ids=PAIRS)


def search(provider, double: Double, query: str = "rust & <go>", count: int = 5) -> Findings:
    return provider.read(as_reply(double(asked_by(provider.request(query, count)))))


def fail(provider, answered: Answered) -> SearchFailed:
    with pytest.raises(SearchFailed) as failed:
        provider.read(as_reply(answered))
    assert failed.value.message.startswith("web search: ")
    return failed.value


# --- requests, results -----------------------------------------------------------------------------------------------


@covers("WEB-10", "PAGE-01")
@EVERY
def test_what_a_provider_documents_is_asked_and_its_results_are_read(provider, double):
    found = search(provider, double)
    assert [(hit.title.replace("<strong>Page</strong>", "Page"), hit.snippet) for hit in found.hits[1:3]] == [
        (page.title if provider.name != "google" else urlsplit(page.url).netloc, snippet)
        for page, snippet in zip(
            double.pages[1:3],
            (["What page 2 says. … Shared.", "What page 3 says."] if provider.name == "google" else
             [page.snippet for page in double.pages[1:3]]),
            strict=True,
        )
    ]  # fmt: skip


@covers("WEB-10")
@pytest.mark.parametrize(
    ("provider", "url"),
    [
        (PAIRS["brave"][0], "https://api.search.brave.com/res/v1/web/search?q=a+b%26c&count=7"),
        (PAIRS["tavily"][0], "https://api.tavily.com/search"),
        (PAIRS["searxng"][0], "https://searx.example/search?q=a+b%26c&format=json"),
        (
            PAIRS["google"][0],
            "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent",
        ),
        (PAIRS["duckduckgo"][0], "https://html.duckduckgo.com/html/?q=a+b%26c"),
        (
            SearXNG(url="https://x.example/sub/search?lang=de"),
            "https://x.example/sub/search?lang=de&q=a+b%26c&format=json",
        ),
        (SearXNG(url="https://x.example/sub/"), "https://x.example/sub/search?q=a+b%26c&format=json"),
        (Brave(key="k", url="http://localhost:1/b?x=1#f"), "http://localhost:1/b?x=1&q=a+b%26c&count=7"),
        (Tavily(key="k", url="http://localhost:1/t"), "http://localhost:1/t"),
        (
            Google(key="k", model="models/m"),
            "https://generativelanguage.googleapis.com/v1beta/models/m:generateContent",
        ),
        (
            Google(key="k", url="http://localhost:1/"),
            "http://localhost:1/v1beta/models/gemini-2.5-flash:generateContent",
        ),
        (DuckDuckGo(url="http://localhost:1/html"), "http://localhost:1/html?q=a+b%26c"),
    ],
)
def test_the_address_is_the_documented_one_or_that_of_search_url(provider, url):
    assert provider.request("a b&c", 7).url == url


@covers("WEB-10")
def test_keys_stand_in_headers_alone():
    for provider in (Brave(key="K-E-Y"), Tavily(key="K-E-Y"), Google(key="K-E-Y")):
        request = provider.request("q", 5)
        assert any("K-E-Y" in value for value in request.headers.values())
        assert "K-E-Y" not in request.url
        assert b"K-E-Y" not in (request.body or b"")


@covers("PAGE-24")
def test_duckduckgo_is_sent_one_get_with_the_query_alone():
    request = DuckDuckGo().request("a", 5)
    assert request == Request("https://html.duckduckgo.com/html/?q=a", {"Accept": "text/html"})


@EVERY
def test_no_result_is_no_error(provider, double):
    assert [hit for hit in search(provider, type(double)(pages=())).hits if hit.url] == []


@covers("WEB-11")
def test_the_answers_of_tavily_searxng_and_google():
    assert search(*PAIRS["tavily"]).answer == "A summary by Tavily."
    assert search(*PAIRS["google"]).answer == "The answer of Gemini."
    for answers in ([{"answer": "42", "url": None}], ["42"], [{"template": "x"}, {"answer": "42"}]):
        assert search(PAIRS["searxng"][0], doubles.SearXNG(answers=answers)).answer == "42"


@covers("WEB-11", "WEB-15")
def test_google_that_did_not_search_costs_nothing_and_has_no_results():
    candidate = {"content": {"parts": [{"text": "From memory."}]}, "finishReason": "STOP"}
    found = PAIRS["google"][0].read(as_reply(as_json(200, {"candidates": [candidate]})))
    assert found == Findings((), "From memory.", 0)


@covers("WEB-15")
def test_google_bills_each_query_that_it_ran():
    assert search(*PAIRS["google"]).queries == 3


@covers("WEB-11")
def test_segments_that_name_no_chunk_are_left_out():
    whole = doubles.Google().found()
    supports = whole["candidates"][0]["groundingMetadata"]["groundingSupports"]
    supports.append({"segment": {"text": "stray"}, "groundingChunkIndices": [99, -1]})
    supports.append({"groundingChunkIndices": [0]})
    found = PAIRS["google"][0].read(as_reply(as_json(200, whole)))
    assert not any("stray" in hit.snippet for hit in found.hits)


# --- errors ----------------------------------------------------------------------------------------------------------


@covers("WEB-13")
@pytest.mark.parametrize(
    ("provider", "answered"),
    [
        (PAIRS["brave"][0], doubles.BRAVE_WRONG_KEY),
        (PAIRS["brave"][0], doubles.BRAVE_MISSING_KEY),
        (PAIRS["brave"][0], as_json(422, {"errors": [{"code": "SUBSCRIPTION_TOKEN_INVALID"}]})),
        (PAIRS["google"][0], doubles.GOOGLE_WRONG_KEY),
        (PAIRS["google"][0], doubles.GOOGLE_DENIED),
        (PAIRS["tavily"][0], doubles.Tavily()(asked_by(Tavily(key="other").request("q", 5)))),
        *[(pair[0], Answered(status, b"no")) for pair in PAIRS.values() for status in (401, 403)],
    ],
)
def test_a_key_that_is_no_good_is_said_with_the_remedy(provider, answered):
    failed = fail(provider, answered)
    assert "authentication failed" in failed.message
    assert failed.advice


@covers("WEB-13")
def test_searxng_403_is_the_format_that_is_not_enabled():
    failed = fail(PAIRS["searxng"][0], doubles.SEARXNG_NO_JSON)
    assert "the JSON format is not enabled" in failed.message
    assert "search.formats" in failed.advice


@covers("WEB-13", "SEARCH-02")
@pytest.mark.parametrize(
    ("provider", "answered", "wait"),
    [
        (PAIRS["brave"][0], doubles.BRAVE_RATE_LIMITED, 1.0),
        (PAIRS["google"][0], doubles.google_exhausted("57.238747106s"), 57.238747106),
        (PAIRS["google"][0], doubles.google_error(429, "RESOURCE_EXHAUSTED", "Quota."), None),
        (PAIRS["tavily"][0], doubles.TAVILY_RATE_LIMITED, None),
        (PAIRS["searxng"][0], doubles.SEARXNG_LIMITED, None),
        *[(pair[0], Answered(429, b"slow down"), None) for pair in PAIRS.values()],
        *[(pair[0], Answered(429, b"", (("Retry-After", "30"),)), 30.0) for pair in PAIRS.values()],
    ],
)
def test_a_limit_of_the_rate_is_said_with_the_wait_where_one_is_stated(provider, answered, wait):
    failed = fail(provider, answered)
    assert isinstance(failed, RateLimited)
    assert failed.wait == wait
    assert "rate limited" in failed.message
    assert (f"{wait:.0f} s" in failed.message) if wait is not None else ("again in" not in failed.message)


@covers("WEB-13")
@pytest.mark.parametrize(
    ("answered", "words"), [(doubles.TAVILY_PLAN_LIMIT, "the plan"), (doubles.TAVILY_PAYG_LIMIT, "pay-as-you-go")]
)
def test_a_limit_of_tavilys_plan_is_told_from_a_limit_of_the_rate(answered, words):
    assert words in fail(PAIRS["tavily"][0], answered).message


@covers("WEB-13")
@EVERY_PROVIDER
def test_other_statuses_tell_the_beginning_of_the_body_on_one_line(provider):
    failed = fail(provider, Answered(503, b"over\x1b[31m\r\nloaded\x00 " + "é".encode() * 200))
    assert failed.message.startswith("web search: HTTP 503: over [31m loaded éé")
    assert len(failed.message.encode()) < 260
    assert failed.message.isprintable()


@covers("WEB-13")
@EVERY_PROVIDER
def test_a_redirect_is_not_followed_and_its_target_named(provider):
    failed = fail(provider, Answered(302, b"", (("Location", "https://user:pw@elsewhere.example/x"),)))
    assert "HTTP 302" in failed.message
    assert "elsewhere.example/x" in failed.message
    assert "pw" not in failed.message


@covers("WEB-13")
@pytest.mark.parametrize("body", [b"", b"<html>", b'{"a": 1', b"\xff\xfe\xfa", b'{"a":' * 100_000, b"[" * 100_000])
@pytest.mark.parametrize("name", ["brave", "tavily", "searxng", "google"])
def test_what_is_not_json_is_said(name, body):
    assert f"the answer of {name} is not JSON" in fail(PAIRS[name][0], Answered(200, body)).message


@covers("WEB-13")
@pytest.mark.parametrize(
    ("name", "value", "path"),
    [
        ("brave", [], "it is a list, not an object"),
        ("brave", {"web": []}, '"web" is a list, not an object'),
        ("brave", {"web": {"results": {}}}, '"web.results" is an object, not a list'),
        ("brave", {"web": {"results": ["x"]}}, '"web.results[0]" is a text, not an object'),
        ("brave", {"web": {"results": [{"title": 5}]}}, '"web.results[0].title" is a number, not a text'),
        ("tavily", "x", "it is a text, not an object"),
        ("tavily", {"results": [{"url": ["u"]}]}, '"results[0].url" is a list, not a text'),
        ("tavily", {"results": [], "answer": {}}, '"answer" is an object, not a text'),
        ("searxng", {"results": 1.5}, '"results" is a number, not a list'),
        ("searxng", {"results": [], "answers": [3]}, '"answers[0]" is a number, not an object'),
        ("google", {"candidates": "x"}, '"candidates" is a text, not a list'),
        ("google", {}, 'has no "candidates"'),
        (
            "google",
            {"candidates": [{"groundingMetadata": {"groundingChunks": [{"web": 1}]}}]},
            '"candidates[0].groundingMetadata.groundingChunks[0].web" is a number, not an object',
        ),
        (
            "google",
            {"candidates": [{"groundingMetadata": {"groundingSupports": [{"groundingChunkIndices": [True]}]}}]},
            'groundingChunkIndices[0]" is a boolean, not a whole number',
        ),
        ("google", {"candidates": [{"groundingMetadata": {"webSearchQueries": [1]}}]}, "not a text"),
    ],
)
def test_wrong_types_are_said_with_their_place(name, value, path):
    assert path in fail(PAIRS[name][0], as_json(200, value)).message


@covers("WEB-13")
def test_what_google_blocks_is_said():
    blocked = as_json(200, {"promptFeedback": {"blockReason": "SAFETY"}})
    assert "refused the query (SAFETY)" in fail(PAIRS["google"][0], blocked).message


STATUSES = [200, 202, 302, 400, 401, 403, 422, 429, 432, 500]
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    *(
                        "web",
                        "results",
                        "title",
                        "url",
                        "description",
                        "content",
                        "answer",
                        "answers",
                        "candidates",
                        "parts",
                    ),
                    *(
                        "groundingMetadata",
                        "groundingChunks",
                        "groundingSupports",
                        "segment",
                        "text",
                        "webSearchQueries",
                    ),
                    *(
                        "error",
                        "errors",
                        "details",
                        "meta",
                        "loc",
                        "detail",
                        "reason",
                        "retryDelay",
                        "groundingChunkIndices",
                    ),
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=25,
)


@covers("WEB-13")
@given(value=ANY_JSON, status=st.sampled_from(STATUSES), name=st.sampled_from([*PAIRS]))
def test_whatever_json_comes_it_is_read_or_said_to_be_wrong(value, status, name):
    with contextlib.suppress(SearchFailed):
        json.dumps(PAIRS[name][0].read(as_reply(as_json(status, value))))
