"""Proxies of the environment: no_proxy.tsv documents the exceptions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.policy.routes import Direct, ProxyRefused, Via, route
from blitzweb.policy.urls import HostKind, UrlRefused, parse_url
from tests.support.covers import covers
from tests.support.ssrf import load_cases
from tests.support.tables import read_table

HTTP, HTTPS = parse_url("http://x.example/"), parse_url("https://x.example/")
CASES = [case for case in load_cases("dns")[1] if "env_proxy" in case]


@covers("WEB-04")
@pytest.mark.parametrize(
    ("row"), read_table(Path(__file__).with_name("no_proxy.tsv")), ids=lambda row: ascii(" ".join(row.values()))
)
def test_the_table_of_exceptions(row: dict[str, str]) -> None:
    environ = {"HTTPS_PROXY": "http://proxy.example:3128", "NO_PROXY": row["no_proxy"]}
    chosen = route(parse_url(row["url"]), environ)
    assert isinstance(chosen, Direct) is (row["direct"] == "yes")


@covers("WEB-04")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_cases_of_names_behind_a_proxy(case: dict[str, Any]) -> None:
    environ = {"http_proxy": case["env_proxy"], "no_proxy": case.get("no_proxy", "")}
    try:
        url = parse_url(f"http://{case['name']}/")
    except UrlRefused:
        assert case["dialled"] == "deny"
        return
    assert isinstance(route(url, environ), Direct) is ("NO_PROXY" in case["case"])


@covers("WEB-04")
@pytest.mark.parametrize(
    ("environ", "http", "https"),
    [
        ({}, None, None),
        ({"HTTP_PROXY": "http://p:1"}, "http://p:1", None),
        ({"HTTPS_PROXY": "http://p:1"}, None, "http://p:1"),
        ({"http_proxy": "http://p:1"}, "http://p:1", None),
        ({"https_proxy": "https://p"}, None, "https://p:443"),
        ({"http_proxy": "http://low:1", "HTTP_PROXY": "http://up:1"}, "http://low:1", None),
        ({"http_proxy": "", "HTTP_PROXY": "http://up:1"}, None, None),
        ({"ALL_PROXY": "http://p:1", "all_proxy": "socks5://p:1"}, None, None),
        ({"HTTP_PROXY": " http://p "}, "http://p:80", None),
        ({"HTTP_PROXY": "10.0.0.99:3128"}, "http://10.0.0.99:3128", None),
        ({"HTTP_PROXY": "HTTP://[::1]:3128/"}, "http://[::1]:3128", None),
        ({"HTTP_PROXY": "http://bücher.example"}, "http://xn--bcher-kva.example:80", None),
        ({"HTTP_PROXY": "http://p:1", "NO_PROXY": "*"}, None, None),
        ({"HTTP_PROXY": "http://p:1", "no_proxy": "", "NO_PROXY": "*"}, "http://p:1", None),
    ],
)
def test_which_proxy(environ: dict[str, str], http: str | None, https: str | None) -> None:
    for url, expected in ((HTTP, http), (HTTPS, https)):
        chosen = route(url, environ)
        assert (chosen.href if isinstance(chosen, Via) else None) == expected


@covers("WEB-04")
def test_credentials_are_for_the_proxy_only() -> None:
    chosen = route(HTTPS, {"https_proxy": "http://us%40er:p%2Fw:x@p.example:1"})
    assert chosen == Via("http", "p.example", 1, HostKind.NAME, "https_proxy", "us@er", "p/w:x")
    assert isinstance(chosen, Via)
    assert "p/w" not in repr(chosen) + chosen.href
    bare = route(HTTPS, {"https_proxy": "http://user@p.example:1"})
    assert isinstance(bare, Via)
    assert (bare.user, bare.password) == ("user", None)


@covers("WEB-04", "POLICY-14")
@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("socks5://p:1", 'HTTPS_PROXY names a proxy of the scheme "socks5"'),
        ("ftp://secret:secret@p:1", 'scheme "ftp"'),
        ("http://", "HTTPS_PROXY is no proxy"),
        ("http://secret:se@cret@p:1", "is no proxy"),
        ("http://secret:se/cret@p:1", "is no proxy"),
        ("http://p:1/path", "is no proxy"),
        ("http://p:x", "is no proxy"),
        ("http://p:0", "no port"),
        ("http://p:65536", "no port"),
        ("http://127.1:3128", "ends in a number"),
        ("http://secret:secret@p q:1", "no host name"),
    ],
)
def test_a_variable_that_names_no_usable_proxy(value: str, words: str) -> None:
    with pytest.raises(ProxyRefused, match=words) as raised:
        route(HTTPS, {"HTTPS_PROXY": value})
    assert "HTTPS_PROXY" in raised.value.text
    assert "secret" not in raised.value.text
    assert isinstance(route(HTTP, {"HTTPS_PROXY": value}), Direct)


@covers("WEB-04")
@given(st.text("ax.:/@[]%*,- 01\n"), st.text("ax.:/@[]%*,- 01\n"))
def test_any_environment_is_a_route_or_refused(proxy: str, no_proxy: str) -> None:
    try:
        chosen = route(HTTPS, {"https_proxy": proxy, "no_proxy": no_proxy})
    except ProxyRefused:
        return
    assert isinstance(chosen, Direct | Via)
