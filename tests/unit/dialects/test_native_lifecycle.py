"""The transition table, whole."""

from __future__ import annotations

import pytest

from blitzweb.dialects.native_lifecycle import NativeLifecycle
from blitzweb.errors import InvalidRequest, NotInitialized, ProtocolError, ShuttingDown
from blitzweb.rpc.stopping import StopReason
from blitzweb.wire.messages import Request
from tests.support.covers import covers

ALWAYS = ("ping", "rpc.discover", "$/status")


def after(*methods: str) -> NativeLifecycle:
    lifecycle = NativeLifecycle()
    for method in methods:
        lifecycle.admit(Request(1, method, None))
        lifecycle.passed(Request(1, method, None))
    return lifecycle


@covers("WIRE-18", "WIRE-21")
@pytest.mark.parametrize(
    ("before", "method", "error"),
    [
        ((), "tools/call", NotInitialized),
        ((), "shutdown", NotInitialized),
        ((), "no such method", NotInitialized),
        (("initialize",), "tools/call", None),
        (("initialize",), "initialize", InvalidRequest),
        (("initialize",), "shutdown", None),
        (("initialize", "shutdown"), "tools/call", ShuttingDown),
        (("initialize", "shutdown"), "shutdown", ShuttingDown),
        (("initialize", "shutdown"), "initialize", ShuttingDown),
        *[(before, method, None) for method in ALWAYS for before in ((), ("initialize",), ("initialize", "shutdown"))],
    ],
)
def test_what_is_admitted_when(before: tuple[str, ...], method: str, error: type[ProtocolError] | None) -> None:
    lifecycle = after(*before)
    if error is None:
        lifecycle.admit(Request(1, method, None))
    else:
        with pytest.raises(error):
            lifecycle.admit(Request(1, method, None))


@covers("WIRE-22", "WIRE-23")
@pytest.mark.parametrize("reason", list(StopReason))
def test_only_an_exit_without_shutdown_is_1(reason: StopReason) -> None:
    assert after("initialize", "shutdown").exit_code(reason) == 0
    assert after("initialize").exit_code(reason) == (1 if reason is StopReason.EXIT else 0)
    assert after().exit_code(reason) == (1 if reason is StopReason.EXIT else 0)
