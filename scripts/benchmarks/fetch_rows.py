"""Rows about fetching: the guarded pool, the whole action, many at once, decoding, and bombs."""

from __future__ import annotations

import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import brotli
import daemon
import urllib3
from row import Bench, Sample, Unavailable, timed
from server import WAIT_SECONDS, zstd

from blitzweb.errors import BlitzwebError
from blitzweb.net.dialer import AddressRule
from blitzweb.net.fetch import Fetcher, Plan, Response
from blitzweb.policy.urls import parse_url
from blitzweb.timing import CancelToken, Deadline

SMALL_FETCHES = 50  # in one sample
PARALLEL, PARALLEL_FETCHES = 32, 320
IDEAL_MS = PARALLEL_FETCHES / PARALLEL * WAIT_SECONDS * 1000
MAX_BYTES = 2 * 2**20
PLAN = Plan(max_bytes=MAX_BYTES, headers={"User-Agent": "bench"}, rule=AddressRule(opened=True))
OPEN_SETTINGS = {"web": {"allow_private": True}, "permissions": {"allow": ["web_fetch"]}}
DECODERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": partial(zlib.decompress, wbits=31),
    "br": brotli.decompress,
    "zstd": zstd.decompress,
}


class Client:
    """Our fetcher and a plain pool of urllib3, on the same server."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.base = f"http://127.0.0.1:{port}"
        self._fetcher = Fetcher(environ={})
        self._plain = urllib3.HTTPConnectionPool("127.0.0.1", port, maxsize=PARALLEL)

    def fetch(self, path: str, plan: Plan = PLAN) -> Response:
        """Fetch as blitzweb does, decisions apart."""
        return self._fetcher.fetch(
            parse_url(self.base + path),
            plan,
            deadline=Deadline(60),
            cancel=CancelToken(),
            decide_hop=lambda _approved, _target: None,
        )

    def request(self, path: str, **options: object) -> bytes:
        """Request as a plain user of urllib3 does."""
        return self._plain.request("GET", path, redirect=False, retries=False, **options).data

    def close(self) -> None:
        """Close what both keep alive."""
        self._fetcher.close()
        self._plain.close()


@contextmanager
def client() -> Iterator[Client]:
    """Give both clients and a server for them."""
    command = [sys.executable, str(Path(__file__).with_name("server.py"))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        both = Client(int(server.stdout.readline()))
        try:
            both.fetch("/small")
            yield both
        except BlitzwebError as error:
            raise Unavailable(error.message) from error
        finally:
            both.close()
            server.stdin.close()


@contextmanager
def keep_alive() -> Iterator[tuple[Sample, Sample]]:
    """A small page on a kept connection."""
    with client() as both:
        yield (
            timed(lambda: both.fetch("/small"), SMALL_FETCHES),
            timed(lambda: both.request("/small"), SMALL_FETCHES),
        )


@contextmanager
def fresh() -> Iterator[tuple[Sample, Sample]]:
    """A small page, each time on a connection of its own."""
    with client() as both:
        plan = PLAN._replace(keep_alive=False)
        closing = {"Connection": "close"}
        yield (
            timed(lambda: both.fetch("/small", plan), SMALL_FETCHES),
            timed(lambda: both.request("/small", headers=closing), SMALL_FETCHES),
        )


@contextmanager
def action() -> Iterator[tuple[Sample, Sample]]:
    """The whole action of a host's call, beside a plain request and the round trip that any call is."""
    with client() as both, daemon.daemon(OPEN_SETTINGS) as server:
        call = daemon.line(1, "tools/call", {"name": "web_fetch", "arguments": {"url": f"{both.base}/small"}})
        ping = daemon.line(2, "ping")
        must_succeed(server.call(call))

        def plain() -> None:
            server.call(ping)
            both.request("/small")

        yield timed(lambda: server.call(call), SMALL_FETCHES), timed(plain, SMALL_FETCHES)


@contextmanager
def parallel() -> Iterator[tuple[Sample, Sample]]:
    """Many fetches in the threads of one process, from a server that takes its time."""
    with client() as both, ThreadPoolExecutor(PARALLEL) as threads:

        def fetch_all() -> None:
            list(threads.map(both.fetch, ["/wait"] * PARALLEL_FETCHES))

        yield timed(fetch_all), lambda: IDEAL_MS


@contextmanager
def parallel_calls() -> Iterator[tuple[Sample, Sample]]:
    """The same through a daemon: as many calls at once, each answer making room for the next call."""
    with client() as both, daemon.daemon(OPEN_SETTINGS) as server:
        call = {"name": "web_fetch", "arguments": {"url": f"{both.base}/wait"}}
        lines = [daemon.line(identity, "tools/call", call) for identity in range(1, PARALLEL_FETCHES + 1)]
        must_succeed(server.call(lines[0]))

        def call_all() -> None:
            server.send(b"".join(lines[:PARALLEL]))
            for following in lines[PARALLEL:]:
                server.receive()
                server.send(following)
            for _ in range(PARALLEL):
                must_succeed(server.receive())

        yield timed(call_all), lambda: IDEAL_MS


@contextmanager
def ping_beside_a_page(share: float) -> Iterator[tuple[Sample, Sample]]:
    """The round trip below which `share` of the pings stay that are sent while a 2 MiB page is turned into text."""
    with client() as both, daemon.daemon(OPEN_SETTINGS) as server:
        call = daemon.line(1, "tools/call", {"name": "web_fetch", "arguments": {"url": f"{both.base}/page"}})
        must_succeed(server.call(call))

        def pings() -> float:
            server.send(call)
            took: list[float] = []
            answered = False
            while not answered:
                started = time.perf_counter()
                server.send(daemon.line(2, "ping"))
                while (answer := server.receive())["id"] != 2:  # the page's comes once
                    must_succeed(answer)
                    answered = True
                took.append((time.perf_counter() - started) * 1000)
            return sorted(took)[min(len(took) - 1, int(len(took) * share))]

        yield pings, lambda: 0.0


def must_succeed(answer: dict[str, object]) -> None:
    """Raise where a call has failed, so that no failure is taken for speed."""
    result = answer.get("result")
    if not isinstance(result, dict) or result["is_error"]:
        raise Unavailable(f"a call failed: {answer}")


@contextmanager
def decoding(coding: str) -> Iterator[tuple[Sample, Sample]]:
    """2 MiB of encoded HTML, beside reading it encoded and decoding it in one go."""
    with client() as both:
        path, decode = f"/page.{coding}", DECODERS[coding]
        assert both.fetch(path).body == decode(both.request(path, decode_content=False))
        yield timed(lambda: both.fetch(path)), timed(lambda: decode(both.request(path, decode_content=False)))


@contextmanager
def bomb_time(coding: str) -> Iterator[tuple[Sample, Sample]]:
    """A bomb, beside a real page that is as large as may be taken."""
    with client() as both:
        assert both.fetch(f"/bomb.{coding}").truncated
        yield timed(lambda: both.fetch(f"/bomb.{coding}")), timed(lambda: both.fetch(f"/page.{coding}"))


@contextmanager
def bomb_growth(coding: str) -> Iterator[tuple[Sample, Sample]]:
    """By how much a bomb raises the peak of a process's memory, beside a real page."""
    if not Path("/proc/self/clear_refs").exists():
        raise Unavailable("the kernel does not let the peak of memory be reset here")
    with client() as both:
        yield lambda: growth(both, f"/bomb.{coding}"), lambda: growth(both, f"/page.{coding}")


def growth(both: Client, path: str) -> float:
    """Return the growth of a fresh process by one fetch, in MiB."""
    command = [sys.executable, str(Path(__file__).with_name("growth.py")), str(both.port), path]
    return float(subprocess.run(command, check=True, capture_output=True).stdout)


def rows_of(coding: str) -> tuple[Bench, ...]:
    """Return the rows of one content coding."""
    return (
        Bench(f"decode-{coding}", f"2 MiB, {coding}", "read + decoder", 1.4, partial(decoding, coding)),
        Bench(f"bomb-time-{coding}", f"bomb, {coding}", "a real 2 MiB", 3, partial(bomb_time, coding)),
        Bench(
            f"bomb-peak-{coding}",
            f"bomb, {coding}",
            "a real 2 MiB",
            8,
            partial(bomb_growth, coding),
            "MiB",
            rounds=3,
            absolute=True,
        ),
    )


BENCHES = (
    Bench("pool-kept", "guarded fetch, kept connection", "plain urllib3", 1.1, keep_alive),
    Bench("pool-fresh", "guarded fetch, new connection", "plain urllib3", 1.1, fresh),
    Bench("action", "whole web_fetch", "plain urllib3 + ping", 1.5, action),
    Bench("parallel", "320 fetches, 32 at once", "ideal", 1.2, parallel, rounds=5),
    Bench("parallel-calls", "320 calls, 32 at once", "ideal", 1.2, parallel_calls, rounds=5),
    *(row for coding in DECODERS for row in rows_of(coding)),
    *(
        Bench(
            f"ping-{name}",
            f"ping beside a page, {name}",
            "nothing",
            target,
            partial(ping_beside_a_page, share),
            rounds=5,
            absolute=True,
        )
        for name, share, target in (("p50", 0.5, 1), ("p99", 0.99, 10))
    ),
)
