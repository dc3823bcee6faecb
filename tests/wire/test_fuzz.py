"""Whatever bytes come in, lines of valid JSON-RPC come out, and the daemon still answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.support.covers import covers
from tests.support.host import Host, request
from tests.unit.wire.test_encoding import JSON_VALUES

NUMBERS = count()

# Nothing here runs for long, and nothing ends the daemon.
METHODS = st.sampled_from(
    [
        "ping",
        "echo",
        "echo/work",
        "fail",
        "nan/quick",
        "surrogate",
        "initialize",
        "$/cancelRequest",
        "initialized",
        "$/status",
    ]
)
MESSAGES = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.sampled_from(["2.0"] * 9 + ["1.0", 2]),
        "id": st.integers(0, 3) | st.floats() | st.text(st.characters(), max_size=3) | JSON_VALUES,
        "method": METHODS | METHODS | st.text(st.characters(), max_size=6) | JSON_VALUES,
        "params": st.dictionaries(st.sampled_from(["id", "secret", "x"]), JSON_VALUES) | JSON_VALUES,
        "result": JSON_VALUES,
        "error": JSON_VALUES | st.fixed_dictionaries({"code": JSON_VALUES, "message": JSON_VALUES}),
    },
)
LINES = (MESSAGES | st.lists(MESSAGES | JSON_VALUES, max_size=5)).map(lambda value: json.dumps(value).encode())
SETTINGS = settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    with Host() as host:
        yield host.open()


def survive(host: Host, data: bytes) -> list[Any]:
    """Send bytes and then a ping on a line of its own; return what came out before the pong."""
    marker = f"pong {next(NUMBERS)}"
    host.send_bytes(data + b"\n" + json.dumps(request(marker, "ping")).encode() + b"\n")
    found = []
    while True:
        message = host.receive()  # the host's own thread has refused what is no strict JSON
        if isinstance(message, dict) and message.get("id") == marker:
            assert message["result"] is None
            return found
        found.append(message)


def check(message: Any) -> None:
    for item in message if isinstance(message, list) else [message]:
        assert item["jsonrpc"] == "2.0"
        assert ("result" in item) != ("error" in item)
        assert isinstance(item["id"], (str, int, float, type(None)))
        assert "Traceback" not in json.dumps(item)


@covers("WIRE-01", "WIRE-02", "WIRE-12")
@SETTINGS
@given(st.binary(max_size=400))
@example(b"Content-Length: 5\r\n\r\n{}")
@example(b"\x00")
@example(b"\xff\xfe{\x00}\x00")
@example(b'"\\ud800"')
@example(b"[" * 5000)
def test_any_bytes(host: Host, data: bytes) -> None:
    for message in survive(host, data):
        check(message)


@covers("WIRE-04", "WIRE-07", "WIRE-08", "WIRE-10", "WIRE-12")
@SETTINGS
@given(st.lists(LINES, max_size=4))
def test_any_messages(host: Host, lines: list[bytes]) -> None:
    for message in survive(host, b"\n".join(lines)):
        check(message)


@covers("WIRE-03")
@SETTINGS
@given(LINES, st.integers(0, 200), st.binary(max_size=3))
def test_damaged_messages(host: Host, line: bytes, place: int, damage: bytes) -> None:
    for message in survive(host, line[:place] + damage + line[place + 1 :]):
        check(message)
