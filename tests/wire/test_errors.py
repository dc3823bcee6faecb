"""Every row of the protocol's table of errors that the wire itself can produce, through a real process."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.covers import covers
from tests.support.host import Host, notification, request


@pytest.fixture(scope="module")
def host():
    with Host() as host:
        yield host.open()


def error_of(answer: Any) -> tuple[int, str]:
    assert set(answer) == {"jsonrpc", "id", "error"}, answer
    error = answer["error"]
    assert set(error) == {"code", "message", "data"}
    assert error["message"]
    assert "Traceback" not in str(answer)
    return error["code"], error["data"]["reason"]


@covers("WIRE-02", "WIRE-28")
@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b'{"jsonrpc":"2.0","id":1,"method":"ping"',
        b"\xff\xfe",
        b'{"jsonrpc":"2.0","id":1,"method":"p\xc3"}',
        b'{"jsonrpc":"2.0","id":1,"method":"echo","params":{"x":NaN}}',
        b'{"jsonrpc":"2.0","id":1,"method":"echo","params":{"x":Infinity}}',
        b'{"jsonrpc":"2.0","id":1,"method":"echo","params":{"x":1e999}}',
        b"[" * 200_000 + b"]" * 200_000,
        b'{"jsonrpc":"2.0","id":1,"method":"echo","params":' + b'{"a":' * 200_000 + b"1" + b"}" * 200_001,
        b'{"jsonrpc":"2.0","id":1,"method":"echo","params":{"x":"' + b"x" * 2**22 + b'"}}',
    ],
    ids=lambda line: line[:30],
)
def test_parse_errors(host: Host, line: bytes) -> None:
    host.send_bytes(line + b"\n")
    answer = host.receive()
    assert answer["id"] is None
    assert error_of(answer) == (-32700, "parse_error")


@covers("WIRE-04", "WIRE-28")
@pytest.mark.parametrize(
    ("message", "identity"),
    [
        (1, None),
        (None, None),
        ("text", None),
        ({"jsonrpc": "2.0"}, None),
        ({"jsonrpc": "2.0", "id": 5}, 5),
        ({"jsonrpc": "1.0", "id": "x", "method": "ping"}, "x"),
        ({"jsonrpc": "2.0", "id": 5, "method": ["ping"]}, 5),
        ({"jsonrpc": "2.0", "id": 5, "method": "ping", "params": 1}, 5),
        ({"jsonrpc": "2.0", "id": 5, "method": "ping", "params": None}, 5),
        ({"jsonrpc": "2.0", "id": True, "method": "ping"}, None),
        ({"jsonrpc": "2.0", "id": {"a": 1}, "method": "ping"}, None),
        ([], None),
    ],
)
def test_invalid_requests(host: Host, message: Any, identity: Any) -> None:
    host.send(message)
    answer = host.receive()
    assert answer["id"] == identity
    assert error_of(answer) == (-32600, "invalid_request")


@covers("WIRE-04", "WIRE-28")
@pytest.mark.parametrize("method", ["ping", "echo", "echo/work"])
def test_params_in_an_array(host: Host, method: str) -> None:
    assert error_of(host.call(method, [1])) == (-32602, "invalid_params")


@covers("WIRE-05", "WIRE-28")
@pytest.mark.parametrize("method", ["nope", "ECHO", "Echo", "echo ", "e_cho", "", "rpc.", "__class__", "\ud800"])
def test_unknown_methods_and_names_that_are_only_alike(host: Host, method: str) -> None:
    assert error_of(host.call(method, {})) == (-32601, "method_not_found")


@pytest.mark.parametrize("method", ["exit", "initialized", "$/cancelRequest"])
def test_a_notification_sent_as_a_request_is_no_method(host: Host, method: str) -> None:
    answer = host.call(method, {"id": 1})
    assert error_of(answer) == (-32601, "method_not_found")
    assert "without an id" in answer["error"]["data"]["advice"]


@covers("WIRE-06", "WIRE-28", "AUDIT-04")
@pytest.mark.parametrize("method", ["fail", "fail/quick", "leave", "leave/quick"])
def test_a_fault_has_no_traceback_and_its_id_is_in_the_log(host: Host, method: str) -> None:
    answer = host.call(method, {"secret": "hunter2"})
    assert error_of(answer) == (-32603, "internal")
    assert "hunter2" not in str(answer)
    log = host.wait_for_log(f"fault {answer['error']['data']['log_id']} |")
    assert "hunter2" not in log


@covers("WIRE-10", "WIRE-06")
@pytest.mark.parametrize("method", ["nan", "nan/quick"])
def test_a_result_that_is_no_json_is_a_fault_of_ours(host: Host, method: str) -> None:
    assert error_of(host.call(method)) == (-32603, "internal")


def test_a_result_longer_than_a_line_may_be_is_a_fault_of_ours(host: Host) -> None:
    answer = host.call("text", {"size": 2**24})
    assert error_of(answer) == (-32603, "internal")
    assert "16777216" in answer["error"]["message"]


@covers("WIRE-24", "WIRE-28")
def test_cancelled(host: Host) -> None:
    host.send(request(1, "hold"))
    host.find(lambda message: message.get("method") == "held")
    host.send(notification("$/cancelRequest", {"id": 1}))
    assert error_of(host.answer(1)) == (-32800, "cancelled")


@covers("WIRE-18", "WIRE-28")
@pytest.mark.parametrize("method", ["echo", "no such method", "shutdown"])
def test_not_initialised(method: str) -> None:
    with Host() as host:
        assert error_of(host.call(method, {})) == (-31000, "not_initialized")
        host.open()


@covers("WIRE-21", "WIRE-28")
def test_shutting_down() -> None:
    with Host() as host:
        host.open()
        assert host.call("shutdown")["result"] is None
        assert error_of(host.call("echo", {})) == (-31003, "shutting_down")
        assert error_of(host.call("shutdown")) == (-31003, "shutting_down")
        assert host.call("ping")["result"] is None


@covers("WIRE-25", "WIRE-28")
def test_overloaded() -> None:
    with Host() as host:
        host.open()
        host.send(*(request(number, "hold", {"lane": "one"}) for number in range(65)))
        answer = host.receive()
        while "method" in answer:
            answer = host.receive()
        assert (answer["id"], error_of(answer)) == (64, (-31001, "overloaded"))
        assert answer["error"]["data"]["retry_after_ms"] > 0
        # How many threads have started, and how much the writer has yet to flush, are moments of time.
        assert host.call("$/status")["result"] | {"threads": 0, "unread_bytes": 0} == {
            "running": 1,
            "waiting": 63,
            "threads": 0,
            "unread_bytes": 0,
            "dropped": 0,
        }
        host.send(*(notification("$/cancelRequest", {"id": number}) for number in range(64)))
        for number in range(64):
            assert error_of(host.answer(number)) == (-32800, "cancelled")


@covers("WIRE-26", "WIRE-28")
def test_deadline_passed(host: Host) -> None:
    answer = host.call("hold", {"seconds": 0.05, "deaf": True})
    assert error_of(answer) == (-31002, "deadline_passed")
    assert "holding" in answer["error"]["message"]
    host.call("release")


def test_invalid_params_of_a_method_leave_it_uninitialised() -> None:
    with Host() as host:
        assert error_of(host.call("initialize", {"fail": True})) == (-32602, "invalid_params")
        assert error_of(host.call("echo", {})) == (-31000, "not_initialized")
        host.open()
        assert error_of(host.call("initialize", {})) == (-32600, "invalid_request")
