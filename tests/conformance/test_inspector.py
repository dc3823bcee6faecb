"""The MCP inspector's command line, strict about schemas, in both eras."""

from __future__ import annotations

import json
import sys

import pytest

from blitzweb.contract.toolset import TOOLS
from tests.support.covers import covers
from tests.support.raw_server import RawServer

pytestmark = pytest.mark.timeout(300)  # the first of them may have to install the peers

MADE_UP = (sys.executable, "-m", "tests.support.mcp_server")
ERAS = ("legacy", "modern")
IS_ERROR = 5  # the inspector's exit code for a result with isError


@pytest.fixture
def real(tmp_path):
    (tmp_path / "config.toml").write_text("")
    places = ("--state-dir", str(tmp_path / "state"), "--config", str(tmp_path / "config.toml"))
    return (sys.executable, "-m", "blitzweb", "mcp", *places, "--set", "web.allow_private=true")


def inspect(peer, era, server, *words):
    return peer("mcp-inspector", "--cli", "--protocol-era", era, "--format", "json", *words, "--", *server)


@covers("MCP-03")
@pytest.mark.parametrize("era", ERAS)
def test_every_tool_of_the_contract_has_a_portable_schema(peer, era):
    done = inspect(peer, era, MADE_UP, "--strict", "--method", "tools/list")
    assert done.returncode == 0, done.stderr
    assert "0 errors" in done.stderr
    listed = [tool["name"] for tool in json.loads(done.stdout)["result"]["tools"]]
    assert listed[: len(TOOLS)] == [tool.name for tool in TOOLS]


@covers("MCP-01", "MCP-03")
@pytest.mark.parametrize("era", ERAS)
def test_the_real_server_lists_its_tools(peer, real, era):
    done = inspect(peer, era, real, "--strict", "--method", "tools/list")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["result"]["tools"][0]["name"] == "web_fetch"


@covers("MCP-01", "MCP-03")
@pytest.mark.parametrize("era", ERAS)
def test_a_page_is_read(peer, real, era):
    def page(connection, _head, _closing):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nHello")

    with RawServer(page) as server:
        words = ("--method", "tools/call", "--tool-name", "web_fetch", "--tool-arg", f"url={server.url}")
        done = inspect(peer, era, (*real, "--set", "web.allow_domains=['127.0.0.1']"), *words)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["result"]["structuredContent"]["content"] == "Hello"


@covers("MCP-02")
@pytest.mark.parametrize("era", ERAS)
def test_a_call_that_nobody_can_approve_names_the_setting(peer, real, era):
    words = ("--method", "tools/call", "--tool-name", "web_fetch", "--tool-arg", "url=http://127.0.0.1:9999/")
    done = inspect(peer, era, real, *words)
    assert done.returncode == IS_ERROR, done.stderr
    assert "web.allow_domains" in json.loads(done.stdout)["result"]["content"][0]["text"]


@covers("MCP-03")
@pytest.mark.parametrize("era", ERAS)
def test_a_picture_comes_as_a_picture(peer, era):
    done = inspect(peer, era, MADE_UP, "--method", "tools/call", "--tool-name", "test_image_content")
    assert done.returncode == 0, done.stderr
    _, image = json.loads(done.stdout)["result"]["content"]
    assert (image["type"], image["mimeType"], image["annotations"]) == (
        "image",
        "image/png",
        {"audience": ["assistant"]},
    )
