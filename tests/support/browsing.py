"""What browser tests share: a daemon that drives a real browser, and the engines that this machine has."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Self

import psutil
import pytest

from blitzweb.browser.find import find_browser
from blitzweb.errors import BrowserUnavailable
from tests.support.host import Host, request

SERVE = (sys.executable, "-m", "blitzweb", "serve")
LOCAL = {"allow_local": True, "allow_scripts": True}
HOSTS = ["127.0.0.1", "localhost"]


def engine_or_skip(engine: str) -> str:
    """Return an engine, or skip the test with what to install."""
    try:
        find_browser(engine=engine)
    except BrowserUnavailable as missing:
        pytest.skip(f"{missing.message}; {missing.advice}")
    return engine


class Browsing:
    """A host and its daemon; `do` runs an action and returns its output, which must be no error unless `fails`."""

    def __init__(
        self,
        *,
        engine: str = "headless-shell",
        answers: Any = None,
        web: dict[str, Any] | None = None,
        folder: str | None = None,
        **settings: Any,
    ) -> None:
        self._answers = answers
        self.folder = folder or tempfile.mkdtemp()
        self.host = Host(SERVE)
        self.asked: list[dict[str, Any]] = []
        self._number = 0
        browser = {**LOCAL, "engine": engine_or_skip(engine), **settings.pop("browser", {})}
        self.host.open(
            protocol_version=1,
            host={"name": "test", "version": "1", "pid": os.getpid()},
            capabilities={"approvals": answers is not None, "audit": True},
            settings={"browser": browser, "web": {"allow_domains": HOSTS, **(web or {})}, **settings},
            state_dir=self.folder,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *args: object) -> None:
        self.host.__exit__(*args)

    def call(self, action: str, *, timeout_ms: int | None = None, context: Any = None, **arguments: Any) -> Any:
        """Run an action, answer what is asked meanwhile, and return the whole message."""
        self._number += 1
        identity = f"browse-{self._number}"
        params: dict[str, Any] = {"name": "browser", "arguments": {"action": action, **arguments}}
        if timeout_ms is not None:
            params["timeout_ms"] = timeout_ms
        if context is not None:
            params["context"] = context
        self.host.send(request(identity, "tools/call", params))
        return self.await_answer(identity)

    def await_answer(self, identity: str, seconds: float = 50.0) -> Any:
        """Return an answer; questions that come before it are answered."""
        while True:
            message = self.host.find(
                lambda one: one.get("id") == identity or one.get("method") == "approval/request", seconds
            )
            if message.get("method") != "approval/request":
                return message
            self.asked.append(message["params"])
            answer = self._answers(message["params"])
            self.host.send({"jsonrpc": "2.0", "id": message["id"], "result": answer})

    def do(self, action: str, *, fails: bool = False, **arguments: Any) -> Any:
        """Run an action and return its output."""
        message = self.call(action, **arguments)
        assert "result" in message, message
        result = message["result"]
        assert result["is_error"] is fails, result
        return result["output"]

    def text(self) -> str:
        """Return the page's text."""
        return str(self.do("read").get("text", ""))

    def pid(self) -> int:
        """Return the browser's process."""
        return int(self.host.call("$/status")["result"]["browsers"][0]["pid"])

    def audit(self) -> str:
        """Return all that was written to the audit."""
        return "".join(path.read_text() for path in sorted(Path(self.folder, "audit").glob("*.jsonl")))


def family(pid: int) -> list[psutil.Process]:
    """Return a process and all below it."""
    process = psutil.Process(pid)
    return [process, *process.children(recursive=True)]


def wait_until_gone(processes: list[psutil.Process], seconds: float = 2.0) -> None:
    """Wait until processes are gone; one that nobody has reaped counts as gone."""
    end = time.monotonic() + seconds
    while alive := [one for one in processes if _is_alive(one)]:
        assert time.monotonic() < end, f"still there: {alive}"
        time.sleep(0.01)


def _is_alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def profiles() -> list[str]:
    """Return the profiles that stand."""
    folder = Path(tempfile.gettempdir(), f"blitzweb-{os.geteuid()}")
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


def process_table() -> str:
    """Return the command lines of all processes."""
    return subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
