"""`blitzweb mcp` on its pipes: what is answered and what is not, what is asked and taken back, how it ends."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import pytest

from tests.support.covers import covers
from tests.support.host import ROOT, Host, notification, request
from tests.support.mcp import PREFIX, accepted, modern
from tests.support.raw_server import RawServer

DAEMON = (sys.executable, "-m", "blitzweb", "mcp")
LOCAL = "web.allow_private=true"
FREELY = "web.allow_domains=['127.0.0.1']"


def page(connection, _head, _closing):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nHello")


def stuck_server(arrived):
    """Return a server that answers nothing, and counts in `arrived` who came."""

    def script(_connection, _head, closing):
        arrived.release()
        closing.wait(30)

    return RawServer(script)


def start(folder, *options):
    config = folder / "config.toml"
    config.write_text("")
    settings = [word for option in options for word in ("--set", option)]
    return Host(DAEMON, options=["--state-dir", str(folder / "state"), "--config", str(config), *settings])


def shake_hands(host, version="2025-11-25", **capabilities):
    params = {"protocolVersion": version, "capabilities": capabilities, "clientInfo": {"name": "t", "version": "1"}}
    result = host.call("initialize", params)["result"]
    host.send(notification("notifications/initialized"))
    return result


def fetch(identity, url, **meta):
    params = {"name": "web_fetch", "arguments": {"url": url}}
    return request(identity, "tools/call", params | ({"_meta": meta} if meta else {}))


def fetch_modern(identity, url, *, elicits=False, **params):
    return modern(identity, "tools/call", elicits=elicits, name="web_fetch", arguments={"url": url}, **params)


def cancelled(identity):
    return notification("notifications/cancelled", {"requestId": identity, "reason": "enough"})


@covers("MCP-01")
def test_both_eras_are_served_by_one_process(tmp_path):
    with start(tmp_path, LOCAL, FREELY) as host, RawServer(page) as server:
        assert host.call("server/discover", {})["error"]["code"] == -32602
        host.send(modern(1, "server/discover"), fetch_modern(2, server.url))
        assert host.answer(1)["result"]["supportedVersions"] == ["2026-07-28"]
        assert "Hello" in host.answer(2)["result"]["content"][0]["text"]
        assert host.call("tools/list")["error"]["code"] == -32602, "no handshake, no _meta"
        assert shake_hands(host)["protocolVersion"] == "2025-11-25"
        host.send(fetch(3, server.url), request(4, "ping"), modern(5, "ping"))
        assert "Hello" in host.answer(3)["result"]["content"][0]["text"]
        assert host.answer(4)["result"] == {}
        assert host.answer(5)["error"]["code"] == -32601, "the modern era has no ping"


@covers("MCP-01")
def test_errors_have_the_codes_of_json_rpc_or_of_mcp(tmp_path):
    with start(tmp_path) as host:
        host.send(modern(1, "server/discover", _meta={f"{PREFIX}protocolVersion": "2031-01-01"}))
        error = host.answer(1)["error"]
        assert (error["code"], error["data"]["requested"]) == (-32022, "2031-01-01")
        host.send(request(None, "tools/list", {}), modern("x", "tools/call", name="no_such"))
        assert host.receive()["error"]["code"] == -32600
        assert host.answer("x")["error"]["code"] == -32602
        shake_hands(host)
        assert host.call("shutdown")["error"]["code"] == -32601
        assert host.call("initialize", {"protocolVersion": "2025-11-25"})["error"]["code"] == -32600


@covers("MCP-03")
@pytest.mark.parametrize("make", [fetch, fetch_modern])
def test_a_cancelled_call_is_not_answered_and_its_id_is_free(tmp_path, make):
    arrived = threading.Semaphore(0)
    with start(tmp_path, LOCAL, FREELY) as host, stuck_server(arrived) as stuck, RawServer(page) as server:
        shake_hands(host)
        host.send(make(1, stuck.url), [make(2, stuck.url), request(3, "ping")])
        assert all(arrived.acquire(timeout=10) for _ in range(2))
        host.send(cancelled(1), cancelled(2), cancelled("no such"), cancelled(None))
        assert host.receive() == [{"jsonrpc": "2.0", "id": 3, "result": {}}], "the batch goes out without it"
        assert host.nothing_more()
        host.send(make(1, server.url))
        assert "Hello" in host.answer(1)["result"]["content"][0]["text"]


@covers("MCP-02", "MCP-03")
def test_the_form_of_a_cancelled_call_is_taken_back(tmp_path):
    with start(tmp_path, LOCAL) as host, RawServer(page) as server:
        shake_hands(host, elicitation={})
        host.send(fetch(1, server.url))
        form = host.find(lambda message: message.get("method") == "elicitation/create")
        host.send(cancelled(1))
        taken = host.find(lambda message: message.get("method") == "notifications/cancelled")
        assert taken["params"]["requestId"] == form["id"]
        host.send({"jsonrpc": "2.0", "id": form["id"], "result": accepted("always")})
        assert host.nothing_more()
        assert server.connections == 0


@covers("MCP-02")
def test_what_a_legacy_person_allows_for_the_session_is_not_asked_again(tmp_path):
    with start(tmp_path, LOCAL) as host, RawServer(page) as server:
        shake_hands(host, elicitation={"form": {}})
        host.send(fetch(1, server.url, progressToken="p"))
        form = host.find(lambda message: message.get("method") == "elicitation/create")
        assert server.url in form["params"]["message"]
        assert server.connections == 0
        host.send({"jsonrpc": "2.0", "id": form["id"], "result": accepted("session")}, fetch(2, server.url))
        assert host.answer(1)["result"]["isError"] is False
        assert host.answer(2)["result"]["isError"] is False
        steps = [message["params"] for message in iter_progress(host)]
        assert {step["progressToken"] for step in steps} == {"p"}
        values = [step["progress"] for step in steps]
        assert values == sorted(set(values)), "progress only rises"


def iter_progress(host):
    host.call("ping", identity="last")
    return [message for message in host._unmatched if message.get("method") == "notifications/progress"]


@covers("MCP-02")
def test_a_modern_person_is_asked_by_a_result_that_holds_once(tmp_path):
    with start(tmp_path, LOCAL) as host, RawServer(page) as server:
        host.send(fetch_modern(1, server.url, elicits=True))
        result = host.answer(1)["result"]
        assert result["resultType"] == "input_required"
        assert server.connections == 0
        answer = {"requestState": result["requestState"], "inputResponses": {"approval": accepted("once")}}
        host.send(fetch_modern(2, server.url + "other", elicits=True, **answer))
        assert host.answer(2)["error"]["code"] == -32602
        host.send(fetch_modern(3, server.url, elicits=True, **answer))
        assert "Hello" in host.answer(3)["result"]["content"][0]["text"]
        host.send(fetch_modern(4, server.url, elicits=True, **answer))
        assert "was used already" in host.answer(4)["error"]["message"]
        host.send(fetch_modern(5, server.url, elicits=True))
        assert host.answer(5)["result"]["resultType"] == "input_required", "once was once"


@covers("MCP-02")
@pytest.mark.parametrize("version", ["2025-03-26", "2025-11-25", "2026-07-28"])
def test_a_client_without_forms_is_refused_with_the_setting_to_write(tmp_path, version):
    with start(tmp_path, LOCAL) as host, RawServer(page) as server:
        if version == "2026-07-28":
            host.send(fetch_modern(1, server.url))
        else:
            shake_hands(host, version, **({"elicitation": {}} if version == "2025-03-26" else {}))
            host.send(fetch(1, server.url))
        result = host.answer(1)["result"]
        assert result["isError"] is True
        assert 'web.allow_domains = ["127.0.0.1"]' in result["content"][0]["text"]
        assert server.connections == 0


@covers("MCP-03")
def test_a_subscription_ends_when_it_is_cancelled(tmp_path):
    with start(tmp_path) as host:
        host.send(modern("s", "subscriptions/listen", notifications={"toolsListChanged": True}))
        first = host.receive()
        assert first["method"] == "notifications/subscriptions/acknowledged"
        assert first["params"]["_meta"][f"{PREFIX}subscriptionId"] == "s"
        host.send(cancelled("s"))
        assert host.nothing_more()


@covers("MCP-01", "WIRE-23")
@pytest.mark.parametrize("running", [False, True])
def test_the_end_of_input_ends_it_within_two_seconds(tmp_path, running):
    arrived = threading.Semaphore(0)
    with start(tmp_path, LOCAL, FREELY) as host, stuck_server(arrived) as stuck:
        shake_hands(host)
        if running:
            host.send(fetch(1, stuck.url), modern(2, "subscriptions/listen", notifications={}))
            assert host.receive()["method"] == "notifications/subscriptions/acknowledged"
            assert arrived.acquire(timeout=10)
        host.process.stdin.close()
        begun = time.monotonic()
        assert host.wait() == 0
        assert time.monotonic() - begun < 2


@covers("MCP-01")
@pytest.mark.parametrize(
    ("config", "words", "code"),
    [
        ("[web]\nmax_bytes = 'x'\n", "web.max_bytes", 1),
        ("[web]\nsearch_provider = 'brave'\n", "web_search is not on offer", 0),
    ],
)
def test_settings_are_the_users_own_and_what_is_wrong_is_said_at_the_start(tmp_path, config, words, code):
    file = tmp_path / "config.toml"
    file.write_text(config)
    command = [*DAEMON, "--config", str(file), "--state-dir", str(tmp_path / "state")]
    done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, timeout=20, check=False)
    assert done.returncode == code
    assert done.stdout == b""
    assert words in done.stderr.decode()


@covers("MCP-03")
def test_the_command_line_narrows_the_tools(tmp_path):
    (tmp_path / "config.toml").write_text("")
    with Host(DAEMON, options=["--tools=web_fetch", "--config", str(tmp_path / "config.toml")]) as host:
        host.send(modern(1, "tools/list"))
        assert [tool["name"] for tool in host.answer(1)["result"]["tools"]] == ["web_fetch"]


def test_help_says_what_it_is():
    done = subprocess.run([*DAEMON, "--help"], cwd=ROOT, capture_output=True, timeout=20, check=True)
    assert b"usage: blitzweb mcp" in done.stdout
