"""Which requests are admitted when, and what notifications want."""

from __future__ import annotations

import pytest

from blitzweb.dialects.mcp.client import UnsupportedVersion
from blitzweb.dialects.mcp.lifecycle import McpLifecycle
from blitzweb.errors import InvalidParams, InvalidRequest, MethodNotFound
from blitzweb.rpc.lifecycle import Cancelled
from blitzweb.rpc.stopping import StopReason
from blitzweb.wire.messages import Notification, Request
from tests.support.covers import covers
from tests.support.mcp import envelope

MODERN = {"_meta": envelope()}
HANDSHAKE = Request(1, "initialize", {"protocolVersion": "2025-11-25"})


@covers("MCP-01")
@pytest.mark.parametrize(
    ("is_open", "method", "params", "error"),
    [
        *[(is_open, "tools/list", MODERN, None) for is_open in (False, True)],
        *[(is_open, "server/discover", MODERN, None) for is_open in (False, True)],
        *[(is_open, "ping", {}, None) for is_open in (False, True)],
        (False, "initialize", {}, None),
        *[(False, method, {}, InvalidParams) for method in ("tools/list", "server/discover", "subscriptions/listen")],
        (False, "tools/call", None, InvalidParams),
        (False, "tools/list", ["x"], InvalidParams),
        (False, "tools/list", {"_meta": envelope("2027-01-01")}, UnsupportedVersion),
        (False, "no/such", {"_meta": envelope("2027-01-01")}, UnsupportedVersion),
        (False, "no/such", MODERN, MethodNotFound),
        (False, "no/such", {}, MethodNotFound),
        *[(False, method, MODERN, MethodNotFound) for method in ("initialize", "ping", "logging/setLevel", "shutdown")],
        (True, "initialize", {}, InvalidRequest),
        (True, "tools/list", {}, None),
        (True, "tools/call", {}, None),
        *[(True, method, {}, MethodNotFound) for method in ("server/discover", "subscriptions/listen", "shutdown")],
        *[(True, method, {}, MethodNotFound) for method in ("resources/list", "$/status", "notifications/cancelled")],
    ],
)
def test_what_is_admitted_when(is_open, method, params, error):
    lifecycle = McpLifecycle()
    if is_open:
        lifecycle.passed(HANDSHAKE)
    if error is None:
        lifecycle.admit(Request(1, method, params))
    else:
        with pytest.raises(error):
            lifecycle.admit(Request(1, method, params))


@covers("MCP-01")
@pytest.mark.parametrize("identity", [None, 1.5, 1.0])
def test_an_id_is_a_text_or_a_whole_number(identity):
    with pytest.raises(InvalidRequest, match="whole number"):
        McpLifecycle().admit(Request(identity, "tools/list", MODERN))


@covers("MCP-03")
@pytest.mark.parametrize(
    ("method", "params", "wanted"),
    [
        ("notifications/cancelled", {"requestId": 7, "reason": "x"}, 7),
        ("notifications/cancelled", {"requestId": "a"}, "a"),
        ("notifications/cancelled", {"requestId": None}, None),
        ("notifications/cancelled", {"id": 7}, None),
        ("notifications/cancelled", None, None),
        ("notifications/initialized", None, None),
        ("exit", None, None),
        ("$/cancelRequest", {"id": 7}, None),
    ],
)
def test_only_a_cancel_wants_anything(method, params, wanted):
    wish = McpLifecycle().heed(Notification(method, params))
    assert (wish.identity if wish else None) == wanted


@covers("MCP-03")
def test_cancelled_calls_are_not_answered_and_every_end_is_good():
    assert McpLifecycle().cancelled is Cancelled.SILENT
    assert {McpLifecycle().exit_code(reason) for reason in StopReason} == {0}
