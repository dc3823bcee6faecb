"""The SSRF cases of tests/cases, end to end: real look-ups, real servers and TLS, and what really left."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.covers import covers
from tests.support.lab.daemon import Daemon, Fetched
from tests.support.lab.lab import Lab
from tests.support.lab.scene import OTHER_IPV4, OWN_IPV4, PLAIN, WEB_IPV4, WEB_IPV6, Answer, Log, Response, Scene
from tests.support.ssrf import load_cases

REDIRECTS, REDIRECT_CASES = load_cases("redirects")
DNS_CASES = load_cases("dns")[1]
URLS, URL_CASES = load_cases("urls")

# The public addresses of all cases; NAT64 counts as the address inside. Anything else that is dialled is a leak.
PUBLIC = {WEB_IPV4, OTHER_IPV4, WEB_IPV6, "64:ff9b::5db8:d70e"}
SEAM_ONLY = "an answer that no DNS server can give; tests/net has it at the resolver's seam"


def name(case: dict[str, Any]) -> str:
    return case["id"]


def successive(answers: list[list[str]]) -> tuple[Answer, ...]:
    return tuple(tuple(answer) for answer in answers)


@pytest.fixture(scope="module")
def redirect_daemon(running_lab: Lab, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    policy = REDIRECTS["policy"]["fetch"]
    web = {"allow_domains": policy["allow_domains"], "deny_domains": policy["deny_domains"]}
    with Daemon(running_lab, tmp_path_factory.mktemp("redirects"), {"web": web}) as daemon:
        yield daemon


@pytest.fixture(scope="module")
def url_daemon(running_lab: Lab, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    web = {"deny_domains": URLS["policy"]["deny_domains"]}
    with Daemon(running_lab, tmp_path_factory.mktemp("urls"), {"web": web}) as daemon:
        yield daemon


@covers("WEB-03", "WEB-05")
@pytest.mark.parametrize("case", REDIRECT_CASES, ids=name)
def test_redirects(lab: Lab, redirect_daemon: Daemon, case: dict[str, Any]) -> None:
    responses = [
        Response(entry["status"], tuple(map(tuple, entry["headers"])), entry.get("body", "").encode())
        for entry in case["responses"]
    ]
    names = {host: successive(answers) for host, answers in REDIRECTS["dns"].items()}
    lab.play(Scene(names=names, responses=tuple(responses), ports=(80, 443, 8443)))
    fetched = redirect_daemon.fetch(case["start"])
    log = lab.log()
    assert log.attempts() <= PUBLIC
    if not case.get("debatable"):
        assert redirect_verdict(fetched, log, len(responses)) == case["fetch"], fetched.text


def redirect_verdict(fetched: Fetched, log: Log, scripted: int) -> int | str:
    """Return what happened in the words of the cases; whoever was dialled has answered a request."""
    answered = {request.address for request in log.requests}
    assert log.attempts() == answered
    if not log.requests:
        return "start"
    if fetched.is_error:
        return len(log.requests) - 1
    return "ok" if len(log.requests) > scripted else f"stop {len(log.requests) - 1}"


@covers("WEB-04")
@pytest.mark.parametrize("case", DNS_CASES, ids=name)
def test_look_ups(lab: Lab, tmp_path: Path, case: dict[str, Any]) -> None:
    scene = dns_scene(case)
    lab.play(scene)
    proxy = f"http://{case['env_proxy']}" if "env_proxy" in case else ""
    variables = {"HTTP_PROXY": proxy, "HTTPS_PROXY": proxy, "NO_PROXY": case.get("no_proxy", "")} if proxy else {}
    turns = max(case.get("requests", 1), case.get("connections", 1))
    with Daemon(lab, tmp_path, **variables) as daemon:
        fetches = [daemon.fetch(f"http://{case['name']}/{turn}", timeout_ms=5000) for turn in range(turns)]
    log = lab.log()
    assert log.attempts() <= {*case["may_dial"], *([case["env_proxy"].rpartition(":")[0]] if proxy else [])}
    if not case.get("debatable"):
        assert all(fetched.allowed for fetched in fetches) == (case["dialled"] == "allow"), fetches
    if case.get("reuse"):
        assert len(log.connections) == 1


def dns_scene(case: dict[str, Any]) -> Scene:
    """Return the scene of a case; skip one whose answers cannot go over the wire."""
    endings = {}
    answers: list[Answer] = []
    for answer in case["lookups"]:
        if answer in ("SERVFAIL", "TIMEOUT", ["SERVFAIL"], ["TIMEOUT"]):
            answers.append(answer if isinstance(answer, str) else answer[0])
            continue
        addresses = []
        for text in answer:
            address, _, ending = text.replace("own", OWN_IPV4).partition(" ")
            if not is_address(address) or "%" in address:
                pytest.skip(SEAM_ONLY)
            addresses.append(address)
            endings |= {address: ending} if ending else {}
        answers.append(tuple(addresses))
    # Each of several connections has to be a new one.
    once = Response(headers=(*PLAIN.headers, ("Connection", "close")))
    responses = (once,) * case["connections"] if "connections" in case else ()
    port = case.get("env_proxy", ":80").rpartition(":")[2]
    return Scene({case["name"]: tuple(answers)}, responses, endings=endings, ports=(80, int(port)))


@covers("WEB-03", "WEB-04")
@pytest.mark.parametrize("case", URL_CASES, ids=name)
def test_urls(lab: Lab, url_daemon: Daemon, case: dict[str, Any]) -> None:
    names = {host: (tuple(answers),) for host, answers in URLS["dns"].items()}
    allowed = case["expected"] == "allow"
    literals = literal_of(case["url"]) if allowed else set()
    lab.play(Scene(names=names, addresses=frozenset(PUBLIC | literals), ports=(80, 443, *ports_of(case))))
    fetched = url_daemon.fetch(case["url"])
    log = lab.log()
    assert log.attempts() <= PUBLIC | literals
    if case.get("debatable"):
        return
    assert fetched.allowed == allowed, fetched.text
    if case["layer"] in {"url", "policy"} and not allowed:
        assert (log.lookups, log.packets) == ([], [])
    if not allowed:
        assert log.attempts() == set()


def literal_of(url: str) -> set[str]:
    authority = url.split("/")[2]
    host = authority[1 : authority.index("]")] if authority.startswith("[") else authority.partition(":")[0]
    return {host} if is_address(host) else set()


def ports_of(case: dict[str, Any]) -> tuple[int, ...]:
    tail = case["url"].split("/")[2].rpartition(":")[2] if case["category"] == "benign, other ports" else ""
    return (int(tail),) if tail.isdecimal() else ()


def is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
