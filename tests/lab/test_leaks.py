"""Nothing of the browser leaves but through the proxy: a page that tries everything, and every packet counted."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.browsing import engine_or_skip
from tests.support.covers import covers
from tests.support.lab.daemon import Daemon
from tests.support.lab.lab import Lab
from tests.support.lab.scene import Log, Packet
from tests.support.lab.vectors import (
    NOT_SHOWN,
    PAGES,
    PROXIED_HOSTS,
    THROUGH_PROXY,
    list_outside,
    list_seen,
    make_scene,
    make_vectors,
)
from tests.support.lab.wrapped import PREFERENCES, UNGUARDED, proxy_port, wrap_browser

HOSTS = [host for host, _address in PAGES.values()]
IDLE_SECONDS = 1.0  # after the last page; what WebRTC sends first, it sends sooner
LONG_SECONDS = 60.0
ENGINES = ["headless-shell", "chrome"]


class Run(NamedTuple):
    """What came of one browser that showed both pages."""

    log: Log
    outside: list[object]
    refused: Counter[str]  # by host: how often the audit has it


def visit(lab: Lab, folder: Path, browser: Path, *, idle: float = IDLE_SECONDS, expected: frozenset[str]) -> Run:
    """Show the pages until the expected hosts were refused, and then leave the browser alone for a while."""
    lab.play(make_scene())
    settings = {
        "browser": {"path": str(browser), "transport": "pipe"},
        "web": {"allow_domains": HOSTS},
        "egress": {"mode": "allowlist", "domains": HOSTS},
    }
    with Daemon(lab, folder, settings) as daemon:
        for scheme, (host, _address) in PAGES.items():
            assert daemon.use("browser", action="navigate", url=f"{scheme}://{host}/").output["title"] == "fired"
        proxy = proxy_port(daemon)
        wait_for_refusals(folder, expected)
        time.sleep(idle)  # the browser is left alone, and that is the test
        log = lab.log()
    return Run(log, list_outside(log, [Packet("tcp", "127.0.0.1", proxy)]), Counter(refused_hosts(folder)))


def refused_hosts(folder: Path) -> list[str]:
    lines = [json.loads(line) for file in folder.glob("audit/*.jsonl") for line in file.read_text().splitlines()]
    return [line["target"] for line in lines if line["kind"] == "egress"]


def wait_for_refusals(folder: Path, expected: frozenset[str], seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while missing := expected - {*(hosts := refused_hosts(folder))} - vectors_of(hosts):
        assert time.monotonic() < end, f"never asked of the proxy: {sorted(missing)}"
        time.sleep(0.02)


def vectors_of(hosts: list[str]) -> set[str]:
    names = {vector.host: vector.name for scheme in PAGES for vector in make_vectors(scheme)}
    return {names[host] for host in hosts if host in names}


@covers("EGRESS-06", "WEB-32", "AUDIT-07")
@pytest.mark.parametrize("engine", ENGINES)
def test_nothing_leaves_beside_the_proxy(lab: Lab, tmp_path: Path, engine: str) -> None:
    browser = wrap_browser(tmp_path, engine_or_skip(engine))
    run = visit(lab, tmp_path, browser, expected=THROUGH_PROXY | PROXIED_HOSTS)
    assert run.outside == []
    assert max(run.refused.values()) <= len(PAGES)  # one record for a host and a page, however often it was asked for


@covers("EGRESS-06")
def test_without_the_guards_it_would(lab: Lab, tmp_path: Path) -> None:
    browser = wrap_browser(tmp_path, engine_or_skip("chrome"), drop=UNGUARDED, direct=True)
    run = visit(lab, tmp_path, browser, expected=frozenset())
    assert {vector.name for vector in make_vectors("https")} - list_seen(run.log) <= NOT_SHOWN
    assert run.refused == Counter()


@covers("EGRESS-06")
@pytest.mark.long
@pytest.mark.timeout(180)
@pytest.mark.parametrize("engine", ENGINES)
def test_nothing_leaves_while_the_browser_is_idle(lab: Lab, tmp_path: Path, engine: str) -> None:
    browser = wrap_browser(tmp_path, engine_or_skip(engine))
    run = visit(lab, tmp_path, browser, idle=LONG_SECONDS, expected=THROUGH_PROXY | PROXIED_HOSTS)
    assert run.outside == []


# One guard less each time. Where two say the same to different versions, either is enough, and both are left out.
NEEDED = [
    pytest.param("headless-shell", {"drop": ("--proxy-bypass-list",)}, "loopback", id="bypass-shell"),
    pytest.param("chrome", {"drop": ("--proxy-bypass-list",)}, "loopback", id="bypass-chrome"),
    pytest.param("headless-shell", {"drop": ("--force-webrtc", PREFERENCES)}, "literal-stun", id="rtc-shell"),
    pytest.param("chrome", {"drop": ("--webrtc-ip", PREFERENCES)}, "literal-stun", id="rtc-chrome"),
    pytest.param("headless-shell", {"drop": ("--host-resolver-rules",)}, "turns", id="names-shell"),
    pytest.param("chrome", {"drop": ("--host-resolver-rules",)}, "turns", id="names-chrome"),
    pytest.param("chrome", {"features": ("MediaRouter",)}, "multicast-name", id="cast-chrome"),
]


@covers("EGRESS-06")
@pytest.mark.long
@pytest.mark.parametrize(("engine", "without", "shown"), NEEDED)
def test_each_guard_is_needed(
    lab: Lab, tmp_path: Path, engine: str, without: dict[str, tuple[str, ...]], shown: str
) -> None:
    browser = wrap_browser(tmp_path, engine_or_skip(engine), **without)
    run = visit(lab, tmp_path, browser, expected=frozenset())
    assert run.outside
    assert shown in list_seen(run.log)
