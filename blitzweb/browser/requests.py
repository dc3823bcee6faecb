"""Requests of a page while they are watched: which are under way, and what became of them (WEB-31, BROWSER-08).

Values only. Chrome's Network domain is costly, so that it is on only while an action settles, or once somebody asked
for the requests.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from blitzweb.limits import MAX_RECORDED_REQUESTS

# Nobody waits for these: they report, or stay open.
_NOT_AWAITED: Final = frozenset({"Ping", "EventSource", "WebSocket", "CSPViolationReport", "Preflight", "Prefetch"})


class Request:
    """One request; `state` is its status, or what went wrong."""

    __slots__ = (
        "awaited",
        "bytes",
        "failure",
        "headers",
        "id",
        "kind",
        "method",
        "mime",
        "number",
        "session",
        "status",
        "url",
    )

    def __init__(self, number: int, params: Mapping[str, Any], session: str) -> None:
        request = params.get("request", {})
        self.number = number
        self.id = str(params.get("requestId", ""))
        self.session = session
        self.url = str(request.get("url", ""))
        self.method = str(request.get("method", ""))
        self.kind = str(params.get("type", "Other"))
        self.awaited = self.kind not in _NOT_AWAITED
        self.status: int | None = None
        self.mime = ""
        self.bytes: int | None = None
        self.headers: Mapping[str, Any] = {}
        self.failure = ""


class Requests:
    """Owned by a tab, which locks."""

    def __init__(self) -> None:
        self._under_way: dict[str, Request] = {}
        self._recorded: dict[str, Request] = {}  # the last ones, by Chrome's id
        self._number = 0
        self.begun = 0  # how many that are waited for have begun

    def begin(self, params: Mapping[str, Any], session: str) -> None:
        """Take in `Network.requestWillBeSent`; a redirect is the same request going on."""
        if (
            before := self._recorded.get(str(params.get("requestId", "")))
        ) is not None and "redirectResponse" in params:
            before.url = str(params.get("request", {}).get("url", before.url))
            return
        self._number += 1
        request = Request(self._number, params, session)
        if request.awaited:
            self.begun += 1
            self._under_way[request.id] = request
        self._recorded[request.id] = request
        if len(self._recorded) > MAX_RECORDED_REQUESTS:
            del self._recorded[next(iter(self._recorded))]

    def respond(self, params: Mapping[str, Any]) -> None:
        """Take in `Network.responseReceived`."""
        if request := self._recorded.get(str(params.get("requestId", ""))):
            response = params.get("response", {})
            request.status = response.get("status")
            request.mime = str(response.get("mimeType", ""))
            request.headers = response.get("headers", {})

    def finish(self, params: Mapping[str, Any]) -> None:
        """Take in `Network.loadingFinished` or `loadingFailed`."""
        identity = str(params.get("requestId", ""))
        self._under_way.pop(identity, None)
        if request := self._recorded.get(identity):
            length = params.get("encodedDataLength")
            request.bytes = int(length) if length is not None else request.bytes
            if params.get("errorText") and request.status not in {204, 205}:
                request.failure = str(params.get("blockedReason") or params["errorText"])

    @property
    def under_way(self) -> int:
        """How many are waited for."""
        return len(self._under_way)

    def forget_under_way(self) -> None:
        """Stop waiting: nobody watches any more, so that their ends would not be seen."""
        self._under_way.clear()

    def take(self) -> list[Request]:
        """Return what was recorded since the last time."""
        taken = list(self._recorded.values())
        self._recorded = dict(self._under_way)
        return taken

    def find(self, number: int) -> Request | None:
        """Return a request that is still recorded."""
        return next((one for one in self._recorded.values() if one.number == number), None)
