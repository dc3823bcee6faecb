from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import pytest

from blitzweb.contract.shapes import Range
from blitzweb.contract.toolset import WEB_FIND, ToolShape
from blitzweb.errors import CallCancelled, FetchFailed, Refused
from blitzweb.policy.context import CallContext
from blitzweb.timing import CancelToken, Deadline
from blitzweb.tools.call import Call, ToolResult
from blitzweb.tools.invoke import invoke
from tests.support.covers import covers


@dataclass(frozen=True, slots=True, kw_only=True)
class EchoArguments:
    word: str
    times: Annotated[int, Range(1, 3)] = 1


class Echo:
    shape = ToolShape(
        name="echo",
        title="Echo",
        description="Say a word.",
        group="fetch",
        arguments=EchoArguments,
        output=WEB_FIND.output,
    )
    misfit = "echo"
    seconds = 1.0
    failure: Exception | None = None

    def run(self, arguments, call):
        if self.failure:
            raise self.failure
        return ToolResult(output={"said": arguments.word * arguments.times}, text=call.tool)


def call():
    return Call("echo", CallContext(), Deadline(1), CancelToken(), approver=None, progress=lambda *_: None)


@covers("WIRE-31")
def test_a_tool_gets_its_arguments_decoded():
    assert invoke(Echo(), {"word": "a", "times": 2}, call()) == ToolResult(output={"said": "aa"}, text="echo")


@covers("WIRE-31")
@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({}, "echo: arguments.word is missing; it takes a text"),
        ({"wrod": "a"}, 'echo: arguments has no member "wrod"; did you mean "word"?'),
        ({"word": "a", "times": 4}, "echo: arguments.times takes a whole number from 1 to 3, not 4"),
    ],
)
def test_arguments_that_do_not_fit_are_a_result(arguments, error):
    result = invoke(Echo(), arguments, call())
    assert result == ToolResult(output={"error": error}, text=error, is_error=True)


@covers("WIRE-31")
@pytest.mark.parametrize(
    "failure",
    [
        Refused("not approved: a.example", reason="not-approved", advice="add it to web.allow_domains"),
        FetchFailed("no answer", phase="connect", advice="try again later"),
    ],
)
def test_a_failure_is_a_result_with_its_advice(failure):
    echo = Echo()
    echo.failure = failure
    result = invoke(echo, {"word": "a"}, call())
    assert result.is_error
    assert result.output == {"error": failure.message}
    assert result.text == f"{failure.message}\n{failure.advice}"


def test_what_is_the_hosts_passes_through():
    echo = Echo()
    echo.failure = CallCancelled("the host cancelled the call")
    with pytest.raises(CallCancelled):
        invoke(echo, {"word": "a"}, call())
