"""A host that sends and never reads: the daemon does not grow, stops admitting, and still reads cancels."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.support.covers import covers
from tests.support.host import Host, cancel, notification, request

MAX_GROWTH_MIB = 64


def flood(host: Host, make: Callable[[int], Any], count: int) -> float:
    """Send, without reading; return by how many MiB the daemon grew at most."""
    host.send(request("first", "initialize", {}))
    assert b"first" in host.out.readline()
    idle = peak = host.memory_mib()
    for number in range(count):
        host.send(make(number))
        if number % 16 == 0:
            peak = max(peak, host.memory_mib())
    return max(peak, *watch_memory(host)) - idle


def watch_memory(host: Host) -> Iterator[float]:
    """Yield the daemon's memory until it has nothing left to do: it used no processor time for a while."""
    used, quiet, end = host.processor_ticks(), 0, time.monotonic() + 20
    while quiet < 20:
        yield host.memory_mib()
        assert time.monotonic() < end, "the daemon is still busy"
        time.sleep(0.01)
        before, used = used, host.processor_ticks()
        quiet = quiet + 1 if used == before else 0


@covers("WIRE-14")
@pytest.mark.parametrize(
    ("make", "count"),
    [
        pytest.param(lambda n: request(n, "text", {"size": 2**20}), 300, id="large results of work"),
        pytest.param(lambda n: request(n, "text/quick", {"size": 2**20}), 300, id="large results at once"),
        pytest.param(lambda n: request(n, "text", {"size": 100_000}), 1000, id="results of web_fetch's size"),
        pytest.param(lambda n: request(n, "echo/work", {"x": "y" * 2_000_000}), 40, id="large params"),
        pytest.param(lambda n: request(n, "hold", {"x": "y" * 2_000_000}), 40, id="large params that are held"),
        pytest.param(lambda n: [request(f"{n}.{m}", "text", {"size": 2**20}) for m in range(32)], 20, id="batches"),
        pytest.param(lambda n: request(f"{n:x>5000}", "nope"), 3000, id="errors with long ids"),
        pytest.param(lambda n: request(n, "progress", {"token": "t", "steps": 2000}), 50, id="progress"),
    ],
)
def test_memory_stays_bounded_and_all_is_answered_once_it_reads(make: Callable[[int], Any], count: int) -> None:
    with Host(reading=False) as host:
        assert flood(host, make, count) < MAX_GROWTH_MIB
        begun = time.monotonic()
        host.read()
        assert host.call("ping", identity="still there?", seconds=20)["result"] is None
        assert time.monotonic() - begun < 10
        for number in range(count):
            host.send(cancel(number))
        status = host.call("$/status", identity="status")["result"]
        assert status["dropped"] == 0
        assert host.call("shutdown", identity="end")["result"] is None
        answers = [item for line in host.raw for item in listed(json.loads(line)) if "method" not in item]
        expected = sum(len(listed(make(number))) for number in range(count))
        assert len({str(answer["id"]) for answer in answers}) == len(answers) == expected + 3


@covers("WIRE-14")
def test_admission_stops_and_starts_again() -> None:
    with Host(reading=False) as host:
        flood(host, lambda n: request(n, "text/quick", {"size": 2**20}), 10)
        host.read()
        refused = [number for number in range(10) if "error" in host.answer(number)]
        assert refused == [4, 5, 6, 7, 8, 9]
        assert "result" in host.call("text/quick", {"size": 2**20})


@covers("WIRE-14", "WIRE-24")
def test_cancels_are_still_read() -> None:
    with Host(reading=False) as host:
        host.send(request("first", "initialize", {}), request("held", "hold", {"deaf": True}))
        assert b"first" in host.out.readline()
        assert b"held" in host.out.readline()
        for number in range(100):
            host.send(request(number, "text", {"size": 2**20}))
        host.send(cancel("held"), notification("nothing"))
        host.read()
        assert host.answer("held")["error"]["code"] == -32800


@covers("WIRE-14")
def test_beyond_all_bounds_answers_are_dropped_and_the_daemon_lives() -> None:
    with Host(reading=False) as host:
        growth = flood(host, lambda n: request(f"{n:x>50000}", "nope"), 800)
        assert growth < MAX_GROWTH_MIB
        host.wait_for_log("does not read")
        host.read()
        assert host.find(lambda message: message["id"].endswith("x400"))["error"]["code"] == -32601
        assert host.call("$/status", identity="status")["result"]["dropped"] > 0
        assert "result" in host.call("echo", {"a": 1})


@covers("WIRE-33")
def test_progress_is_dropped_while_much_waits() -> None:
    with Host(reading=False) as host:
        host.send(
            request("first", "initialize", {}), request(1, "progress", {"token": 1, "steps": 1000, "size": 10_000})
        )
        assert b"first" in host.out.readline()
        host.read()
        assert host.answer(1)["result"] == 1000
        assert 50 <= len(host.raw) <= 1001


def listed(value: Any) -> list[Any]:
    """Return the messages of a line: its own, or those of a batch."""
    return value if isinstance(value, list) else [value]
