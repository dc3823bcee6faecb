"""One CDP session: a page, a frame of another process, or the browser itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from blitzweb.browser.client import Client, Pending
from blitzweb.limits import CDP_ANSWER_SECONDS
from blitzweb.timing import Deadline


class Session:
    """Sends commands to one target."""

    __slots__ = ("client", "id")

    def __init__(self, client: Client, identity: str = "") -> None:
        self.client = client
        self.id = identity

    def send(self, method: str, **params: Any) -> Pending:
        """Send a command; its answer is waited for by the caller, or by nobody."""
        return self.client.send(method, params, self.id)

    def call(self, method: str, deadline: Deadline | None = None, /, **params: Any) -> Mapping[str, Any]:
        """Send a command and return its answer; see `Pending.wait`."""
        return self.send(method, **params).wait(deadline or Deadline(CDP_ANSWER_SECONDS))
