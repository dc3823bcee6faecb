"""The output guard over whole results: text, structured part and error alike."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from blitzweb.contract.toolset import WEB_FETCH
from blitzweb.contract.web_fetch import WebFetchOutput
from blitzweb.errors import ToolFailure
from blitzweb.policy.context import CallContext
from blitzweb.policy.output_guard import OutputGuards
from blitzweb.timing import CancelToken, Deadline
from blitzweb.tools.call import Call, ToolResult
from blitzweb.tools.invoke import invoke
from tests.support.covers import covers

ENTRIES = [
    {"pattern": "sesame", "action": "redact"},
    {"pattern": "forbidden", "action": "block", "name": "the word", "tools": ["web_*"]},
]


def run(result, tool="web_fetch"):
    def act(_arguments, _call):
        if isinstance(result, Exception):
            raise result
        return result

    guard = OutputGuards.compile(ENTRIES).of(tool)
    call = Call(tool, CallContext(), Deadline(5), CancelToken(), None, lambda *_: None, guard=guard)
    double = SimpleNamespace(shape=WEB_FETCH, misfit="web_fetch", run=act)
    return invoke(double, {"url": "http://x/"}, call)


@covers("GUARD-01", "GUARD-02")
def test_text_and_structure_are_redacted():
    output = WebFetchOutput(url="http://x/", content="open sesame", title="sesame")
    result = run(ToolResult(output, "say sesame"))
    assert result.text == "say [BLOCKED BY POLICY]"
    assert (result.output["content"], result.output["title"]) == ("open [BLOCKED BY POLICY]", "[BLOCKED BY POLICY]")


@covers("GUARD-01", "GUARD-02")
@pytest.mark.parametrize(
    "result",
    [
        ToolResult({"deep": [{"er": "forbidden"}]}, "fine"),
        ToolResult({}, "forbidden"),
        ToolFailure("forbidden host"),
        ToolFailure("fine", advice="forbidden"),
    ],
)
def test_a_blocked_result_names_the_pattern_and_not_the_text(result):
    told = run(result)
    assert told.is_error
    assert '"the word"' in told.text
    assert "forbidden" not in f"{told.text}{told.output}"
    assert told.images == ()


@covers("GUARD-01")
def test_errors_are_redacted_and_other_tools_left_alone():
    assert run(ToolFailure("no sesame")).output == {"error": "no [BLOCKED BY POLICY]"}
    assert run(ToolResult({}, "forbidden"), tool="browser").text == "forbidden"
