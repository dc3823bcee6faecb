"""The SSRF cases through the proxy: whatever the browser asks for, nothing but what may be dialled is dialled."""

from __future__ import annotations

import contextlib
import re
from typing import Any

import pytest

from blitzweb.net.dialer import AddressRule, Dialer
from blitzweb.policy.addresses import AddressClass, classify_address, is_public, opened_by_allow_local
from blitzweb.policy.decide import Policy
from blitzweb.policy.hosts import HostList
from blitzweb.policy.urls import UrlRefused, parse_url
from tests.support.covers import covers
from tests.support.egress import ask, proxying, request
from tests.support.fetching import OK, Names, Wires, answering
from tests.support.raw_server import RawServer
from tests.support.ssrf import load_cases

ADDRESS_CASES = load_cases("addresses")[1]
URLS, URL_CASES = load_cases("urls")
DNS_CASES = load_cases("dns")[1]
OWN = "93.184.220.2"
RULE = AddressRule(setting="browser.allow_local")
POLICY = Policy(deny_domains=HostList.compile("web.deny_domains", URLS["policy"]["deny_domains"]))
ANSWER = OK + b"Content-Length: 2\r\nConnection: close\r\n\r\nok"


def name(case: dict[str, Any]) -> str:
    return case["id"]


@pytest.fixture(scope="module")
def server():
    with RawServer(answering(ANSWER)) as serving:
        yield serving


def dialer_for(names: dict[str, list[list[str]]], wires: Wires) -> Dialer:
    return Dialer(resolver=Names(names), connect=wires, is_own=lambda address: address == OWN)


@covers("EGRESS-05", "EGRESS-07")
@pytest.mark.parametrize("opened", [False, True])
@pytest.mark.parametrize("case", ADDRESS_CASES, ids=name)
def test_addresses(server, case, opened):
    wires = Wires(lambda _port: server.port)
    dialer = dialer_for({"x.example": [[case["address"]]]}, wires)
    with proxying(dialer=dialer, rule=RULE._replace(opened=opened)) as proxy:
        status, headers, _ = ask(proxy, request("GET", "http://x.example/"))
    cls = classify_address(case["address"])
    may = is_public(cls) if case.get("debatable") else case["expected"] == "public"
    if opened and opened_by_allow_local(cls):
        may = True
    assert (status, [address for address, _ in wires.dialled]) == ((200, [case["address"]]) if may else (403, []))
    assert may or headers["x-blitzweb-refused"] == "not-public"


@covers("EGRESS-07")
def test_what_allow_local_opens():
    opened = {cls for cls in AddressClass if opened_by_allow_local(cls)}
    assert AddressClass.LOOPBACK in opened
    assert {
        classify_address(text) for text in ("169.254.169.254", "169.254.1.1", "100.64.0.1", "0.0.0.0")
    } & opened == set()


@covers("EGRESS-05", "EGRESS-07")
@pytest.mark.parametrize("case", URL_CASES, ids=name)
def test_urls(server, case):
    """The verdict on a URL as a browser would send it, or, where it is no URL to us, as it stands."""
    wires = Wires(lambda _port: server.port)
    dialer = dialer_for({host: [answers] for host, answers in URLS["dns"].items()}, wires)
    url = re.sub("^https:", "http:", case["url"], flags=re.IGNORECASE)
    with contextlib.suppress(UrlRefused):
        url = parse_url(url).without_fragment
    with proxying(dialer=dialer, rule=RULE, admit=POLICY.decide_egress) as proxy:
        status, _, _ = ask(proxy, request("GET", url))
    assert all(is_public(classify_address(address)) for address, _ in wires.dialled)
    if not case.get("debatable"):
        assert (status == 200) is (case["expected"] == "allow")


@covers("EGRESS-05", "EGRESS-07")
@pytest.mark.parametrize("method", ["GET", "CONNECT"])
@pytest.mark.parametrize("case", DNS_CASES, ids=name)
def test_look_ups(server, case, method):
    """Rebinding included: each request dials what it has judged itself."""
    lookups = [[answer] if isinstance(answer, str) else answer for answer in case["lookups"]]
    answers = [[text.replace("own", OWN).partition(" ")[0] for text in answer] for answer in lookups]
    endings = dict(text.split(" ", 1) for answer in lookups for text in answer if " " in text)
    endings = {address: "refused" if ending == "silent" else ending for address, ending in endings.items()}
    wires = Wires(lambda _port: server.port, endings)
    statuses = []
    with proxying(dialer=dialer_for({case["name"]: answers}, wires), rule=RULE) as proxy:
        for _ in range(max(case.get("requests", 1), case.get("connections", 1))):
            if method == "GET":
                data = request("GET", f"http://{case['name']}/")
            else:
                data = request("CONNECT", f"{case['name']}:443", body=b"GET / HTTP/1.1\r\n\r\n")
            statuses.append(ask(proxy, data)[0])
    assert {address for address, _ in wires.dialled} <= set(case["may_dial"])
    if not any(case.get(key) for key in ("debatable", "reuse", "env_proxy")):  # each request dials anew, and no proxy
        assert (set(statuses) == {200}) is (case["dialled"] == "allow")
