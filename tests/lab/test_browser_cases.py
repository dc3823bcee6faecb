"""The SSRF cases of tests/cases through the browser: whatever a page asks for, no refused address is ever dialled."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.lab.test_cases import PUBLIC, dns_scene, literal_of, name, successive
from tests.support.browsing import engine_or_skip
from tests.support.covers import covers
from tests.support.lab.daemon import Daemon
from tests.support.lab.lab import Lab
from tests.support.lab.scene import EVERYDAY, NAMESERVER, OTHER_IPV4, Log, Response, Scene
from tests.support.lab.wrapped import proxy_port, wrap_browser
from tests.support.ssrf import load_cases

REDIRECTS, REDIRECT_CASES = load_cases("redirects")
DNS_CASES = load_cases("dns")[1]
URLS, URL_CASES = load_cases("urls")
PAGE = "page.example"


def start(lab: Lab, folder: Path, web: dict[str, Any]) -> Daemon:
    """Start a daemon with a browser that trusts the lab's certificates."""
    browser = {"path": str(wrap_browser(folder, engine_or_skip("headless-shell"))), "transport": "pipe"}
    return Daemon(lab, folder, {"web": web, "browser": browser})


@pytest.fixture(scope="module")
def url_daemon(running_lab: Lab, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with start(
        running_lab, tmp_path_factory.mktemp("urls"), {"deny_domains": URLS["policy"]["deny_domains"]}
    ) as daemon:
        yield daemon


@pytest.fixture(scope="module")
def redirect_daemon(running_lab: Lab, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    policy = REDIRECTS["policy"]["fetch"]
    web = {"allow_domains": policy["allow_domains"], "deny_domains": policy["deny_domains"]}
    with start(running_lab, tmp_path_factory.mktemp("redirects"), web) as daemon:
        yield daemon


@pytest.fixture(scope="module")
def dns_daemon(running_lab: Lab, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with start(running_lab, tmp_path_factory.mktemp("dns"), {}) as daemon:
        yield daemon


def names_of(dns: dict[str, list[str]]) -> dict[str, Any]:
    return {host: (tuple(answers),) for host, answers in dns.items()} | {PAGE: ((OTHER_IPV4,),)}


def page(*tags: str) -> Response:
    return Response(headers=(("Content-Type", "text/html; charset=utf-8"),), body="\n".join(tags).encode())


def dialled(daemon: Daemon, log: Log) -> set[str]:
    """Return every address that anything was sent to; what goes to the proxy itself is no dial."""
    own = {NAMESERVER[0]: NAMESERVER[1], "127.0.0.1": proxy_port(daemon)}
    return {packet.address for packet in log.packets if own.get(packet.address) != packet.port}


def navigate(daemon: Daemon, url: str) -> Any:
    """Navigate there by the user's word for this one URL."""
    return daemon.use("browser", action="navigate", url=url, context={"grants": [url]})


@covers("DIGEST-02", "WEB-32")
def test_a_page_that_asks_for_every_url(lab: Lab, url_daemon: Daemon) -> None:
    urls = [html.escape(case["url"]) for case in URL_CASES]
    tags = [f'<img src="{url}"><iframe src="{url}"></iframe>' for url in urls]
    allowed = {literal for case in URL_CASES if case["expected"] == "allow" for literal in literal_of(case["url"])}
    names = names_of(URLS["dns"])
    lab.play(Scene(names=names, addresses=frozenset(PUBLIC | allowed), pages={f"{PAGE}/": page(*tags)}))
    assert not navigate(url_daemon, f"http://{PAGE}/").is_error
    log = lab.log()
    assert len(dialled(url_daemon, log)) > 1  # the page did ask
    assert dialled(url_daemon, log) <= PUBLIC | allowed
    asked = {host for host, _kind in log.lookups}
    assert not asked & {"denied.example", "x.blocked.example", "x.y.blocked.example", "localhost"}


@covers("DIGEST-02", "WEB-34")
@pytest.mark.parametrize("case", REDIRECT_CASES, ids=name)
def test_redirects_of_the_page(lab: Lab, redirect_daemon: Daemon, case: dict[str, Any]) -> None:
    responses = [
        Response(entry["status"], tuple(map(tuple, entry["headers"])), entry.get("body", "").encode())
        for entry in case["responses"]
    ]
    names = {host: successive(answers) for host, answers in REDIRECTS["dns"].items()}
    lab.play(Scene(names=names, responses=tuple(responses), ports=(80, 443, 8443)))
    output = navigate(redirect_daemon, case["start"]).output
    log = lab.log()
    assert dialled(redirect_daemon, log) <= PUBLIC
    allowed = {urlsplit(case["start"]).hostname, *REDIRECTS["policy"]["fetch"]["allow_domains"]}
    assert {request.header("Host").partition(":")[0].rstrip(".") for request in log.requests} <= allowed, output


@covers("DIGEST-02", "WEB-32")
@pytest.mark.parametrize("case", DNS_CASES, ids=name)
def test_look_ups_of_the_page(lab: Lab, dns_daemon: Daemon, case: dict[str, Any]) -> None:
    """The name is asked for by the page, again and again: what it means may change between any two of them."""
    if "env_proxy" in case:
        pytest.skip("the browser never uses a proxy of the environment")
    scene = dns_scene(case)
    frames = [f'<iframe src="http://{case["name"]}/{turn}"></iframe>' for turn in range(3)]
    names = {**scene.names, PAGE: ((OTHER_IPV4,),)}
    lab.play(replace(scene, names=names, pages={f"{PAGE}/": page(*frames)}))
    assert not navigate(dns_daemon, f"http://{PAGE}/").is_error
    assert dialled(dns_daemon, lab.log()) <= {*case["may_dial"], OTHER_IPV4}


@covers("DIGEST-02", "DIGEST-03", "EGRESS-01")
@pytest.mark.parametrize("away", ["http://b.example/", "http://inner.example/", "http://169.254.169.254/"])
def test_a_redirect_off_the_list_is_said_as_policy(lab: Lab, tmp_path: Path, away: str) -> None:
    lab.play(Scene(EVERYDAY.names, (Response(302, (("Location", away),)),)))
    settings = {
        "browser": {"engine": engine_or_skip("headless-shell"), "interface": "digest"},
        "web": {"allow_domains": ["*.example"]},
        "egress": {"mode": "allowlist", "domains": ["a.example"]},
    }
    with Daemon(lab, tmp_path, settings) as daemon:
        answer = daemon.use("browser_navigate", url="http://a.example/")
        assert answer.is_error
        assert "not in egress.domains" in answer.text
        log = lab.log()
    assert {host for host, _kind in log.lookups} == {"a.example"}
    assert {request.header("Host") for request in log.requests} == {"a.example"}
