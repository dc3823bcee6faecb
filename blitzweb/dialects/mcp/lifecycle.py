"""The life of a connection with an MCP client: each request is served in the era that it belongs to.

A request with the modern era's `_meta` stands alone, whenever it comes. Any other belongs to the handshake, and has to
wait for it. Used by the reader thread alone, but for `given_up`. Ids: MCP-01, MCP-03.
"""

from __future__ import annotations

from typing import Any, Final

from blitzweb.dialects.mcp.client import MODERN_VERSIONS, is_modern, read_modern
from blitzweb.errors import InvalidParams, InvalidRequest, MethodNotFound
from blitzweb.rpc.lifecycle import Cancel, Cancelled, Notice
from blitzweb.rpc.stopping import StopReason
from blitzweb.wire.messages import Notification, Request, is_legal_id

LEGACY_METHODS: Final = frozenset({"initialize", "ping", "tools/list", "tools/call"})
MODERN_METHODS: Final = frozenset({"server/discover", "tools/list", "tools/call", "subscriptions/listen"})


class McpLifecycle:
    """Fills the connection's `Lifecycle`."""

    cancelled = Cancelled.SILENT

    def __init__(self) -> None:
        self.pong: Any = {}
        self._is_open = False  # the handshake has been made

    def admit(self, request: Request) -> None:
        """Raise the error that this request meets, if any."""
        if not _is_id(request.id):
            raise InvalidRequest("`id` must be a text or a whole number")
        if is_modern(request.params):
            read_modern(request.params)
            self._admit_one_of(MODERN_METHODS, request.method)
        elif self._is_open:
            self._admit_one_of(LEGACY_METHODS, request.method)
            self._admit_after_handshake(request.method)
        else:
            self._admit_one_of(LEGACY_METHODS | MODERN_METHODS, request.method)
            self._admit_before_handshake(request.method)

    def passed(self, request: Request) -> None:
        """Take note of the handshake."""
        self._is_open |= request.method == "initialize"

    def missing(self, method: str) -> MethodNotFound:
        """Return the error for a method that there is not."""
        return MethodNotFound(f'there is no method "{method[:80]}" here')

    def heed(self, notification: Notification) -> Cancel | None:
        """Return what a notification wants: only a cancel wants anything."""
        match notification.method, notification.params:
            case "notifications/cancelled", {"requestId": identity} if _is_id(identity):
                return Cancel(identity)
        return None

    def given_up(self, identity: str) -> Notice:
        """Return what takes a form away that needs no answer any more; only legacy clients are sent requests."""
        return "notifications/cancelled", {"requestId": identity, "reason": "the call was cancelled"}

    def exit_code(self, _reason: StopReason) -> int:
        """Return 0: every end is as it should be."""
        return 0

    def _admit_one_of(self, methods: frozenset[str], method: str) -> None:
        if method not in methods:
            raise self.missing(method)

    def _admit_after_handshake(self, method: str) -> None:
        if method == "initialize":
            raise InvalidRequest('"initialize" was answered already')

    def _admit_before_handshake(self, method: str) -> None:
        if method not in {"initialize", "ping"}:
            raise InvalidParams(
                f'"{method}" came before "initialize", and without the _meta of MCP {MODERN_VERSIONS[-1]}',
                advice='send "initialize" first, or what a request of that version must say in params._meta',
            )


def _is_id(identity: object) -> bool:
    return isinstance(identity, str | int) and is_legal_id(identity)
