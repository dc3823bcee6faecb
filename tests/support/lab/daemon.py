"""A real daemon on the daemon's side of the lab, and what a fetch through it came to."""

from __future__ import annotations

import itertools
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.host import Host, cancel, request
from tests.support.lab.lab import Lab

EVERY_HOST = {"allow": ["web_fetch"]}  # what these tests are about comes before and after any person's answer


@dataclass(frozen=True)
class Fetched:
    """What came of one call: a result of the tool, or a JSON-RPC error for the host."""

    output: dict[str, Any]
    text: str
    is_error: bool
    code: int | None = None  # of a JSON-RPC error

    @property
    def allowed(self) -> bool:
        """Tell whether the page was read."""
        return not self.is_error and self.code is None


class Daemon(Host):
    """`blitzweb serve` in the lab, initialised with settings; `environment` is added to its own."""

    def __init__(self, lab: Lab, state_dir: Path, settings: dict[str, Any] | None = None, **environment: str) -> None:
        command = lab.command(sys.executable, "-m", "blitzweb", "serve", HOME=str(state_dir), **environment)
        super().__init__(command)
        self._ids = itertools.count(1)
        settings = {"network": {"ca_file": str(lab.ca_file)}, "permissions": EVERY_HOST} | (settings or {})
        self.open(
            protocol_version=1, host={"name": "lab"}, capabilities={}, settings=settings, state_dir=str(state_dir)
        )

    def use(self, tool: str, *, context: dict[str, Any] | None = None, **arguments: Any) -> Fetched:
        """Call a tool and wait for what comes of it."""
        return read(self.answer(self.begin_use(tool, context=context, **arguments), 30))

    def begin_use(self, tool: str, *, context: dict[str, Any] | None = None, **arguments: Any) -> int:
        """Call a tool and return the id of the call."""
        identity = next(self._ids)
        self.send(request(identity, "tools/call", {"name": tool, "arguments": arguments, "context": context or {}}))
        return identity

    def ask(self, method: str, params: dict[str, Any] | None = None) -> Any:
        """Send a request and return its result."""
        return self.call(method, params, next(self._ids), 30)["result"]

    def fetch(self, url: str, *, timeout_ms: int = 10_000, **arguments: Any) -> Fetched:
        """Call web_fetch and wait for what comes of it."""
        return read(self.answer(self.begin(url, timeout_ms=timeout_ms, **arguments), timeout_ms / 1000 + 10))

    def begin(self, url: str, *, timeout_ms: int = 10_000, **arguments: Any) -> int:
        """Call web_fetch and return the id of the call."""
        identity = next(self._ids)
        call = {"name": "web_fetch", "arguments": {"url": url, **arguments}, "timeout_ms": timeout_ms}
        self.send(request(identity, "tools/call", call))
        return identity

    def cancel(self, identity: int) -> None:
        """Cancel a call."""
        self.send(cancel(identity))


def read(answer: dict[str, Any]) -> Fetched:
    """Return what an answer to tools/call says."""
    if "error" in answer:
        return Fetched({}, answer["error"]["message"], is_error=True, code=answer["error"]["code"])
    result = answer["result"]
    return Fetched(result["output"], result["text"], result["is_error"])
