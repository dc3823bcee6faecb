"""The handlers of both eras, called as the connection would, over a core that asks what the test wants."""

from __future__ import annotations

import pytest

from blitzweb.contract.toolset import TOOLS, WEB_FETCH, offered_in
from blitzweb.dialects.core import Offer
from blitzweb.dialects.mcp.lifecycle import LEGACY_METHODS, MODERN_METHODS
from blitzweb.dialects.mcp.methods import mcp_methods, open_core
from blitzweb.errors import HostFailed, InvalidParams, UnknownTool
from blitzweb.policy.context import CallContext, Mode
from blitzweb.policy.verdicts import Decision, Question
from blitzweb.rpc.methods import Kind
from blitzweb.rpc.running import Running
from blitzweb.timing import CancelToken, Deadline
from blitzweb.tools.call import ToolResult
from tests.support.covers import covers
from tests.support.mcp import PREFIX, accepted, modern


def question(name):
    return Question("network", f"web:{name}", f"requests to {name}", f"GET https://{name}/", (name,))


class FakeCore:
    """A core with one tool, `web_fetch`, that asks its questions and says what they came to."""

    def __init__(self):
        self.questions, self.calls = [], []

    def tools(self, context):
        self.calls.append(context)
        return offered_in(TOOLS, context)

    def seconds(self, tool):
        return 20.0 if tool == "web_fetch" else 1.0

    def call_tool(self, name, arguments, *, context, running, report, person):
        if name != WEB_FETCH.name:
            raise UnknownTool(f'there is no tool "{name}"')
        self.calls.append((arguments, context))
        report(1, None, "begun")
        caller = Caller(name, running.cancel)
        decisions = []
        for asked in self.questions:
            decisions.append(person.ask(asked, caller).decision)
            if decisions[-1] in {Decision.DENY, Decision.NO_APPROVER}:
                return ToolResult(output={"error": "not approved"}, text="not approved", is_error=True)
        return ToolResult(output={"url": "u"}, text=" ".join(decision.value for decision in decisions))


class Caller:
    def __init__(self, tool, cancel):
        self.tool, self.cancel = tool, cancel


class Line:
    """A connection whose client answers every form with `said`, or with an error."""

    def __init__(self):
        self.said = accepted("once")
        self.asked, self.told = [], []
        self.host = self

    def request(self, method, params, *, cancel):
        self.asked.append((method, params))
        if isinstance(self.said, Exception):
            raise self.said
        return self.said

    def notify(self, method, params):
        self.told.append((method, params))

    send_progress = notify


class FakeAnswer:
    def before(self, queue):
        queue()


class Mcp:
    def __init__(self):
        self.core, self.line = FakeCore(), Line()
        self.methods = mcp_methods(self.core)

    def legacy(self, method, **params):
        return self._ask(method, params)

    def open(self, version="2025-11-25", **capabilities):
        return self.legacy("initialize", protocolVersion=version, capabilities=capabilities)

    def modern(self, method, **params):
        return self._ask(method, modern(1, method, **params)["params"])

    def _ask(self, method, params):
        self.running = Running(7, self.line, FakeAnswer(), deadline=Deadline(1), cancel=CancelToken())
        return self.methods[method].handler(params, self.running)


@pytest.fixture
def mcp():
    return Mcp()


@covers("MCP-01")
def test_every_method_of_both_eras_is_there(mcp):
    assert set(mcp.methods) | {"ping"} == LEGACY_METHODS | MODERN_METHODS
    quick = {name for name, method in mcp.methods.items() if method.kind is Kind.QUICK}
    assert quick == {"initialize", "server/discover"}


@covers("MCP-01")
def test_a_handshake_is_answered(mcp):
    result = mcp.open("2025-06-18")
    assert (result["protocolVersion"], result["capabilities"]) == ("2025-06-18", {"tools": {}})
    assert result["serverInfo"]["name"] == "blitzweb"
    assert "untrusted" in result["instructions"]


@covers("MCP-01")
def test_a_discovery_is_answered_and_may_be_kept(mcp):
    result = mcp.modern("server/discover")
    assert (result["resultType"], result["supportedVersions"]) == ("complete", ["2026-07-28"])
    assert result["_meta"][f"{PREFIX}serverInfo"]["name"] == "blitzweb"
    assert (result["cacheScope"], result["ttlMs"] > 0) == ("private", True)


@covers("MCP-03")
def test_tools_are_listed_in_each_eras_words(mcp):
    legacy, new = mcp.legacy("tools/list"), mcp.modern("tools/list")
    assert [tool["name"] for tool in legacy["tools"]] == [tool.name for tool in TOOLS]
    assert set(legacy) == {"tools"}
    assert new["tools"] == legacy["tools"]
    assert set(new) == {"tools", "resultType", "_meta", "ttlMs", "cacheScope"}


@covers("MCP-03")
@pytest.mark.parametrize("cursor", ["", "x", 3, None])
def test_no_cursor_is_ours(mcp, cursor):
    with pytest.raises(InvalidParams, match="cursor"):
        mcp.modern("tools/list", cursor=cursor)


@covers("MCP-03")
def test_a_call_reaches_the_tool_and_its_progress_the_client(mcp):
    result = mcp.modern("tools/call", name="web_fetch", arguments={"url": "u"}, _meta={"progressToken": "p"})
    assert result["structuredContent"] == {"url": "u"}
    assert (result["resultType"], result["isError"]) == ("complete", False)
    assert mcp.core.calls == [({"url": "u"}, CallContext())]
    assert mcp.line.told == [("notifications/progress", {"progressToken": "p", "progress": 1, "message": "begun"})]


@covers("MCP-03")
def test_sessions_are_handles_that_a_host_may_give(mcp):
    context = {"session": "s", "mode": "plan", "tools": ["web_fetch"]}
    assert [tool["name"] for tool in mcp.legacy("tools/list", _meta={"blitzweb/context": context})["tools"]] == [
        "web_fetch"
    ]
    mcp.legacy("tools/call", name="web_fetch", _meta={"blitzweb/context": context})
    assert mcp.core.calls[-1] == ({}, CallContext(session="s", mode=Mode.PLAN, tools=("web_fetch",)))


@covers("MCP-03")
@pytest.mark.parametrize(
    ("params", "name"),
    [
        ({}, "name"),
        ({"name": 3}, "name"),
        ({"name": "web_fetch", "arguments": []}, "arguments"),
        ({"name": "web_fetch", "requestState": 3}, "requestState"),
        ({"name": "web_fetch", "inputResponses": "x"}, "inputResponses"),
        ({"name": "web_fetch", "_meta": {"progressToken": 1.5}}, "progressToken"),
        ({"name": "web_fetch", "_meta": {"progressToken": True}}, "progressToken"),
        ({"name": "web_fetch", "_meta": {"blitzweb/context": {"sesion": "s"}}}, "session"),
        ({"name": "web_fetch", "_meta": {"blitzweb/context": 3}}, "blitzweb/context"),
        ({"name": "no_such"}, "no_such"),
    ],
)
def test_params_that_do_not_fit_are_named(mcp, params, name):
    with pytest.raises(InvalidParams, match=name):
        mcp.modern("tools/call", **params)


def test_members_that_are_not_known_are_ignored(mcp):
    assert mcp.modern("tools/call", name="web_fetch", stranger=1, arguments=None)["isError"] is False


def test_the_deadline_is_the_tools_own(mcp):
    assert mcp.methods["tools/call"].deadline({"name": "web_fetch"}) == 20.0
    assert mcp.methods["tools/call"].deadline(None) == 1.0
    assert "web.timeout_seconds" in mcp.methods["tools/call"].late


@covers("MCP-03")
def test_the_browser_of_a_workspace_is_driven_by_one_call_at_a_time(mcp):
    lane = mcp.methods["tools/call"].lane
    context = {"_meta": {"blitzweb/context": {"workspace": "w"}}}
    assert lane({"name": "browser"}) == lane({"name": "browser_click"}) != lane({"name": "browser"} | context)
    assert lane({"name": "browser"} | context) is not None
    assert lane({"name": "web_fetch"}) is lane({"name": 3}) is lane(None) is None


@covers("MCP-02")
def test_a_legacy_client_with_forms_is_asked(mcp):
    mcp.open(elicitation={})
    mcp.core.questions = [question("a.example")]
    assert mcp.legacy("tools/call", name="web_fetch")["content"][0]["text"] == "once"
    ((method, form),) = mcp.line.asked
    assert method == "elicitation/create"
    assert "GET https://a.example/" in form["message"]


@covers("MCP-02")
@pytest.mark.parametrize("said", [HostFailed("no such method", code=-32601), {"action": "decline"}, None])
def test_a_legacy_client_that_does_not_agree_refuses(mcp, said):
    mcp.open(elicitation={})
    mcp.core.questions, mcp.line.said = [question("a.example")], said
    assert mcp.legacy("tools/call", name="web_fetch")["isError"] is True


@covers("MCP-02")
def test_without_forms_there_is_nobody_to_ask(mcp):
    mcp.open(elicitation={"url": {}})
    mcp.core.questions = [question("a.example")]
    assert mcp.legacy("tools/call", name="web_fetch")["isError"] is True
    assert mcp.modern("tools/call", name="web_fetch")["isError"] is True
    assert mcp.line.asked == []


def call_on(mcp, result, decision=None, **params):
    """Make the call again with what came back, as a modern client does."""
    said = {"inputResponses": {"approval": accepted(decision)}} if decision else {}
    state = {"requestState": result["requestState"]} | params
    return mcp.modern("tools/call", name="web_fetch", elicits=True, **state, **said)


@covers("MCP-02")
def test_a_modern_client_is_asked_by_the_result_and_calls_again(mcp):
    mcp.core.questions = [question("a.example")]
    first = mcp.modern("tools/call", name="web_fetch", elicits=True)
    assert first["resultType"] == "input_required"
    assert first["_meta"][f"{PREFIX}serverInfo"]["name"] == "blitzweb"
    asked = first["inputRequests"]["approval"]
    assert asked["method"] == "elicitation/create"
    assert "GET https://a.example/" in asked["params"]["message"]
    second = call_on(mcp, first, "session")
    assert (second["resultType"], second["content"][0]["text"]) == ("complete", "session")
    assert mcp.line.asked == [], "no requests go to a modern client"


@covers("MCP-02")
def test_every_question_of_a_call_is_asked_once(mcp):
    mcp.core.questions = [question("a.example"), question("b.example"), question("a.example")]
    first = mcp.modern("tools/call", name="web_fetch", elicits=True)
    second = call_on(mcp, first, "once")
    assert "b.example" in second["inputRequests"]["approval"]["params"]["message"]
    assert call_on(mcp, second, "always")["content"][0]["text"] == "once always once"


@covers("MCP-02")
def test_an_answer_is_to_its_question_alone(mcp):
    mcp.core.questions = [question("a.example")]
    first = mcp.modern("tools/call", name="web_fetch", elicits=True)
    mcp.core.questions = [question("b.example")]
    again = call_on(mcp, first, "always")
    assert "b.example" in again["inputRequests"]["approval"]["params"]["message"]


@covers("MCP-02")
def test_a_missing_answer_is_asked_for_again_and_a_wrong_one_refuses(mcp):
    mcp.core.questions = [question("a.example")]
    again = call_on(mcp, mcp.modern("tools/call", name="web_fetch", elicits=True))
    assert again["resultType"] == "input_required"
    assert call_on(mcp, again, inputResponses={"approval": 12345})["isError"] is True


@covers("MCP-02")
def test_an_answer_without_its_state_is_none(mcp):
    mcp.core.questions = [question("a.example")]
    result = mcp.modern("tools/call", name="web_fetch", elicits=True, inputResponses={"approval": accepted("always")})
    assert result["resultType"] == "input_required"


@covers("MCP-02")
@pytest.mark.parametrize(
    "change",
    [
        {"arguments": {"url": "other"}},
        {"_meta": {"blitzweb/context": {"session": "other"}}},
        {"requestState": "forged"},
    ],
)
def test_a_state_that_does_not_belong_to_the_call_is_an_error(mcp, change):
    mcp.core.questions = [question("a.example")]
    first = mcp.modern("tools/call", name="web_fetch", elicits=True)
    with pytest.raises(InvalidParams, match="requestState"):
        call_on(mcp, first, "always", **change)
    with pytest.raises(InvalidParams, match="was used already"):
        [call_on(mcp, first, "once") for _ in range(2)]


@covers("MCP-03")
def test_a_subscription_is_acknowledged_and_lasts_until_it_is_cancelled(mcp):
    assert mcp.methods["subscriptions/listen"].deadline({}) == float("inf")
    line = Line()
    running = Running("s", line, FakeAnswer(), deadline=Deadline(1), cancel=CancelToken())
    line.notify = lambda method, params: (line.told.append((method, params)), running.cancel.cancel())
    params = modern(1, "subscriptions/listen", notifications={"toolsListChanged": True})["params"]
    with pytest.raises(Exception, match="cancelled"):
        mcp.methods["subscriptions/listen"].handler(params, running)
    acknowledged = {"_meta": {f"{PREFIX}subscriptionId": "s"}, "notifications": {}}
    assert line.told == [("notifications/subscriptions/acknowledged", acknowledged)]


class Log(list):
    def warning(self, text):
        self.append(text)

    info = warning


@covers("MCP-01")
def test_the_core_opens_with_the_users_own_settings_and_tells_the_log():
    log, core = Log(), FakeCore()

    def initialize(hello, link):
        assert (hello.settings, hello.tools, hello.state_dir) == ({}, None, None)
        link.host.notify("usage/search", {"queries": 1})
        with pytest.raises(HostFailed):
            link.host.request("approval/request", {}, cancel=CancelToken())
        return Offer((), {}, ("a warning",))

    core.initialize = initialize
    open_core(core, log)
    assert log == ['usage/search {"queries":1}', "a warning"]
