"""Rows beside peers (`--peers`): loading a page and reading what is on it, with the same Chromium, taken in turn.

The peers are installed from npm into a folder of their own. Each is asked for what its model needs to go on: a load,
and a snapshot where the load does not give one.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any

from browser_rows import hosting
from row import Bench, Sample, Unavailable, timed

from blitzweb.browser.find import find_browser

FOLDER = Path(__file__).parents[2] / ".cache" / "peers"
PACKAGES = ("@playwright/mcp@0.0.83", "chrome-devtools-mcp@1.11.0")
NO_SANDBOX = ("--chromeArg=--no-sandbox", "--chromeArg=--disable-gpu")


class Peer:
    """An MCP server that drives a browser."""

    def __init__(self, program: str, options: list[str]) -> None:
        self.process = subprocess.Popen(
            [install() / program, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=FOLDER,  # where some leave files
        )
        self._in: IO[bytes] = self.process.stdin  # type: ignore[assignment]
        self._out: IO[bytes] = self.process.stdout  # type: ignore[assignment]
        self._number = 0
        client = {"name": "bench", "version": "1"}
        self._ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def tool(self, name: str, **arguments: Any) -> Any:
        """Call a tool and return its result."""
        result = self._ask("tools/call", {"name": name, "arguments": arguments})
        if result.get("isError"):
            raise Unavailable(f"{name} of a peer failed: {str(result)[:200]}")
        return result

    def close(self) -> None:
        """End it."""
        self._in.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._out.close()

    def _ask(self, method: str, params: Mapping[str, Any]) -> Any:
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        while line := self._out.readline():
            message = json.loads(line)
            if message.get("id") == self._number and "method" not in message:
                return message.get("result", {"isError": True, "error": message.get("error")})
        raise Unavailable("a peer ended")

    def _send(self, message: Mapping[str, Any]) -> None:
        self._in.write(json.dumps(message).encode() + b"\n")
        self._in.flush()


def install() -> Path:
    """Return the folder of the peers' programs, installed on first use."""
    programs = FOLDER / "node_modules" / ".bin"
    if not programs.exists():
        if shutil.which("npm") is None:
            raise Unavailable("npm is not installed")
        FOLDER.mkdir(parents=True, exist_ok=True)
        options = ("--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(FOLDER))
        done = subprocess.run(["npm", "install", *options, *PACKAGES], capture_output=True, text=True, check=False)
        if done.returncode:
            raise Unavailable(f"the peers cannot be installed: {done.stderr.strip()[-200:]}")
    return programs


def playwright() -> Peer:
    """Start @playwright/mcp."""
    path = find_browser(engine="chrome").path
    return Peer("playwright-mcp", ["--headless", "--isolated", "--no-sandbox", "--executable-path", path])


def devtools() -> Peer:
    """Start chrome-devtools-mcp."""
    path = find_browser(engine="chrome").path
    return Peer("chrome-devtools-mcp", ["--headless", "--isolated", "--executablePath", path, *NO_SANDBOX])


def read_by_playwright(peer: Peer, url: str) -> None:
    """Load a page and take its snapshot."""
    peer.tool("browser_navigate", url=url)
    peer.tool("browser_snapshot")


def read_by_devtools(peer: Peer, url: str) -> None:
    """Load a page and take its snapshot."""
    peer.tool("navigate_page", pageId=1, url=url)
    peer.tool("take_snapshot", pageId=1)


@contextmanager
def beside(start: Any, read: Any, page: str) -> Iterator[tuple[Sample, Sample]]:
    """Load a page and read what is on it: ours with the digest, the peer with its snapshot."""
    with hosting(engine="chrome") as (host, url):
        peer = start()
        try:
            host.tool("browser_navigate", url=f"{url}/tiny")
            yield (
                timed(partial(host.tool, "browser_navigate", url=f"{url}{page}")),
                timed(partial(read, peer, f"{url}{page}")),
            )
        finally:
            peer.close()


PEERS = {"pw": (playwright, read_by_playwright), "cdt": (devtools, read_by_devtools)}
BENCHES = tuple(
    Bench(f"peer-{name}-{page}", f"{page} page and digest", name, 1.0, partial(beside, *parts, f"/{page}"), rounds=9)
    for name, parts in PEERS.items()
    for page in ("tiny", "form", "heavy")
)
