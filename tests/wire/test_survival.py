"""Each item of what the wire must survive, and each known fault of the correlating library, through a real process."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.support.covers import covers
from tests.support.host import Host, cancel, notification, request


@pytest.fixture(scope="module")
def shared():
    with Host() as host:
        yield host.open()


@pytest.fixture
def host(shared: Host):
    """One daemon for all: whatever a test does to it, it must still answer afterwards, and owe nothing."""
    yield shared
    assert shared.nothing_more()


@covers("WIRE-01")
def test_carriage_returns_and_blank_lines_are_tolerated(host: Host) -> None:
    host.send_bytes(b'\n\r\n  \n{"jsonrpc":"2.0","id":1,"method":"ping"}\r\n')
    assert host.receive() == {"jsonrpc": "2.0", "id": 1, "result": None}
    assert host.raw[-1].endswith(b"}\n")


@covers("WIRE-01")
def test_what_is_written_is_utf8_as_it_is(host: Host) -> None:
    assert host.call("echo", {"text": "ü😀\u2028"})["result"] == {"text": "ü😀\u2028"}
    assert "ü😀\u2028".encode() in host.raw[-1]


@covers("WIRE-08")
@pytest.mark.parametrize("identity", [0, -1, 1.5, 1.0, 2**70, "", "text", "ü", "1", None])
@pytest.mark.parametrize("method", ["echo", "echo/work"])
def test_ids_come_back_as_given(host: Host, method: str, identity: Any) -> None:
    assert host.call(method, {"a": 1}, identity) == {"jsonrpc": "2.0", "id": identity, "result": {"a": 1}}


@covers("WIRE-08")
@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        (1, 1, True),
        (1, 1.0, True),
        ("1", "1", True),
        (None, None, True),
        (1, "1", False),
        (0, "", False),
        (0, None, False),
    ],
)
def test_duplicate_ids_in_flight(host: Host, *, first: Any, second: Any, same: bool) -> None:
    host.send(request(first, "hold"))
    host.find(lambda message: message.get("method") == "held")
    answer = host.call("echo", {}, second)
    assert ("error" in answer) is same
    if same:
        assert answer["error"]["code"] == -32600
        assert "in flight" in answer["error"]["message"]
    host.send(cancel(first))
    assert host.answer(first)["error"]["code"] == -32800
    assert "result" in host.call("echo", {}, first)


@covers("WIRE-09")
@pytest.mark.parametrize(
    "method", ["initialized", "nope", "echo", "echo/work", "fail/quick", "initialize", "shutdown", "ping"]
)
def test_notifications_are_not_answered(host: Host, method: str) -> None:
    host.send(notification(method, {"a": 1}), notification(method, [1]), notification(method))
    host.call("ping")


@covers("WIRE-24")
@pytest.mark.parametrize(
    "params", [{"id": "nobody"}, {"id": True}, {"id": [1]}, {"id": {}}, {"id": None}, {}, [1], None, {"id": 1.5}]
)
def test_cancels_of_nothing_break_nothing(host: Host, params: Any) -> None:
    host.send(notification("$/cancelRequest", params))


@covers("WIRE-03")
def test_after_an_over_long_line_reading_starts_anew(host: Host) -> None:
    host.send_bytes(b"x" * (3 * 2**22) + b"\n" + b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    assert host.receive()["error"]["code"] == -32700
    assert host.receive()["id"] == 1


@covers("WIRE-03")
def test_a_line_of_4_mib_is_taken(host: Host) -> None:
    frame = '{"jsonrpc":"2.0","id":"big","method":"echo","params":{"x":"%s"}}'
    size = 2**22 - len(frame % "")
    host.send_bytes((frame % ("x" * size)).encode() + b"\n")
    assert len(host.answer("big")["result"]["x"]) == size


@covers("WIRE-11")
def test_framing_costs_one_clear_error() -> None:
    with Host() as host:
        body = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
        host.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) * 3 + b"\n")
        error = host.receive()["error"]
        assert error["code"] == -32700
        assert "Content-Length" in error["message"]
        assert "one line" in error["data"]["advice"]
        host.answer(1)  # the last body ends with a newline, and so is a line
        assert host.nothing_more()


@covers("WIRE-07")
def test_a_batch_is_answered_in_one_line_when_all_is_done(host: Host) -> None:
    host.send([request(1, "echo/work", {"a": 1}), notification("x"), request("b", "ping"), 7, request(3, "nope")])
    answers = {str(answer["id"]): answer for answer in host.receive()}
    assert answers["1"]["result"] == {"a": 1}
    assert answers["b"]["result"] is None
    assert answers["None"]["error"]["code"] == -32600
    assert answers["3"]["error"]["code"] == -32601
    assert len(answers) == 4


@covers("WIRE-07")
def test_batches_that_are_empty_too_long_or_only_notifications(host: Host) -> None:
    host.send([], [request(number, "ping") for number in range(33)], [notification("x")] * 32)
    for _ in range(2):
        answer = host.receive()
        assert (answer["id"], answer["error"]["code"]) == (None, -32600)
    host.send([request(number, "echo/work", {"n": number}) for number in range(32)])
    assert sorted(answer["result"]["n"] for answer in host.receive()) == list(range(32))


@covers("WIRE-07", "WIRE-24")
def test_a_cancel_inside_a_batch_and_one_after_it(host: Host) -> None:
    host.send([request(1, "hold"), cancel(1), request(2, "ping")])
    answers = host.find(lambda message: isinstance(message, list))
    assert {answer["id"]: answer.get("error", {}).get("code") for answer in answers} == {1: -32800, 2: None}
    host.send([request(3, "hold"), request(4, "ping")])
    host.find(lambda message: isinstance(message, dict) and message["params"]["id"] == 3)
    host.send(cancel(3))
    assert sorted(answer["id"] for answer in host.receive()) == [3, 4]


@covers("WIRE-07", "WIRE-08")
def test_an_id_twice_in_a_batch_is_answered_twice(host: Host) -> None:
    host.send([request(1, "ping"), request(1, "ping")])
    first, second = host.receive()
    assert (first["id"], second["id"]) == (1, 1)
    assert ("result" in first, second["error"]["code"]) == (True, -32600)
    assert "result" in host.call("ping", None, 1)


@covers("WIRE-07")
def test_a_batch_whose_results_do_not_fit_on_a_line_says_so_for_those(host: Host) -> None:
    host.send([request(number, "text", {"size": 6 * 2**20}) for number in range(4)])
    answers = host.receive(20)
    assert [("result" in answer) for answer in sorted(answers, key=lambda answer: "error" in answer)] == [
        True,
        True,
        False,
        False,
    ]
    assert len(host.raw[-1]) <= 2**24 + 1


@covers("WIRE-10")
def test_lone_surrogates_are_replaced_on_the_way_out(host: Host) -> None:
    assert host.call("surrogate")["result"] == {"text": "a\ufffdb\ufffdc😀"}
    host.send_bytes(b'{"jsonrpc":"2.0","id":1,"method":"echo","params":{"x":"\\ud800"}}\n')
    assert host.answer(1)["result"] == {"x": "\ufffd"}


@covers("WIRE-12")
@pytest.mark.parametrize("identity", ["blitzweb-999", "nobody", 1, 1.5, None])
@pytest.mark.parametrize("outcome", [{"result": 1}, {"error": {"code": -32099, "message": ""}}, {"error": 5}])
def test_responses_to_unknown_ids_are_ignored(host: Host, identity: Any, outcome: Any) -> None:
    host.send({"jsonrpc": "2.0", "id": identity, **outcome})


@covers("WIRE-13")
@pytest.mark.parametrize("method", ["echo", "echo/work"])
@pytest.mark.parametrize(
    "value",
    [{"error": 1}, {"result": 2}, {"error": {"code": 1}, "result": 2, "x": 3}, {"id": 9, "jsonrpc": "1"}, {}, None],
)
def test_results_arrive_unaltered(host: Host, method: str, value: Any) -> None:
    assert host.call(method, value) == {"jsonrpc": "2.0", "id": "call", "result": value}


@covers("WIRE-24")
@pytest.mark.parametrize("deaf", [False, True])
def test_a_cancel_is_answered_within_100_ms_and_the_late_result_dropped(host: Host, *, deaf: bool) -> None:
    host.send(request(1, "hold", {"deaf": deaf}))
    host.find(lambda message: message.get("method") == "held")
    begun = time.monotonic()
    host.send(cancel(1))
    assert host.answer(1)["error"]["code"] == -32800
    assert time.monotonic() - begun < 0.1
    host.call("release")


@covers("WIRE-24")
def test_a_cancel_of_queued_work_is_answered_within_100_ms(host: Host) -> None:
    host.send(request(1, "hold", {"lane": "x"}))
    host.find(lambda message: message.get("method") == "held")
    host.send(request(2, "hold", {"lane": "x"}))
    begun = time.monotonic()
    host.send(cancel(2))
    assert host.answer(2)["error"]["code"] == -32800
    assert time.monotonic() - begun < 0.1
    host.send(cancel(1))
    host.answer(1)


def ask(host: Host, identity: Any = 1) -> str:
    """Begin a call that asks the host; return the id of its question."""
    host.send(request(identity, "ask", {"key": "k"}))
    question = host.find(lambda message: message.get("method") == "approval/request")
    assert question["params"] == {"key": "k"}
    return question["id"]


@covers("WIRE-12")
@pytest.mark.parametrize("value", [{"decision": "once"}, None, [1], {"error": 1, "result": 2}])
def test_a_question_gets_the_hosts_answer(host: Host, value: Any) -> None:
    host.send({"jsonrpc": "2.0", "id": ask(host), "result": value})
    assert host.answer(1)["result"] == {"answer": value}


@covers("WIRE-12", "WIRE-24")
def test_a_question_whose_call_was_cancelled_may_be_answered_late(host: Host) -> None:
    question = ask(host)
    begun = time.monotonic()
    host.send(cancel(1))
    assert host.answer(1)["error"]["code"] == -32800
    assert time.monotonic() - begun < 0.1
    for outcome in ({"result": {"decision": "once"}}, {"error": {"code": 1, "message": "m"}}):
        host.send({"jsonrpc": "2.0", "id": question, **outcome})
    host.send({"jsonrpc": "2.0", "id": ask(host), "result": 2})
    assert host.answer(1)["result"] == {"answer": 2}


@covers("WIRE-12")
@pytest.mark.parametrize(
    "error",
    [
        {"code": -32601, "message": "no"},
        {"code": 0, "message": ""},
        {"code": -32050, "message": ""},
        {},
        5,
        {"code": 1},
    ],
)
def test_a_question_answered_with_an_error_ends_the_wait(host: Host, error: Any) -> None:
    host.send({"jsonrpc": "2.0", "id": ask(host), "error": error})
    assert "error" in host.answer(1)


@covers("WIRE-33")
def test_progress_carries_the_token_and_comes_before_the_answer(host: Host) -> None:
    host.send(request(1, "progress", {"token": "t", "steps": 3}))
    for step in (1, 2, 3):
        params = {"token": "t", "progress": step, "total": 3, "message": "x"}
        assert host.receive() == {"jsonrpc": "2.0", "method": "$/progress", "params": params}
    assert host.receive() == {"jsonrpc": "2.0", "id": 1, "result": 3}


@covers("WIRE-33")
def test_without_a_token_there_is_no_progress(host: Host) -> None:
    assert host.call("progress", {"steps": 3}) == {"jsonrpc": "2.0", "id": "call", "result": 3}


@covers("WIRE-26")
def test_the_clock_stands_still_while_a_person_thinks(host: Host) -> None:
    answer = host.call("think", {"seconds": 0.1, "thinking": 0.3})
    assert answer["result"]["remaining"] > 0


@covers("WIRE-39")
def test_ping_is_answered_while_anything_runs(host: Host) -> None:
    host.send(*(request(number, "hold") for number in range(64)))
    assert host.call("ping") == {"jsonrpc": "2.0", "id": "call", "result": None}
    host.send(*(cancel(number) for number in range(64)))
    for number in range(64):
        host.answer(number)
    while host._unmatched:
        host.receive()
    host.call("ping")
    while host._unmatched or not host._messages.empty():
        assert host.receive()["method"] == "held"


@covers("WIRE-18", "WIRE-39")
def test_what_is_answered_before_initialize() -> None:
    with Host() as host:
        assert host.call("ping")["result"] is None
        assert host.call("rpc.discover")["result"] == {"openrpc": "1.3.2"}
        assert host.call("$/status")["result"]["running"] == 0


@covers("WIRE-15")
def test_the_threads_are_those_that_are_named(host: Host) -> None:
    names = host.call("threads")["result"]
    others = {name for name in names if not name.startswith("blitzweb-call-")}
    assert others == {"MainThread", "blitzweb-writer", "blitzweb-watchdog", "blitzweb-deadlines"}
