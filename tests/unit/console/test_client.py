from __future__ import annotations

import pytest

from blitzweb.console.client import Client, RpcFailed
from blitzweb.console.link import DaemonFailed, Interrupted
from tests.support.covers import covers


class FakeLink:
    """Gives what a script has, one item for each `receive`; exceptions are raised."""

    def __init__(self, *script):
        self._script = list(script)
        self.sent = []

    def send(self, message):
        self.sent.append(message)

    def receive(self, _seconds=None):
        item = self._script.pop(0) if self._script else TimeoutError()
        if isinstance(item, BaseException):
            raise item
        return item

    def close(self):
        return 0

    def interrupt(self):
        self._script.insert(0, Interrupted())


def client(link, ask=lambda _question: {"decision": "once"}, heard=None):
    return Client(link, ask=ask, hear=lambda *told: heard.append(told) if heard is not None else None)


def answer(identity, result):
    return {"jsonrpc": "2.0", "id": identity, "result": result}


def test_a_result_is_returned_as_it_is() -> None:
    link = FakeLink(answer(1, {"error": "a member of the result"}))
    assert client(link).call("m", {"a": 1}) == {"error": "a member of the result"}
    assert link.sent == [{"jsonrpc": "2.0", "id": 1, "method": "m", "params": {"a": 1}}]


def test_params_that_are_none_are_left_out() -> None:
    link = FakeLink(answer(1, None))
    assert client(link).call("ping") is None
    assert "params" not in link.sent[0]


def test_an_error_is_raised_with_its_code_and_advice() -> None:
    error = {"code": -31000, "message": "too early", "data": {"reason": "r", "advice": "wait"}}
    with pytest.raises(RpcFailed) as caught:
        client(FakeLink({"id": 1, "error": error})).call("m")
    assert caught.value.error == error
    assert (caught.value.message, caught.value.advice) == ("error -31000: too early", "wait")


@pytest.mark.parametrize("error", [5, "text", {}, {"code": 1, "message": "m", "data": [1]}])
def test_a_strange_error_is_raised_too(error) -> None:
    with pytest.raises(RpcFailed):
        client(FakeLink({"id": 1, "error": error})).call("m")


def test_an_error_about_an_unreadable_line_ends_the_call() -> None:
    with pytest.raises(RpcFailed, match="too long"):
        client(FakeLink({"id": None, "error": {"code": -32700, "message": "too long"}})).call("m")


@covers("WIRE-12")
def test_late_and_strange_messages_are_passed_over() -> None:
    odd = [answer(99, "late"), answer("1", "other type"), [], 5, None, {}, {"method": 5}]
    assert client(FakeLink(*odd, answer(1, "mine"))).call("m") == "mine"


def test_notifications_are_heard_in_order() -> None:
    heard = []
    link = FakeLink({"method": "a", "params": {"x": 1}}, {"method": "b"}, answer(1, None))
    client(link, heard=heard).call("m")
    assert heard == [("a", {"x": 1}), ("b", None)]


def test_a_question_is_answered_under_its_id() -> None:
    asked = []
    link = FakeLink({"id": "q", "method": "approval/request", "params": {"key": "k"}}, answer(1, "done"))
    client(link, ask=lambda question: asked.append(question) or {"decision": "session"}).call("m")
    assert asked == [{"key": "k"}]
    assert link.sent[1] == {"jsonrpc": "2.0", "id": "q", "result": {"decision": "session"}}


def test_other_requests_of_the_daemon_are_refused() -> None:
    link = FakeLink({"id": 7, "method": "sampling/create"}, answer(1, "done"))
    client(link).call("m")
    assert link.sent[1]["id"] == 7
    assert link.sent[1]["error"]["code"] == -32601


def test_an_interrupt_cancels_and_the_answer_is_awaited() -> None:
    link = FakeLink(Interrupted(), {"id": 1, "error": {"code": -32800, "message": "cancelled"}})
    with pytest.raises(RpcFailed, match="-32800"):
        client(link).call("m")
    assert link.sent[1] == {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 1}}


@covers("APPROVAL-10")
def test_ctrl_c_at_a_question_cancels_the_call() -> None:
    def interrupted(_question):
        raise KeyboardInterrupt

    link = FakeLink(
        {"id": "q", "method": "approval/request", "params": {}},
        {"method": "approval/resolved", "params": {"id": "q"}},
        {"id": 1, "error": {"code": -32800, "message": "cancelled"}},
    )
    with pytest.raises(RpcFailed, match="-32800"):
        client(link, ask=interrupted).call("m")
    assert [message.get("method") for message in link.sent] == ["m", "$/cancelRequest", None]
    assert link.sent[2]["error"]["code"] == -32800


def test_what_waits_between_calls_is_handled() -> None:
    heard = []
    client(FakeLink({"method": "tools/changed"}, answer(1, "late")), heard=heard).hear_waiting()
    assert heard == [("tools/changed", None)]


@pytest.mark.parametrize(
    "script",
    [
        [answer(1, None)],
        [TimeoutError(), TimeoutError()],
        [DaemonFailed("gone"), DaemonFailed("gone")],
        [{"id": 1, "error": {"code": -31003, "message": "shutting down"}}],
        [Interrupted(), answer(1, None), Interrupted()],
    ],
)
def test_closing_says_goodbye_and_always_ends(script) -> None:
    link = FakeLink(*script)
    assert client(link).close() == 0
    methods = [message["method"] for message in link.sent]
    assert (methods[0], methods[-1]) == ("shutdown", "exit")
