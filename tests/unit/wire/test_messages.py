"""Every kind of line that JSON-RPC 2.0 knows, and every kind that it does not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.wire.messages import Batch, Malformed, Notification, Request, Response, is_legal_id, read_message
from tests.support.covers import covers
from tests.unit.wire.test_encoding import JSON_VALUES


def read(value: Any) -> Any:
    return read_message(json.dumps(value).encode())


def fault(message: Any) -> tuple[Any, int, str]:
    assert isinstance(message, Malformed)
    return message.id, message.error.code, message.error.message


@covers("WIRE-08")
@pytest.mark.parametrize("identity", [1, 0, -5, 1.5, 2.0, 10**30, "x", "", "ü", None])
def test_a_request_keeps_its_id_as_given(identity: Any) -> None:
    message = read({"jsonrpc": "2.0", "id": identity, "method": "m", "params": {"a": 1}})
    assert message == Request(identity, "m", {"a": 1})
    assert type(message.id) is type(identity)


def test_the_other_kinds() -> None:
    assert read({"jsonrpc": "2.0", "method": "m"}) == Notification("m", None)
    assert read({"jsonrpc": "2.0", "method": "m", "params": [1]}) == Notification("m", [1])
    assert read({"jsonrpc": "2.0", "id": 1, "method": "m", "unknown": 1}) == Request(1, "m", None)
    assert read({"jsonrpc": "2.0", "id": 1, "result": None}) == Response(1, None, None)
    assert read({"jsonrpc": "2.0", "id": 1, "result": 2, "error": None}) == Response(1, 2, None)
    wrong = {"code": 1, "message": "m", "data": None}
    assert read({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "m"}}) == Response(1, None, wrong)


@covers("WIRE-04")
@pytest.mark.parametrize(
    ("value", "identity", "text"),
    [
        (1, None, "JSON object"),
        (None, None, "JSON object"),
        ("text", None, "JSON object"),
        ({}, None, "jsonrpc"),
        ({"jsonrpc": "2.0"}, None, "method"),
        ({"jsonrpc": "2.0", "id": 7}, 7, "method"),
        ({"jsonrpc": "1.0", "id": 7, "method": "m"}, 7, "jsonrpc"),
        ({"jsonrpc": 2.0, "id": 7, "method": "m"}, 7, "jsonrpc"),
        ({"id": "seven", "method": "m"}, "seven", "jsonrpc"),
        ({"jsonrpc": "2.0", "id": 7, "method": 1}, 7, "method"),
        ({"jsonrpc": "2.0", "id": 7, "method": None}, 7, "method"),
        ({"jsonrpc": "2.0", "id": 7, "method": "m", "params": 3}, 7, "params"),
        ({"jsonrpc": "2.0", "id": 7, "method": "m", "params": None}, 7, "params"),
        ({"jsonrpc": "2.0", "id": 7, "method": "m", "params": "p"}, 7, "params"),
        ({"jsonrpc": "2.0", "method": "m", "params": 3}, None, "params"),
        ({"jsonrpc": "2.0", "id": True, "method": "m"}, None, "id"),
        ({"jsonrpc": "2.0", "id": [], "method": "m"}, None, "id"),
        ({"jsonrpc": "2.0", "id": {}, "method": "m"}, None, "id"),
        ({"jsonrpc": "2.0", "id": "\ud800", "method": "m"}, None, "id"),
        ({"jsonrpc": "2.0", "id": [1], "result": 1}, None, "id"),
    ],
)
def test_an_invalid_request_keeps_a_legal_id(value: Any, identity: Any, text: str) -> None:
    got, code, message = fault(read(value))
    assert (got, code) == (identity, -32600)
    assert text in message


@covers("WIRE-02")
@pytest.mark.parametrize("line", [b"{", b"\xff", b"NaN", b"[" * 1000])
def test_what_is_no_json_has_no_id(line: bytes) -> None:
    assert fault(read_message(line))[:2] == (None, -32700)


@covers("WIRE-12")
@pytest.mark.parametrize(
    "value",
    [
        {"id": 1, "result": 1},
        {"jsonrpc": "2.0", "id": 1, "error": None},
        {"jsonrpc": "2.0", "id": 1, "error": "text"},
        {"jsonrpc": "2.0", "id": 1, "error": {}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": "1", "message": "m"}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": True, "message": "m"}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": 2}},
    ],
)
def test_a_bad_response_still_ends_the_wait_for_it(value: Any) -> None:
    response = read(value)
    assert isinstance(response, Response)
    assert response.id == 1
    assert response.error is not None
    assert response.error["code"] == -32600


@covers("WIRE-07")
def test_batches() -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "m"}
    batch = read([call, 5, {"jsonrpc": "2.0", "method": "n"}])
    assert isinstance(batch, Batch)
    assert batch.messages[0] == Request(1, "m", None)
    assert fault(batch.messages[1])[:2] == (None, -32600)
    assert batch.messages[2] == Notification("n", None)
    assert fault(read([]))[:2] == (None, -32600)
    assert len(read([call] * 32).messages) == 32
    assert "33 messages" in fault(read([call] * 33))[2]
    assert fault(read([[call]]).messages[0])[:2] == (None, -32600)


@given(st.binary(max_size=300))
def test_any_bytes_mean_something(line: bytes) -> None:
    assert isinstance(read_message(line), (Request, Notification, Response, Malformed, Batch))


MEMBERS = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.sampled_from(["2.0", "1.0", 2, None]),
        "id": JSON_VALUES,
        "method": st.text(max_size=5) | JSON_VALUES,
        "params": JSON_VALUES,
        "result": JSON_VALUES,
        "error": JSON_VALUES | st.fixed_dictionaries({"code": JSON_VALUES, "message": JSON_VALUES}),
    },
)


@given(MEMBERS | st.lists(MEMBERS, max_size=4))
def test_whatever_the_members_are_later_layers_can_rely_on_the_types(value: Any) -> None:
    message = read(value)
    for item in message.messages if isinstance(message, Batch) else [message]:
        if not isinstance(item, Notification):
            assert is_legal_id(item.id)
        if isinstance(item, (Request, Notification)):
            assert isinstance(item.method, str)
            assert item.params is None or isinstance(item.params, (dict, list))


def test_equal_numbers_are_one_id_and_a_text_is_another() -> None:
    assert len(dict.fromkeys([1, 1.0, "1", None])) == 3
    assert not is_legal_id(True)  # noqa: FBT003


def test_messages_are_compared_and_shown_by_their_members() -> None:
    assert Request(1, "m", None) != Request(2, "m", None)
    assert Request(1, "m", None) != Notification("m", None)
    assert repr(Request(1, "m", {"a": 1})) == "Request(1, 'm', {'a': 1})"
