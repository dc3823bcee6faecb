"""Rows about the browser: start, loads, digests, input, pictures, memory, and many workspaces at once.

Ours is the daemon as a host has it, with its proxy, interception and console. The floor is a bare client of the same
binary. The three pages are those that other tools are measured on: tiny, a form of 46 controls, 3,200 elements.
"""

from __future__ import annotations

import base64
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import psutil
from bare_chrome import BareChrome
from daemon import PROGRAM, Daemon, line
from proxy_rows import CREDENTIALS
from proxy_rows import ours as proxy
from row import Bench, Sample, timed

from blitzweb.policy.output_guard import OutputGuards

CHARS_PER_TOKEN = 4
WORKSPACES = 8
SETTINGS = {
    "browser": {"allow_local": True, "interface": "both"},
    "web": {"allow_domains": ["127.0.0.1"]},
    "audit": {"file": False},
}


def _form() -> str:
    fields = "".join(f"<p><label>Field number {n} <input name=f{n}></label></p>" for n in range(30))
    choices = "".join(f"<label><input type=checkbox name=c{n}> Choice {n}</label>" for n in range(8))
    lists = "".join(f"<select name=s{n}><option>One<option>Two<option>Three</select>" for n in range(4))
    buttons = "".join(f"<button type=button>Action {n}</button>" for n in range(4))
    return f"<title>Form</title><h1>Form</h1><form>{fields}{choices}{lists}{buttons}</form>"


def _heavy() -> str:
    rows = "".join(
        f"<tr><td><a href=/item/{n}>Item number {n}</a><td>{n * 7} pieces<td><button>Buy {n}</button></tr>"
        for n in range(800)
    )
    return f"<title>Heavy</title><h1>Catalogue</h1><table>{rows}</table>"


def _assets() -> str:
    scripts = "".join(f"<script src=/script?{n}></script>" for n in range(200))
    return f"<title>Assets</title>{scripts}" + "".join(f"<img src=/image?{n}>" for n in range(10))


IMAGE = b"\x89PNG\r\n\x1a\n" + bytes(2**20)
PAGES = {
    "/tiny": '<title>Tiny</title><h1>Tiny</h1><p>A page with one <a href="/more">link</a>.',
    "/form": _form(),
    "/heavy": _heavy(),
    "/slow": "<title>Slow</title>late",
    "/assets": _assets(),
}


class Handler(BaseHTTPRequestHandler):
    """Serves the pages; the slow one waits, as a server that is far away does."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body leave together: apart, the kernels at both ends would wait 40 ms for each other

    def do_GET(self) -> None:
        """Answer with a page."""
        name = self.path.partition("?")[0]
        if name == "/slow":
            time.sleep(0.3)
        body = IMAGE if name == "/image" else PAGES.get(name, "").encode()
        kind = {"/image": "image/png", "/script": "text/javascript"}.get(name, "text/html; charset=utf-8")
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def serving() -> Iterator[str]:
    """Serve the pages; give the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


class Host:
    """A daemon that was initialised, and its tools."""

    def __init__(self, engine: str = "auto") -> None:
        self.home = tempfile.TemporaryDirectory()
        self.daemon = Daemon([str(PROGRAM), "serve"], Path(self.home.name))
        settings = {**SETTINGS, "browser": {**SETTINGS["browser"], "engine": engine}}
        params = {"protocol_version": 1, "host": {"name": "bench"}, "capabilities": {}, "settings": settings}
        self.daemon.call(line(1, "initialize", params))
        self._number = 1

    def tool(self, name: str, **arguments: Any) -> Any:
        """Call a tool and return its result."""
        self._number += 1
        message = self.daemon.call(line(self._number, "tools/call", {"name": name, "arguments": arguments}))
        if "error" in message or message["result"]["is_error"]:
            raise RuntimeError(message)
        return message["result"]

    def close(self) -> None:
        """End it."""
        self.daemon.kill()
        self.home.cleanup()


@contextmanager
def hosting(page: str = "", engine: str = "auto") -> Iterator[tuple[Host, str]]:
    """Give a host, at a page if one is named, and the site's address."""
    with serving() as url:
        host = Host(engine)
        try:
            if page:
                host.tool("browser_navigate", url=f"{url}{page}")
            yield host, url
        finally:
            host.close()


@contextmanager
def cold() -> Iterator[tuple[Sample, Sample]]:
    """Start a browser and load a page: a daemon that has not used one yet; a bare client."""
    with serving() as url:

        def ours() -> float:
            host = Host()
            try:
                host.daemon.call(line(99, "ping"))
                return timed(partial(host.tool, "browser_navigate", url=f"{url}/tiny"))()
            finally:
                host.close()

        def floor() -> float:
            begin = time.perf_counter()
            chrome = BareChrome()
            chrome.load(f"{url}/tiny")
            elapsed = (time.perf_counter() - begin) * 1000
            chrome.close()
            return elapsed

        yield ours, floor


@contextmanager
def navigating(page: str, *, proxied: bool = True, snapshot: bool = False) -> Iterator[tuple[Sample, Sample]]:
    """Load a page and take its digest; the floor loads it under the same guard, with a snapshot where one is fair."""
    with hosting("/tiny") as (host, url), proxy() if proxied else nullcontext((0, 0)) as (_, port):
        chrome = BareChrome(port)
        chrome.guard(*CREDENTIALS)

        def load() -> None:
            chrome.load(f"{url}{page}", intercepted=True)
            if snapshot:
                chrome.call("DOMSnapshot.captureSnapshot", computedStyles=[])

        try:
            yield timed(partial(host.tool, "browser_navigate", url=f"{url}{page}")), timed(load)
        finally:
            chrome.close()


@contextmanager
def tokens(page: str) -> Iterator[tuple[Sample, Sample]]:
    """Count the tokens of a page's digest."""
    with hosting() as (host, url):
        text = host.tool("browser_navigate", url=f"{url}{page}")["text"]
        yield lambda: len(text) / CHARS_PER_TOKEN, lambda: 0.0


@contextmanager
def acting(act: Callable[[Host, int], object]) -> Iterator[tuple[Sample, Sample]]:
    """Do something on the form, and take the digest of what came of it."""
    with hosting() as (host, url):
        state = {"generation": host.tool("browser_navigate", url=f"{url}/form")["output"]["generation"]}

        def once() -> None:
            state["generation"] = act(host, state["generation"])["output"]["generation"]

        yield timed(once), lambda: 0.0


def click(host: Host, generation: int) -> Any:
    """Click a button that does nothing."""
    return host.tool("browser_click", index=42, generation=generation)


def fill(host: Host, generation: int) -> Any:
    """Fill a field."""
    return host.tool("browser_fill", index=3, generation=generation, text="twenty characters ok")


@contextmanager
def picturing() -> Iterator[tuple[Sample, Sample]]:
    """Picture the window and save it; the floor only has Chrome do it."""
    with hosting("/form") as (host, url):
        chrome = BareChrome()
        chrome.load(f"{url}/form")

        def shoot() -> None:
            base64.b64decode(chrome.call("Page.captureScreenshot", format="png")["data"])

        try:
            yield timed(partial(host.tool, "browser", action="screenshot")), timed(shoot)
        finally:
            chrome.close()


@contextmanager
def stopping() -> Iterator[tuple[Sample, Sample]]:
    """Close the daemon's input, and wait until every process is gone."""
    with serving() as url:

        def ours() -> float:
            host = Host()
            host.tool("browser_navigate", url=f"{url}/tiny")
            processes = [psutil.Process(host.daemon.process.pid)]
            processes += processes[0].children(recursive=True)
            begin = time.perf_counter()
            host.daemon._in.close()  # noqa: SLF001 (what a host's end does)
            host.daemon.process.wait()
            while any(map(is_alive, processes)):
                time.sleep(0.001)
            elapsed = (time.perf_counter() - begin) * 1000
            host.home.cleanup()
            return elapsed

        yield ours, lambda: 0.0


def is_alive(process: psutil.Process) -> bool:
    """Tell whether a process is there; one that nobody has reaped yet is not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@contextmanager
def remembering() -> Iterator[tuple[Sample, Sample]]:
    """Measure what the daemon holds after many pages."""
    with hosting() as (host, url):
        for _ in range(5):
            for page in ("/tiny", "/form", "/heavy"):
                host.tool("browser_navigate", url=f"{url}{page}")
        pid = host.daemon.process.pid

        def resident() -> float:
            pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
            return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

        yield resident, lambda: 0.0


@contextmanager
def in_parallel() -> Iterator[tuple[Sample, Sample]]:
    """Load a page whose server waits, in eight workspaces at once; the floor is the same in one."""
    with hosting() as (host, url):
        numbers = iter(range(1000, 10**9))

        def load(workspaces: int) -> None:
            for number in range(workspaces):
                params = {
                    "name": "browser_navigate",
                    "arguments": {"url": f"{url}/slow"},
                    "context": {"workspace": f"w{number}"},
                }
                host.daemon.send(line(next(numbers), "tools/call", params))
            for _ in range(workspaces):
                if "result" not in (answer := host.daemon.receive()):
                    raise RuntimeError(answer)

        load(WORKSPACES)  # so that all the browsers run
        yield timed(partial(load, WORKSPACES)), timed(partial(load, 1))


@contextmanager
def guarding() -> Iterator[tuple[Sample, Sample]]:
    """Look through 100 KiB for 1,000 patterns."""
    entries = [{"pattern": rf"(?i)\bword{n}[-_]?key\s*[:=]\s*\S{{8,}}", "action": "redact"} for n in range(1000)]
    guard = OutputGuards.compile(entries).of("browser_extract")
    text = ("lorem ipsum dolor sit amet " * 4000)[: 100 * 1024]
    yield timed(partial(guard.apply, text)), lambda: 0.0


BENCHES = (
    Bench("guard", "1,000 patterns, 100 KiB", "", 50, guarding, absolute=True),
    Bench("browser-cold", "first page of a daemon", "bare start and load", 1.35, cold, rounds=7),
    Bench("browser-tiny", "tiny page and digest", "bare load, guarded", 1.6, partial(navigating, "/tiny")),
    Bench("browser-form", "46 controls and digest", "bare load, guarded", 2.5, partial(navigating, "/form")),
    Bench(
        "browser-heavy",
        "3,200 elements and digest",
        "load and snapshot",
        1.0,
        partial(navigating, "/heavy", snapshot=True),
        rounds=9,
    ),
    Bench(
        "digest-tiny",
        "tokens of the tiny page",
        "",
        60,
        partial(tokens, "/tiny"),
        unit="tokens",
        rounds=1,
        absolute=True,
    ),
    Bench(
        "digest-form",
        "tokens of 46 controls",
        "",
        700,
        partial(tokens, "/form"),
        unit="tokens",
        rounds=1,
        absolute=True,
    ),
    Bench(
        "digest-heavy",
        "tokens of 3,200 elements",
        "",
        1900,
        partial(tokens, "/heavy"),
        unit="tokens",
        rounds=1,
        absolute=True,
    ),
    Bench(
        "browser-assets",
        "200 scripts, 10 MiB",
        "bare load, no proxy",
        1.08,
        partial(navigating, "/assets", proxied=False),
        rounds=9,
    ),
    Bench("browser-click", "click and digest", "", 20, partial(acting, click), absolute=True),
    Bench("browser-fill", "fill and digest", "", 20, partial(acting, fill), absolute=True),
    Bench("browser-shot", "screenshot, saved", "bare captureScreenshot", 1.1, picturing),
    Bench("browser-stop", "stdin closed, all gone", "", 300, stopping, rounds=5, absolute=True),
    Bench("browser-memory", "daemon after 15 pages", "", 80, remembering, unit="MiB", rounds=1, absolute=True),
    Bench("browser-eight", "8 workspaces, slow server", "one", 1.6, in_parallel, rounds=5),
)
