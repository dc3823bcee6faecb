"""What a page's console says, as texts."""

from __future__ import annotations

import pytest

from blitzweb.browser.page_console import ConsoleRing, describe_call, describe_exception, describe_log
from tests.support.covers import covers


@covers("WEB-31")
@pytest.mark.parametrize(
    ("argument", "text"),
    [
        ({"type": "string", "value": "bare"}, "bare"),
        ({"type": "number", "value": 1.5}, "1.5"),
        ({"type": "number", "unserializableValue": "NaN"}, "NaN"),
        ({"type": "boolean", "value": True}, "true"),
        ({"type": "undefined"}, "undefined"),
        ({"type": "object", "subtype": "null", "value": None}, "null"),
        ({"type": "object", "description": "Object", "preview": {"overflow": True}}, "Object"),
        ({"type": "function", "description": "function f() {}"}, "function f() {}"),
        (
            {
                "type": "object",
                "preview": {"overflow": False, "properties": [{"name": "a", "type": "string", "value": "b"}]},
            },
            '{"a":"b"}',
        ),
        ({"type": "object", "subtype": "error", "description": "Error: x", "preview": {"overflow": False}}, "Error: x"),
    ],
)
def test_arguments(argument, text):
    entry = describe_call({"type": "warning", "args": [argument, argument]})
    assert (entry.level, entry.text) == ("warning", f"{text} {text}")


@covers("WEB-31")
def test_exceptions_and_log_entries():
    details = {"text": "Uncaught", "exception": {"type": "object", "description": "Error: x\n at y"}}
    assert describe_exception({"exceptionDetails": details}) == ("error", "Uncaught Error: x\n at y")
    thrown = {"text": "Uncaught", "exception": {"type": "string", "value": "text"}}
    assert describe_exception({"exceptionDetails": thrown}) == ("error", "Uncaught text")
    assert describe_log({"entry": {"level": "error", "text": "404", "url": "http://x/"}}) == (
        "error",
        "404 (http://x/)",
    )


@covers("WEB-31")
def test_the_ring_keeps_the_last_and_tells_once():
    ring = ConsoleRing()
    for number in range(250):
        ring.add("log", f"{number} " + "é" * 2000)
    entries = ring.take()
    assert len(entries) == 200
    assert entries[0].text.startswith("50 ")
    assert all(len(entry.text.encode()) <= 2000 for entry in entries)
    assert ring.take() == ()
