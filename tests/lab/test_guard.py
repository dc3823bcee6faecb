"""The guard at the socket: rebinding, the machine's own addresses, proxies of the environment, and hanging servers."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.covers import covers
from tests.support.lab.daemon import Daemon
from tests.support.lab.lab import Lab
from tests.support.lab.scene import (
    EVERYDAY,
    OTHER_IPV4,
    OWN_IPV4,
    OWN_IPV6,
    WEB_IPV4,
    WEB_IPV6,
    Log,
    Response,
    Scene,
)

PROXY = "10.0.0.99"
THROUGH = f"http://user:secret@{PROXY}:3128"
PROXY_SCENE = Scene(names=EVERYDAY.names, addresses=EVERYDAY.addresses | {PROXY}, ports=(80, 443, 3128))
CANCEL_SECONDS = 0.1  # WIRE-24
SLACK_SECONDS = 0.5  # beyond a deadline, for its error to arrive


@pytest.fixture
def start(lab: Lab, tmp_path: Path) -> Iterator[Callable[..., Daemon]]:
    daemons: list[Daemon] = []

    def begin(settings: dict[str, Any] | None = None, **environment: str) -> Daemon:
        daemons.append(Daemon(lab, tmp_path, settings, **environment))
        return daemons[-1]

    yield begin
    for daemon in daemons:
        daemon.__exit__()


@covers("WEB-04")
@pytest.mark.parametrize("url", ["http://a.example/", "https://a.example/", "https://six.example/"])
def test_a_public_page_is_read(lab: Lab, start: Callable[..., Daemon], url: str) -> None:
    fetched = start().fetch(url)
    assert fetched.allowed, fetched.text
    assert "A plain page of the lab." in fetched.output["content"]
    assert lab.log().attempts() == {WEB_IPV6 if "six" in url else WEB_IPV4}


@covers("WEB-04")
def test_a_name_that_changes_its_mind_is_judged_again_and_nothing_is_sent(
    lab: Lab, start: Callable[..., Daemon]
) -> None:
    lab.play(Scene(EVERYDAY.names, (Response(headers=(("Connection", "close"),)),)))
    daemon = start()
    assert daemon.fetch("http://flip.example/").allowed
    second = daemon.fetch("http://flip.example/")
    assert second.is_error
    assert "not a public address" in second.text
    assert lab.log().attempts() == {WEB_IPV4}


@covers("WEB-04", "WEB-05", "AUDIT-01")
def test_a_redirect_to_a_name_that_is_refused_at_dialling_is_one_denial_that_names_it(
    lab: Lab, start: Callable[..., Daemon], tmp_path: Path
) -> None:
    lab.play(Scene(EVERYDAY.names, (Response(302, (("Location", "http://inner.example/x"),)),)))
    assert start({"web": {"allow_domains": ["*.example"]}}).fetch("http://a.example/").is_error
    lines = [json.loads(line) for file in tmp_path.glob("audit/*.jsonl") for line in file.read_text().splitlines()]
    assert [(line["kind"], line["target"], line["detail"]) for line in lines] == [
        ("approval", "a.example", "GET http://a.example/"),
        ("approval", "inner.example", "redirect GET http://inner.example/x"),
        ("denial", "inner.example", "redirect GET http://inner.example/x"),
    ]


@covers("WEB-04", "POLICY-11")
@pytest.mark.parametrize("host", ["own.example", OWN_IPV4, f"[{OWN_IPV6}]"])
def test_the_machines_own_addresses_are_refused_though_they_look_public(
    lab: Lab, start: Callable[..., Daemon], host: str
) -> None:
    assert start().fetch(f"http://{host}/").is_error
    assert lab.log().attempts() == set()


@covers("WEB-04")
@pytest.mark.parametrize("host", ["inner.example", "10.0.0.5", "localhost", "own.example"])
def test_allow_private_opens_the_private_networks_and_the_machine_itself(
    start: Callable[..., Daemon], host: str
) -> None:
    fetched = start({"web": {"allow_private": True}}).fetch(f"http://{host}/")
    assert fetched.allowed or host == "own.example", fetched.text


@covers("WEB-04")
@pytest.mark.parametrize("host", ["meta.example", "169.254.169.254", "0.0.0.0", "100.100.100.200", "[fd00:ec2::254]"])
def test_allow_private_never_opens_metadata(lab: Lab, start: Callable[..., Daemon], host: str) -> None:
    assert start({"web": {"allow_private": True}}).fetch(f"http://{host}/").is_error
    assert lab.log().attempts() == set()


@covers("WEB-04", "FETCH-11")
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_of_the_environment_is_used_for_what_may_be_reached(
    lab: Lab, start: Callable[..., Daemon], scheme: str
) -> None:
    lab.play(PROXY_SCENE)
    fetched = start(HTTP_PROXY=THROUGH, HTTPS_PROXY=THROUGH).fetch(f"{scheme}://a.example/")
    assert fetched.allowed, fetched.text
    log = lab.log()
    assert log.attempts() == {PROXY}
    first, *rest = log.requests
    assert first.method == ("GET" if scheme == "http" else "CONNECT")
    assert first.header("Proxy-Authorization") == "Basic dXNlcjpzZWNyZXQ="
    assert all(request.header("Proxy-Authorization") is None for request in rest)


@covers("WEB-04")
@pytest.mark.parametrize("url", ["http://inner.example/", "https://meta.example/", "http://10.0.0.5/"])
def test_through_a_proxy_too_every_answer_must_be_public(lab: Lab, start: Callable[..., Daemon], url: str) -> None:
    lab.play(PROXY_SCENE)
    assert start(HTTP_PROXY=THROUGH, HTTPS_PROXY=THROUGH).fetch(url).is_error
    assert lab.log().attempts() == set()


@covers("WEB-04", "FETCH-11")
def test_what_no_proxy_lists_is_dialled_directly_and_judged_so(lab: Lab, start: Callable[..., Daemon]) -> None:
    lab.play(PROXY_SCENE)
    daemon = start(HTTP_PROXY=THROUGH, NO_PROXY=".example")
    assert daemon.fetch("http://a.example/").allowed
    assert daemon.fetch("http://inner.example/").is_error
    assert lab.log().attempts() == {WEB_IPV4}


@covers("FETCH-09")
@pytest.mark.parametrize(
    ("host", "words"),
    [("expired.example", "expired"), ("other-name.example", "other-name.example"), ("unknown-ca.example", "issuer")],
)
def test_a_certificate_that_is_no_good_is_an_error_that_says_which_check_failed(
    lab: Lab, start: Callable[..., Daemon], host: str, words: str
) -> None:
    fetched = start().fetch(f"https://{host}/")
    assert fetched.is_error
    assert words in fetched.text
    assert lab.log().requests == []


@covers("SETTING-07")
def test_without_the_ca_file_the_labs_authority_is_not_trusted(start: Callable[..., Daemon]) -> None:
    assert start({"network": {}}).fetch("https://a.example/").is_error


def is_asked(log: Log) -> bool:
    return bool(log.lookups)


def is_dialled(log: Log) -> bool:
    return bool(log.attempts())


def is_connected(log: Log) -> bool:
    return bool(log.connections)


def is_requested(log: Log) -> bool:
    return bool(log.requests)


HANGING = Scene(
    names=EVERYDAY.names,
    responses=(
        Response(raw=b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nsome", then="hold"),
    ),
    endings={**EVERYDAY.endings, OTHER_IPV4: "mute"},
)
HANGS = [
    pytest.param("http://timeout.example/", "dns", is_asked, id="dns"),
    pytest.param("http://silent.example/", "connect", is_dialled, id="connect"),
    pytest.param("https://b.example/", "tls", is_connected, id="tls"),
    pytest.param("http://b.example/", "headers", is_connected, id="headers"),
    pytest.param("http://a.example/", "body", is_requested, id="body"),
]


@covers("WIRE-24")
@pytest.mark.parametrize(("url", "phase", "reached"), HANGS)
def test_a_cancel_is_answered_at_once_whatever_the_fetch_waits_for(
    lab: Lab, start: Callable[..., Daemon], url: str, phase: str, reached: Callable[[Log], bool]
) -> None:
    lab.play(HANGING)
    daemon = start()
    identity = daemon.begin(url, timeout_ms=60_000)
    lab.wait_for(reached)
    begin = time.monotonic()
    daemon.cancel(identity)
    assert daemon.answer(identity)["error"]["code"] == -32800, phase
    assert time.monotonic() - begin <= CANCEL_SECONDS


@covers("FETCH-06", "WIRE-26")
@pytest.mark.parametrize(("url", "phase", "reached"), HANGS)
def test_a_deadline_ends_whatever_the_fetch_waits_for_and_names_it(
    lab: Lab, start: Callable[..., Daemon], url: str, phase: str, reached: Callable[[Log], bool]
) -> None:
    lab.play(HANGING)
    daemon = start()
    begin = time.monotonic()
    fetched = daemon.fetch(url, timeout_ms=1000)
    assert 1.0 <= time.monotonic() - begin <= 1.0 + SLACK_SECONDS
    assert fetched.is_error
    assert phase in fetched.text.lower()
    assert reached(lab.log())
