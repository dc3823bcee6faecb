"""Searches end to end: the real endpoints of every provider under TLS, and what each says when something is wrong."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support import providers as doubles
from tests.support.covers import covers
from tests.support.lab.daemon import Daemon
from tests.support.lab.lab import Lab
from tests.support.lab.scene import OTHER_IPV4, WEB_IPV4, Response, Scene
from tests.support.lab.searching import (
    PROVIDERS,
    RESOLVER,
    SEARCH_FREELY,
    as_asked,
    as_response,
    found_by,
    provider_scene,
    redirects_of,
    sent_to,
    settings,
)
from tests.support.providers import PAGES, Answered, Page, as_json

EVERY = pytest.mark.parametrize("name", PROVIDERS)
PROXY = "10.0.0.99"
FOUR = ["web_search", "web_open", "web_find", "web_click"]
NO_DETAIL = ("93.184.", "10.0.0", "2606:", "x-sub", "authorization", "proxy", "tls1", "sni", "errno")


@pytest.fixture(scope="module")
def shared(running_lab: Lab, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with Daemon(running_lab, tmp_path_factory.mktemp("search"), {}) as daemon:
        yield daemon


@pytest.fixture
def choose(lab: Lab, shared: Daemon) -> Callable[..., Daemon]:
    """Return the daemon with a provider chosen."""

    def chosen(name: str, **web: Any) -> Daemon:
        shared.ask("settings/update", {"settings": {"network": {"ca_file": str(lab.ca_file)}, **settings(name, **web)}})
        shared._unmatched.clear()  # what earlier tests were told
        return shared

    return chosen


@pytest.fixture
def start(lab: Lab, tmp_path: Path) -> Iterator[Callable[..., Daemon]]:
    daemons: list[Daemon] = []

    def begin(settings: dict[str, Any] | None = None, **environment: str) -> Daemon:
        daemons.append(Daemon(lab, tmp_path, settings, **environment))
        return daemons[-1]

    yield begin
    for daemon in daemons:
        daemon.__exit__()


# --- results ----------------------------------------------------------------------------------------------------------


@covers("WEB-10", "WEB-12", "WEB-13", "PAGE-16", "PAGE-24", "SEARCH-04")
@EVERY
def test_a_search_asks_the_real_endpoint_as_documented(lab: Lab, choose: Callable[..., Daemon], name: str) -> None:
    host, _, double = PROVIDERS[name]
    pages = redirects_of(doubles.Google())
    lab.play(provider_scene(name, found_by(name), pages=pages))
    found = choose(name).use("web_search", query="go & <json>", max_results=3)
    assert found.allowed, found.text
    (sent,) = sent_to(lab.log(), host)
    assert (sent.port, sent.server_name) == (443, host)
    assert double(as_asked(sent)).status == 200, double(as_asked(sent)).body
    assert sent.header("User-Agent") == "blitz/2 (+web_search)"
    assert sent.header("Cookie") is None
    assert sent.header("Referer") is None
    results = found.output["results"]
    assert [result["url"] for result in results] == [page.url for page in PAGES[:3]]
    assert [result["snippet"].partition(" … ")[0] for result in results] == [page.snippet for page in PAGES[:3]]
    assert found.output["provider"] == name
    first = results[0]
    block = f"[1] {first['title']} (ref: {first['ref']})\n    {first['url']}\n    {first['snippet']}\n"
    assert block in found.text
    assert "untrusted" in found.text.splitlines()[0]
    assert name in found.text.splitlines()[0]


@covers("WEB-13")
@EVERY
def test_a_search_that_finds_nothing_is_no_error(lab: Lab, choose: Callable[..., Daemon], name: str) -> None:
    lab.play(provider_scene(name, found_by(name, ())))
    found = choose(name).use("web_search", query="x")
    assert found.allowed, found.text
    assert found.output["results"] == []
    assert "No results." in found.text


@covers("WEB-11", "WEB-15")
def test_google_cites_pages_and_is_billed_by_the_query(lab: Lab, choose: Callable[..., Daemon]) -> None:
    google = doubles.Google(pages=PAGES[:3])
    redirects = redirects_of(google)
    redirects[f"{RESOLVER}/grounding-api-redirect/AUZIYQ1"] = Response(404)
    lab.play(provider_scene("google", found_by("google", PAGES[:3]), pages=redirects))
    daemon = choose("google")
    found = daemon.use("web_search", query="x", context={"session": "s", "grants": ["https://a.example/"]})
    assert found.output["answer"] == "The answer of Gemini."
    assert "Summary by google itself, unverified: The answer of Gemini." in found.text
    urls = [result["url"] for result in found.output["results"]]
    assert urls == [PAGES[0].url, doubles.Google.link(1), PAGES[2].url]
    usage = daemon.find(lambda message: message.get("method") == "usage/search")["params"]
    assert (usage["provider"], usage["queries"], usage["cost_usd"]) == ("google", 3, 0.042)
    assert usage["context"]["session"] == "s"
    assert lab.log().attempts() == {WEB_IPV4, OTHER_IPV4}
    assert all(request.server_name == RESOLVER for request in lab.log().requests if request.address == OTHER_IPV4)


@covers("WEB-11")
def test_redirects_of_google_are_resolved_side_by_side(lab: Lab, choose: Callable[..., Daemon]) -> None:
    pages = PAGES[:4]
    hold = {f"{RESOLVER}/grounding-api-redirect/AUZIYQ{n}": Response(raw=b"", then="hold") for n in range(4)}
    lab.play(provider_scene("google", found_by("google", pages), pages=hold))
    daemon = choose("google", timeout_seconds=1)
    begin = time.monotonic()
    found = daemon.use("web_search", query="x")
    assert time.monotonic() - begin < 2
    assert [result["url"] for result in found.output["results"]] == [doubles.Google.link(number) for number in range(4)]


@covers("WEB-15")
def test_what_is_priced_is_told_and_what_is_free_is_not(lab: Lab, choose: Callable[..., Daemon]) -> None:
    for name, billed in (("brave", True), ("duckduckgo", False)):
        lab.play(provider_scene(name, found_by(name)))
        daemon = choose(name)
        daemon.use("web_search", query="x")
        daemon.call("ping", identity="after the notification")
        told = [message for message in daemon._unmatched if message.get("method") == "usage/search"]
        daemon._unmatched.clear()
        assert [(message["params"]["queries"], message["params"]["cost_usd"]) for message in told] == [(1, 0)] * billed


@covers("WEB-13")
def test_denied_hosts_are_dropped_and_the_rest_counts(lab: Lab, choose: Callable[..., Daemon]) -> None:
    lab.play(provider_scene("brave", found_by("brave")))
    daemon = choose("brave", deny_domains=["site1.example", "site3.example"])
    results = daemon.use("web_search", query="x", max_results=3).output["results"]
    assert [result["url"] for result in results] == [PAGES[number].url for number in (1, 3, 4)]


@covers("WEB-13", "PAGE-16")
def test_the_text_is_bounded_and_what_was_left_out_is_counted(lab: Lab, choose: Callable[..., Daemon]) -> None:
    many = tuple(Page("t" * 300, f"https://a.example/{n}/{'u' * 3000}", "s" * 500) for n in range(20))
    lab.play(provider_scene("brave", found_by("brave", many)))
    found = choose("brave").use("web_search", query="x", max_results=20)
    assert len(found.output["results"]) == 20
    assert len(found.text.encode()) <= 20 * 1024
    assert "more results did not fit" in found.text


# --- what goes wrong --------------------------------------------------------------------------------------------------

BIG = b'{"web": "' + b"x" * (10 * 1024 * 1024) + b'"}'
WRONG_TYPES = {
    "brave": {"web": {"results": "x"}},
    "tavily": {"results": "x"},
    "searxng": {"results": "x"},
    "google": {"candidates": "x"},
    "duckduckgo": {},
}
JSON_TYPE, HTML_TYPE = (("Content-Type", "application/json"),), (("Content-Type", "text/html"),)


def typed(name: str) -> tuple[tuple[str, str], ...]:
    return HTML_TYPE if name == "duckduckgo" else JSON_TYPE


FAULTS: dict[str, tuple[Callable[[str], Response], str]] = {
    "401": (lambda _: Response(401, body=b"no"), "authentication failed"),
    "403": (lambda _: Response(403, body=b"no"), "authentication failed"),
    "429": (lambda _: Response(429, body=b"no"), "rate limited"),
    "429 with a wait": (lambda _: Response(429, (("Retry-After", "30"),)), "again in 30 s"),
    "500": (lambda _: Response(500, body=b"oops\nat line 3"), "HTTP 500: oops at line 3"),
    "503 empty": (lambda _: Response(503, body=b""), "HTTP 503"),
    "redirect": (lambda _: Response(302, (("Location", "https://b.example/"),)), "https://b.example/"),
    "slow": (lambda _: Response(raw=b"HTTP/1.1 200 OK\r\n", then="hold"), "timed out after 0.3 s"),
    "slow body": (
        lambda name: Response(raw=b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{", then="hold"),
        "timed out after 0.3 s",
    ),
    "truncated": (
        lambda _: Response(raw=b'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"web"', then="close"),
        "request failed while reading the body",
    ),
    "reset": (lambda _: Response(raw=b"", then="reset"), "request failed while waiting for the response headers"),
    "no HTTP": (lambda _: Response(raw=b"220 smtp ready\r\n", then="close"), "request failed"),
    "not what it should be": (lambda name: Response(200, typed(name), b"\x00\xff not it"), "the answer of"),
    "wrong types": (lambda name: Response(200, typed(name), as_json(200, WRONG_TYPES[name]).body), "the answer of"),
    "10 MiB": (lambda name: Response(200, typed(name), BIG), "is longer than 2 MiB"),
}  # fmt: skip


@covers("WEB-13", "PAGE-34")
@EVERY
@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_of_a_provider_is_said(lab: Lab, choose: Callable[..., Daemon], name: str, fault: str) -> None:
    answer, words = FAULTS[fault]
    lab.play(provider_scene(name, *[answer(name)] * 2))
    found = choose(name, timeout_seconds=0.3 if "slow" in fault else 10).use("web_search", query="x")
    assert found.is_error, found
    assert found.code is None, found
    assert found.output["error"].startswith("web search: ")
    assert words in found.text
    assert not any(detail in found.text.lower() for detail in NO_DETAIL)
    assert all(str(key) not in found.text for key in PROVIDERS[name][1].values() if "key" in str(key))
    assert len(lab.log().requests) == 1


@covers("WEB-13")
def test_a_key_that_comes_back_in_an_error_is_masked(lab: Lab, choose: Callable[..., Daemon]) -> None:
    lab.play(provider_scene("brave", Response(500, body=b"bad key brave-key")))
    assert "HTTP 500: bad key [REDACTED]" in choose("brave").use("web_search", query="x").text


@covers("SEARCH-02")
@pytest.mark.parametrize("name", ["brave", "tavily", "searxng", "google"])
def test_a_short_wait_is_kept_and_the_search_made_once_more(lab: Lab, choose: Callable[..., Daemon], name: str) -> None:
    limited = Response(429, (("Retry-After", "0.1"),))
    lab.play(provider_scene(name, limited, found_by(name), pages=redirects_of(doubles.Google())))
    assert choose(name).use("web_search", query="x").allowed
    lab.play(provider_scene(name, limited, limited, found_by(name)))
    assert "rate limited" in choose(name).use("web_search", query="x").text
    assert len(sent_to(lab.log(), PROVIDERS[name][0])) == 2


@covers("SEARCH-02")
@pytest.mark.parametrize(("name", "wait"), [("duckduckgo", "0"), ("brave", "2.1"), ("brave", None)])
def test_no_wait_a_long_one_and_duckduckgo_are_never_tried_again(
    lab: Lab, choose: Callable[..., Daemon], name: str, wait: str | None
) -> None:
    headers = () if wait is None else (("Retry-After", wait),)
    lab.play(provider_scene(name, Response(429, headers), found_by(name)))
    assert "rate limited" in choose(name).use("web_search", query="x").text
    assert len(lab.log().requests) == 1


@covers("SEARCH-03")
@pytest.mark.parametrize("status", [200, 202])
def test_the_challenge_of_duckduckgo_is_said_as_such(lab: Lab, choose: Callable[..., Daemon], status: int) -> None:
    challenge = doubles.DuckDuckGo(challenge_status=status)(doubles.Asked("GET", "/html/?q=x"))
    lab.play(provider_scene("duckduckgo", as_response(challenge)))
    found = choose("duckduckgo").use("web_search", query="x")
    assert found.is_error
    assert "challenge" in found.text
    assert "search_provider" in found.text


@covers("WEB-14", "SEARCH-01")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"query": ""}, "invalid query"),
        ({"query": "x" * 513}, "invalid query"),
        ({"query": "x", "max_results": 0}, "max_results takes a whole number from 1 to 20, not 0"),
        ({"query": "x", "max_results": 21}, "max_results takes a whole number from 1 to 20, not 21"),
        ({"query": "x", "url": "https://a.example"}, "url"),
        ({}, "query is missing"),
    ],
)
def test_wrong_arguments_send_nothing(
    lab: Lab, choose: Callable[..., Daemon], arguments: dict[str, Any], words: str
) -> None:
    found = choose("searxng").use("web_search", **arguments)
    assert found.is_error
    assert found.output["error"].startswith("web search: ")
    assert words in found.text
    assert lab.log().packets == []


# --- decisions --------------------------------------------------------------------------------------------------------


@covers("WEB-12", "WEB-14", "APPROVAL-14")
@pytest.mark.parametrize(
    ("extra", "context", "words"),
    [
        ({"sandbox": {"allow_network": False}}, {}, "sandbox.allow_network"),
        ({"permissions": {"deny": ["search(brave)"]}}, {}, 'the rule "search(brave)"'),
        ({"permissions": {"ask": ["search(b*)"], "allow": ["web_search"]}}, {}, "permissions.ask"),
        ({"permissions": {}}, {}, 'permissions.allow = ["search(brave)"]'),
        ({"permissions": {}}, {"mode": "unattended"}, 'permissions.allow = ["search(brave)"]'),
        ({"egress": {"mode": "deny-all"}}, {}, "egress.mode"),
    ],
)
def test_a_search_that_is_refused_sends_nothing(
    lab: Lab, start: Callable[..., Daemon], extra: dict[str, Any], context: dict[str, Any], words: str
) -> None:
    found = start(settings("brave") | extra).use("web_search", context=context, query="x")
    assert found.is_error
    assert "not approved" in found.text
    assert words in found.text
    assert lab.log().packets == []


@covers("WEB-12")
@pytest.mark.parametrize(
    "permissions", [{"allow": ["search(br*)"]}, {"allow": ["web_search"]}, {"allow": ["search(*)"], "ask": ["web(*)"]}]
)
@pytest.mark.parametrize("mode", ["normal", "plan", "read_only", "unattended"])
def test_rules_let_a_search_go_ahead_in_every_mode(
    lab: Lab, start: Callable[..., Daemon], permissions: dict[str, Any], mode: str
) -> None:
    lab.play(provider_scene("brave", found_by("brave")))
    daemon = start(settings("brave") | {"permissions": permissions})
    assert daemon.use("web_search", context={"mode": mode}, query="x").allowed


@covers("EGRESS-09")
def test_the_providers_host_is_implied_by_an_allow_list_and_what_it_finds_is_not(
    lab: Lab, start: Callable[..., Daemon]
) -> None:
    lab.play(provider_scene("brave", found_by("brave")))
    daemon = start(settings("brave") | {"egress": {"mode": "allowlist", "domains": []}})
    assert daemon.use("web_search", query="x").allowed
    assert "egress.domains" in daemon.use("web_open", ref_id="web-1").text
    assert lab.log().attempts() == {WEB_IPV4}


@covers("PAGE-25")
def test_a_proxy_of_the_environment_carries_searches(lab: Lab, start: Callable[..., Daemon]) -> None:
    scene = provider_scene("duckduckgo", Response(200), found_by("duckduckgo"))
    lab.play(Scene(scene.names, scene.responses, addresses=frozenset({PROXY, WEB_IPV4}), ports=(80, 443, 3128)))
    found = start(settings("duckduckgo"), HTTPS_PROXY=f"http://u:secret@{PROXY}:3128").use("web_search", query="x")
    assert found.allowed, found.text
    log = lab.log()
    assert log.attempts() == {PROXY}
    assert log.requests[0].method == "CONNECT"
    daemon = start(settings("duckduckgo"), HTTPS_PROXY=f"http://u:secret@{PROXY}:1")
    failed = daemon.use("web_search", query="x")
    assert "request failed" in failed.text
    assert not any(word in failed.text for word in ("secret", PROXY, "proxy"))


@covers("PAGE-25")
def test_no_proxy_exempts_the_endpoint(lab: Lab, start: Callable[..., Daemon]) -> None:
    lab.play(provider_scene("duckduckgo", found_by("duckduckgo")))
    daemon = start(settings("duckduckgo"), HTTPS_PROXY=f"http://{PROXY}:3128", NO_PROXY="duckduckgo.com")
    assert daemon.use("web_search", query="x").allowed
    assert lab.log().attempts() == {WEB_IPV4}


@covers("SEARCH-07")
@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "10.0.0.5", "inner.example", "100.64.0.7", "[fd00::7]"])
def test_the_host_of_search_url_may_be_local_for_that_request_alone(
    lab: Lab, start: Callable[..., Daemon], host: str
) -> None:
    addresses = frozenset({"10.0.0.5", "100.64.0.7", "fd00::7"})
    lab.play(Scene({"inner.example": (("10.0.0.5",),)}, (found_by("searxng"),), addresses=addresses))
    daemon = start(settings("searxng", search_url=f"http://{host}/"))
    found = daemon.use("web_search", query="x")
    assert found.allowed, found.text
    assert daemon.fetch(f"http://{host}/").is_error


@covers("SEARCH-07")
@pytest.mark.parametrize("host", ["169.254.169.254", "meta.example", "[fd00:ec2::254]", "0.0.0.0", "100.100.100.200"])
def test_the_host_of_search_url_is_never_a_metadata_service(lab: Lab, start: Callable[..., Daemon], host: str) -> None:
    found = start(settings("searxng", search_url=f"http://{host}/")).use("web_search", query="x")
    assert found.is_error
    assert "request failed" in found.text
    assert "169.254" not in found.text.replace(host, "")
    assert lab.log().attempts() == set()


@covers("WEB-13")
def test_a_provider_whose_name_leads_inside_is_not_asked(lab: Lab, choose: Callable[..., Daemon]) -> None:
    lab.play(Scene({"html.duckduckgo.com": (("10.0.0.5",),)}))
    found = choose("duckduckgo").use("web_search", query="x")
    assert "request failed" in found.text
    assert "10.0.0.5" not in found.text
    assert lab.log().attempts() == set()


@covers("WIRE-24", "SETTING-11")
def test_a_search_is_cancelled_at_once_and_ends_at_the_hosts_deadline(lab: Lab, choose: Callable[..., Daemon]) -> None:
    hold = Response(raw=b"HTTP/1.1 200 OK\r\n", then="hold")
    lab.play(provider_scene("brave", hold, hold))
    daemon = choose("brave")
    identity = daemon.begin_use("web_search", query="x")
    lab.wait_for(lambda log: log.requests)
    begin = time.monotonic()
    daemon.cancel(identity)
    assert daemon.answer(identity)["error"]["code"] == -32800
    assert time.monotonic() - begin < 0.1
    call = {"name": "web_search", "arguments": {"query": "x"}, "timeout_ms": 300}
    assert daemon.call("tools/call", call, "late")["error"]["code"] == -31002


# --- on offer or not --------------------------------------------------------------------------------------------------


@covers("PAGE-05", "PAGE-07", "PAGE-09")
@pytest.mark.parametrize(
    ("changed", "tools", "offered"),
    [
        ({}, None, ["web_fetch", *FOUR]),
        ({"web": {"search_enabled": False}}, None, ["web_fetch"]),
        ({"web": {"search_provider": ""}}, None, ["web_fetch"]),
        ({"web": {"enabled": False}}, None, []),
        ({"permissions": {"deny": ["web_search"]}}, None, ["web_fetch"]),
        ({}, ["web_search"], FOUR),
        ({}, ["web_open", "web_find", "web_click"], []),
        ({}, ["web_fetch", "web_open"], ["web_fetch"]),
        ({}, [], []),
    ],
)
def test_the_selector_turns_all_four_on_or_off(
    lab: Lab, start: Callable[..., Daemon], changed: dict[str, Any], tools: list[str] | None, offered: list[str]
) -> None:
    daemon = start(changed)
    listed = [
        tool["name"]
        for tool in daemon.ask("tools/list", {"context": {} if tools is None else {"tools": tools}})["tools"]
    ]
    assert [name for name in listed if name != "browser"] == offered
    assert set(daemon.ask("settings/update", {"settings": changed})["tools"]) >= set(listed)


@covers("WEB-10", "WIRE-36")
def test_a_provider_that_cannot_work_is_a_warning_and_a_finding_with_the_remedy(
    lab: Lab, start: Callable[..., Daemon]
) -> None:
    daemon = start()
    offer = daemon.ask("settings/update", {"settings": {"web": {"search_provider": "brave"}}})
    assert offer["tools"] == ["web_fetch", "browser"]
    assert any("BRAVE_API_KEY" in warning and "duckduckgo" in warning for warning in offer["warnings"])
    (finding,) = [check for check in daemon.ask("doctor")["checks"] if check["id"] == "search"]
    assert finding["status"] == "fail"
    assert "BRAVE_API_KEY" in finding["advice"]
    answer = daemon.ask("search/web", {"terms": "x"})
    assert "BRAVE_API_KEY" in answer["error"]
    assert "prompt" not in answer
    assert answer["grants"] == []


@covers("WIRE-36")
@pytest.mark.parametrize(
    ("response", "status", "words"),
    [(found_by("brave"), "ok", "brave answered"), (Response(401), "fail", "authentication failed")],
)
def test_doctor_online_makes_one_real_search(
    lab: Lab, choose: Callable[..., Daemon], response: Response, status: str, words: str
) -> None:
    lab.play(provider_scene("brave", response))
    (finding,) = [
        check for check in choose("brave").ask("doctor", {"online": True})["checks"] if check["id"] == "search_online"
    ]
    assert finding["status"] == status
    assert words in finding["summary"]
    assert len(lab.log().requests) == 1


# --- the user's own search --------------------------------------------------------------------------------------------


@covers("WEB-20", "SEARCH-05", "SEARCH-06")
def test_the_users_search_grants_exactly_what_it_hands_over(
    lab: Lab, start: Callable[..., Daemon], tmp_path: Path
) -> None:
    unviable = (
        Page("zip", "https://x.example/a.ZIP?x=1"),
        Page("same", f"{PAGES[0].url}#again"),
        Page("http", PAGES[0].url.replace("https", "http")),
    )
    lab.play(provider_scene("brave", found_by("brave", (PAGES[0], *unviable, *PAGES[1:]))))
    daemon = start(settings("brave") | {"permissions": {}})
    answer = daemon.ask("search/web", {"terms": " tide\x00 tables ", "context": {"session": "s"}})
    expected = [page.url for page in PAGES[:5]]
    assert [hit["url"] for hit in answer["results"]] == answer["grants"] == expected
    assert (answer["mode"], answer["provider"]) == ("read_only", "brave")
    assert doubles.Brave()(as_asked(lab.log().requests[0])).status == 200
    assert "count=10" in lab.log().requests[0].target
    assert "q=tide+tables" in lab.log().requests[0].target
    prompt = answer["prompt"]
    ours, _, listed = prompt.partition("--- untrusted content ")
    places = [
        ours.index(words)
        for words in ("tide tables", "web_fetch without asking", "Skip", "cite", "missing", "approval")
    ]
    assert places == sorted(places)
    assert all(url in listed and url not in ours for url in expected)
    (line,) = [text for file in tmp_path.glob("audit/*.jsonl") for text in file.read_text().splitlines()]
    assert all(
        part in line for part in ('"kind":"user_search"', '"detail":"brave: tide tables"', '"decision":"user-selected"')
    )
    names = {url.split("/")[2]: ((WEB_IPV4,),) for url in expected} | {"site6.example": ((WEB_IPV4,),)}
    lab.play(Scene(names=names))
    context = {"mode": "read_only", "grants": answer["grants"]}
    granted = [daemon.use("web_fetch", context=context, url=url) for url in expected]
    assert all(fetched.allowed for fetched in granted), granted
    assert "not approved" in daemon.use("web_fetch", context=context, url=PAGES[5].url).text
    assert "not approved" in daemon.use("web_fetch", context=context, url=expected[0] + "&more").text


@covers("WEB-20", "SEARCH-06")
@pytest.mark.parametrize(
    ("pages", "words"),
    [((), None), ((Page("zip", "https://x.example/a.zip"), Page("g", doubles.Google.link(0))), None)],
)
def test_without_a_viable_page_there_is_no_prompt(
    lab: Lab, choose: Callable[..., Daemon], pages: tuple[Page, ...], words: str | None
) -> None:
    lab.play(provider_scene("brave", found_by("brave", pages)))
    answer = choose("brave").ask("search/web", {"terms": "x"})
    assert (answer["results"], answer["grants"], answer.get("error")) == ([], [], words)
    assert "prompt" not in answer


@covers("SEARCH-06")
@pytest.mark.parametrize(
    ("changed", "params", "words"),
    [
        ({}, {"terms": "x" * 600}, "invalid query"),
        ({}, {"terms": "x", "context": {"tools": ["web_search"]}}, "web_fetch is not on offer"),
        ({"sandbox": {"allow_network": False}}, {"terms": "x"}, "sandbox.allow_network"),
        ({"permissions": {"deny": ["search(*)"]}}, {"terms": "x"}, 'the rule "search(*)"'),
        ({"web": {"search_provider": ""}}, {"terms": "x"}, "web.search_provider"),
        ({"web": {"enabled": False}}, {"terms": "x"}, "web_fetch is not on offer"),
    ],
)
def test_a_users_search_that_cannot_be_made_says_why_and_grants_nothing(
    lab: Lab, start: Callable[..., Daemon], changed: dict[str, Any], params: dict[str, Any], words: str
) -> None:
    answer = start(settings("brave") | changed).ask("search/web", params)
    assert words in answer["error"]
    assert (answer["results"], answer["grants"]) == ([], [])
    assert "prompt" not in answer
    assert lab.log().packets == []


@covers("WEB-20")
def test_a_failing_provider_is_the_error_of_the_users_search_too(lab: Lab, choose: Callable[..., Daemon]) -> None:
    lab.play(provider_scene("brave", as_response(Answered(401, b"no"))))
    answer = choose("brave").ask("search/web", {"terms": "x"})
    assert answer["error"].startswith("web search: authentication failed")
    assert answer["provider"] == "brave"


def test_every_setting_here_is_one_that_searches_freely() -> None:
    assert SEARCH_FREELY["allow"][0] == "search(*)"
