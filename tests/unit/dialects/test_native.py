from __future__ import annotations

import jsonschema
import pytest

from blitzweb.contract.calls import ImageInfo
from blitzweb.contract.methods import METHODS
from blitzweb.contract.openrpc import openrpc_document, schema_document
from blitzweb.contract.searches import SearchWebResult
from blitzweb.contract.toolset import TOOLS, offered_in
from blitzweb.contract.upkeep import DoctorCheck
from blitzweb.dialects.core import Figures, Offer
from blitzweb.dialects.native import native_methods
from blitzweb.errors import InternalFault, InvalidParams, SettingsError, StateError, UnknownTool
from blitzweb.policy.context import CallContext, Mode
from blitzweb.rpc.methods import Kind
from blitzweb.rpc.running import Running
from blitzweb.timing import CancelToken, Deadline
from blitzweb.tools.call import ToolResult
from tests.support.covers import covers

PICTURE = ImageInfo(
    uri="blitzweb-image:0", path="/i/0.png", mime_type="image/png", width=1, height=2, bytes=3, audience="user"
)


class FakeConnection:
    def __init__(self):
        self.watched, self.sent = [], []

    def watch_host(self, pid):
        self.watched.append(pid)

    def snapshot(self):
        return {"running": 1, "waiting": 0, "threads": 1, "unread_bytes": 0, "dropped": 0}

    def send_progress(self, method, params):
        self.sent.append((method, params))


class FakeAnswer:
    def before(self, queue):
        queue()


class FakeCore:
    """Remembers what it was asked, and says little."""

    def __init__(self):
        self.asked = []
        self.problem = None

    def _offer(self, *asked):
        self.asked.append(asked)
        if self.problem:
            raise self.problem
        return Offer(("web_fetch",), {"web": {"enabled": {"value": True, "origin": "default"}}}, ("a warning",))

    def initialize(self, hello, _connection):
        return self._offer("initialize", hello.settings)

    def update_settings(self, settings):
        return self._offer("update", settings)

    def tools(self, context):
        return offered_in(TOOLS, context)

    def seconds(self, tool):
        return {"web_fetch": 20.0, "search/web": 40.0}.get(tool, 1.0)

    def call_tool(self, name, arguments, *, context, running, report, person):
        self.asked.append((name, arguments, context))
        if name != "web_fetch":
            raise UnknownTool(f'there is no tool "{name}"')
        report(1, 2, "half")
        return ToolResult(output={"url": "u", "results": ({"a": 1},)}, text="t", is_error=True, images=(PICTURE,))

    def search_web(self, terms, *, context, running):
        return SearchWebResult(error=f"no provider for {terms} of {context.session}")

    def end_session(self, session):
        self.asked.append(("end", session))

    def close_browser(self, workspace):
        self.asked.append(("close", workspace))

    def doctor(self, *, online):
        return [DoctorCheck(id="x", status="ok", summary=str(online))]

    def figures(self):
        return Figures(browsers=(), references=0, memory_bytes=5, uptime_s=0.5)


class Host:
    """Calls the handlers as the connection would, and checks every answer against the schema."""

    def __init__(self):
        self.core, self.connection = FakeCore(), FakeConnection()
        self.methods = native_methods(self.core)

    def ask(self, method, params=None):
        running = Running(1, self.connection, FakeAnswer(), deadline=Deadline(1), cancel=CancelToken())
        result = self.methods[method].handler(params, running)
        document = schema_document()
        fragment = {**document["methods"][method]["result"], "$defs": document["$defs"]}
        jsonschema.Draft202012Validator(fragment).validate(result)
        return result


@pytest.fixture
def host():
    return Host()


@covers("WIRE-41")
def test_every_request_of_the_contract_is_answered(host):
    requests = {method.name for method in METHODS if method.sender == "host" and not method.notification}
    assert set(host.methods) | {"ping", "shutdown"} == requests


@covers("WIRE-19", "SETTING-04")
def test_initialize_tells_what_the_daemon_is_and_offers(host):
    result = host.ask("initialize", {"protocol_version": 1, "host": {"pid": 42}, "settings": {"web": {}}})
    assert (result["protocol_version"], result["tools"], result["warnings"]) == (1, ["web_fetch"], ["a warning"])
    assert result["limits"] == {"max_line_bytes": 4 * 1024 * 1024, "max_calls": 64}
    assert host.core.asked == [("initialize", {"web": {}})]
    assert host.connection.watched == [42]


@covers("SETTING-02")
@pytest.mark.parametrize(
    ("method", "params"), [("initialize", {"protocol_version": 1}), ("settings/update", {"settings": {}})]
)
def test_a_bad_setting_is_the_params_fault(host, method, params):
    host.core.problem = SettingsError("web.max_bytes takes a whole number", advice="give one")
    with pytest.raises(InvalidParams) as caught:
        host.ask(method, params)
    assert (caught.value.message, caught.value.advice) == ("web.max_bytes takes a whole number", "give one")


@covers("APPROVAL-08")
def test_a_damaged_file_of_ours_is_told_at_the_start(host):
    host.core.problem = StateError("approvals.json is damaged", advice="mend it, or move it away")
    with pytest.raises(InternalFault) as caught:
        host.ask("initialize", {"protocol_version": 1})
    assert "approvals.json" in caught.value.message


@covers("WIRE-35")
def test_settings_are_replaced_and_told_as_initialize_does(host):
    result = host.ask("settings/update", {"settings": {"web": {"enabled": True}}})
    assert set(result) == {"tools", "settings", "warnings"}
    assert host.core.asked == [("update", {"web": {"enabled": True}})]


@covers("WIRE-29")
def test_tools_are_listed_ready_for_a_model(host):
    tools = host.ask("tools/list")["tools"]
    assert [tool["name"] for tool in tools] == [tool.name for tool in TOOLS]
    assert tools[0]["input_schema"]["required"] == ["url"]
    assert tools[0]["annotations"] == {"read_only": True, "open_world": True, "may_ask": True}
    assert host.ask("tools/list", {}) == {"tools": tools}


@covers("WIRE-48", "POLICY-13", "SETTING-10")
@pytest.mark.parametrize(
    ("context", "names"),
    [
        ({"mode": "plan"}, ["web_fetch", "web_search", "web_open", "web_find", "web_click"]),
        ({"mode": "read_only", "tools": ["web_fetch", "browser"]}, ["web_fetch"]),
        ({"mode": "unattended", "tools": ["browser"]}, ["browser"]),
        ({"tools": ["web_search"]}, ["web_search", "web_open", "web_find", "web_click"]),
        ({"tools": ["web_open"]}, []),
        ({"tools": []}, []),
    ],
)
def test_a_context_narrows_what_is_listed(host, context, names):
    assert [tool["name"] for tool in host.ask("tools/list", {"context": context})["tools"]] == names


@covers("WIRE-31", "WIRE-33")
def test_a_call_reaches_the_tool_and_its_result_the_host(host):
    params = {"name": "web_fetch", "arguments": {"url": "u"}, "context": {"mode": "plan"}, "progress_token": "p"}
    assert host.ask("tools/call", params) == {
        "output": {"url": "u", "results": [{"a": 1}]},
        "text": "t",
        "images": [
            {
                "uri": "blitzweb-image:0",
                "path": "/i/0.png",
                "mime_type": "image/png",
                "width": 1,
                "height": 2,
                "bytes": 3,
                "audience": "user",
            }
        ],
        "is_error": True,
    }
    assert host.core.asked == [("web_fetch", {"url": "u"}, CallContext(mode=Mode.PLAN))]
    assert host.connection.sent == [("$/progress", {"token": "p", "progress": 1, "total": 2, "message": "half"})]


@covers("WIRE-32", "WIRE-28")
def test_an_unknown_tool_is_the_hosts_fault(host):
    with pytest.raises(InvalidParams) as caught:
        host.ask("tools/call", {"name": "web_fetsch"})
    assert caught.value.to_object()["data"]["reason"] == "unknown_tool"


@covers("SETTING-11")
@pytest.mark.parametrize(
    ("params", "seconds"),
    [
        ({"name": "web_fetch"}, 20.0),
        ({"name": "web_fetch", "timeout_ms": 1500}, 1.5),
        ({"name": "web_fetch", "timeout_ms": 600_000}, 600.0),
        ({"name": 3}, 1.0),
        (None, 1.0),
    ],
)
def test_the_deadline_is_the_hosts_or_the_tools_own(host, params, seconds):
    assert host.methods["tools/call"].deadline(params) == seconds


@covers("WIRE-27", "SETTING-11")
@pytest.mark.parametrize("timeout", [0, -1, 600_001, 1.5, "1", True, None])
def test_a_timeout_out_of_range_is_refused(host, timeout):
    params = {"name": "web_fetch", "timeout_ms": timeout}
    assert host.methods["tools/call"].deadline(params) > 0
    with pytest.raises(InvalidParams, match="timeout_ms takes a whole number from 1 to 600000"):
        host.ask("tools/call", params)


@covers("WIRE-27")
@pytest.mark.parametrize("method", sorted(set(native_methods(FakeCore()))))
def test_unknown_members_are_refused_everywhere(host, method):
    with pytest.raises(InvalidParams, match="stranger"):
        host.ask(method, {"protocol_version": 1, "stranger": 1} if method == "initialize" else {"stranger": 1})


@covers("WIRE-34")
def test_a_session_is_ended(host):
    assert host.ask("session/end", {"session": "s"}) is None
    assert host.core.asked == [("end", "s")]


@covers("WIRE-44")
def test_closing_a_browser_that_is_not_there_is_null(host):
    assert host.ask("browser/close") is None
    assert host.ask("browser/close", {"workspace": "w"}) is None
    assert host.core.asked == [("close", "default"), ("close", "w")]


@covers("WEB-30")
def test_calls_that_drive_the_browser_of_a_workspace_share_a_lane():
    lane = native_methods(FakeCore())["tools/call"].lane
    assert lane({"name": "web_fetch"}) is None
    assert lane({"name": "browser"}) == lane({"name": "browser_click", "context": {"workspace": "default"}})
    assert lane({"name": "browser"}) != lane({"name": "browser", "context": {"workspace": "w"}})


@covers("WIRE-36")
def test_doctor_passes_the_word_online_on(host):
    assert host.ask("doctor", {"online": True})["checks"][0]["summary"] == "True"
    assert host.ask("doctor")["checks"][0]["summary"] == "False"


@covers("WIRE-37")
def test_status_joins_load_and_figures(host):
    assert host.ask("$/status") == {
        "running": 1,
        "waiting": 0,
        "threads": 1,
        "unread_bytes": 0,
        "dropped": 0,
        "browsers": [],
        "references": 0,
        "memory_bytes": 5,
        "uptime_s": 0.5,
    }


@covers("WIRE-38")
def test_the_openrpc_document_is_answered(host):
    assert host.ask("rpc.discover") == openrpc_document()


@covers("WEB-21")
def test_the_transcript_is_searched(host):
    messages = [{"number": 1, "role": "user", "text": "the exit code"}]
    result = host.ask("search/session", {"terms": '"exit code"', "messages": messages})
    assert result["matches"] == [{"number": 1, "role": "user", "excerpt": "the exit code"}]
    assert result["mode"] == "read_only"


@covers("SEARCH-06")
def test_a_web_search_without_a_provider_says_so(host):
    result = host.ask("search/web", {"terms": "x", "context": {"session": "s"}})
    assert result == {"mode": "read_only", "results": [], "grants": [], "error": "no provider for x of s"}


def test_the_users_own_search_has_a_deadline_of_its_own(host):
    assert host.methods["search/web"].deadline({"terms": "x"}) == 40.0


def test_what_starts_the_conversation_is_answered_on_the_readers_turn(host):
    quick = {name for name, method in host.methods.items() if method.kind is Kind.QUICK}
    assert quick == {"initialize", "session/end", "settings/update", "$/status"}
