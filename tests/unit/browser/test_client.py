"""Commands, answers and events over a transport of the test's."""

from __future__ import annotations

import json
import queue
import threading

import pytest

from blitzweb.browser.cdp import Answer, Event, decode_message, encode_command
from blitzweb.browser.client import Client
from blitzweb.browser.failures import BrowserGone, CommandFailed, CommandTimedOut, DialogOpened
from blitzweb.browser.session import Session
from blitzweb.browser.transport import TransportClosed
from blitzweb.timing import Deadline
from tests.support.covers import covers


class Script:
    """A transport that the test writes to and reads from."""

    def __init__(self):
        self.sent = queue.Queue()
        self.coming = queue.Queue()

    def send(self, message):
        self.sent.put(json.loads(message))

    def receive(self):
        message = self.coming.get(timeout=5)
        if message is None:
            raise TransportClosed("the test ended it")
        return message if isinstance(message, bytes) else json.dumps(message).encode()

    def close(self):
        self.coming.put(None)


@pytest.fixture
def script():
    return Script()


@pytest.fixture
def client(script):
    client = Client(script)
    client.start()
    yield client
    client.close()


def test_messages_are_told_apart():
    assert decode_message(b'{"id": 1, "result": {"a": 1}}') == Answer(1, {"a": 1}, None)
    assert decode_message(b'{"id": 1, "error": {"code": -1}}') == Answer(1, {}, {"code": -1})
    assert decode_message(b'{"method": "m", "sessionId": "s"}') == Event("s", "m", {})
    for nonsense in (b"", b"[1]", b"{}", b"\xff", b'{"x": 1}'):
        assert decode_message(nonsense) is None
    assert json.loads(encode_command(1, "m", {"x": "é"}, "")) == {"id": 1, "method": "m", "params": {"x": "é"}}


def test_answers_find_their_commands_in_any_order(client, script):
    first, second = client.send("one", {}), client.send("two", {}, "s")
    assert script.sent.get(timeout=5)["method"] == "one"
    assert script.sent.get(timeout=5)["sessionId"] == "s"
    script.coming.put({"id": 2, "result": {"n": 2}})
    script.coming.put({"id": 1, "result": {"n": 1}})
    assert first.wait(Deadline(5)) == {"n": 1}
    assert second.wait(Deadline(5)) == {"n": 2}


def test_an_error_is_told(client, script):
    script.coming.put({"id": 1, "error": {"code": -32000, "message": "no such thing", "data": "more"}})
    with pytest.raises(CommandFailed, match="Chrome could not do x: no such thing more"):
        Session(client).call("x", Deadline(5))


@covers("BROWSER-07")
def test_a_command_without_an_answer_ends_in_time(client):
    with pytest.raises(CommandTimedOut):
        client.send("slow", {}).wait(Deadline(0.01))


@covers("BROWSER-06")
def test_what_waits_for_a_session_can_be_ended(client, script):
    waiting, other = client.send("slow", {}, "s"), client.send("slow", {}, "t")
    client.interrupt(DialogOpened(), ["s"])
    with pytest.raises(DialogOpened):
        waiting.wait(Deadline(5))
    script.coming.put({"id": 1, "result": {"late": 1}})
    script.coming.put({"id": 2, "result": {}})
    assert other.wait(Deadline(5)) == {}


@covers("BROWSER-02")
def test_the_end_of_the_connection_ends_everything_that_waits(script):
    ended = threading.Event()
    client = Client(script, on_gone=ended.set)
    client.start()
    waiting = client.send("slow", {})
    script.coming.put(None)
    with pytest.raises(BrowserGone, match="the test ended it"):
        waiting.wait(Deadline(5))
    assert ended.wait(5)
    with pytest.raises(BrowserGone):
        client.send("more", {}).wait(Deadline(5))
    with pytest.raises(BrowserGone):
        client.check()


def test_events_go_to_their_session_and_a_handler_that_fails_ends_nothing(script):
    complaints, seen = [], queue.Queue()
    client = Client(script, complain=complaints.append)

    def handle(method, params):
        if params.get("bad"):
            raise ValueError("misread")
        seen.put((method, params))

    client.on("s", handle)
    client.start()
    for params in ({"bad": 1}, {"good": 1}):
        script.coming.put({"method": "m", "sessionId": "s", "params": params})
    script.coming.put({"method": "m", "sessionId": "unknown"})
    assert seen.get(timeout=5) == ("m", {"good": 1})
    assert "misread" in complaints[0]
    client.close()
