"""The official Python SDK's client, in each of its modes, over stdio with the real server."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any

import pytest

from blitzweb.contract.toolset import TOOLS
from tests.support.covers import covers
from tests.support.host import ROOT
from tests.support.raw_server import RawServer

mcp = pytest.importorskip("mcp", reason="the Python package `mcp` is not installed: scripts/setup mcp")

from mcp import Client, MCPError, StdioServerParameters, types  # noqa: E402
from mcp.client.stdio import stdio_client  # noqa: E402

MODES = ("legacy", "auto", "2026-07-28")
PICKED = {"legacy": "2025-11-25", "auto": "2026-07-28", "2026-07-28": "2026-07-28"}
SECONDS = 30

Scenario = Callable[[Client], Coroutine[Any, Any, None]]


def page(connection, _head, _closing):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nHello")


@pytest.fixture
def server() -> Iterator[RawServer]:
    with RawServer(page) as started:
        yield started


@pytest.fixture(params=MODES)
def use(request, tmp_path) -> Callable[..., None]:
    """Return what runs a scenario with a client in a mode, whose person answers with `decision`."""
    (tmp_path / "config.toml").write_text("")
    words = ["-m", "blitzweb", "mcp", "--state-dir", str(tmp_path / "state"), "--config", str(tmp_path / "config.toml")]

    @contextlib.asynccontextmanager
    async def connect(settings: tuple[str, ...], elicited: Any) -> AsyncIterator[Client]:
        arguments = [*words, *(word for setting in settings for word in ("--set", setting))]
        parameters = StdioServerParameters(command=sys.executable, args=arguments, cwd=ROOT)
        async with Client(stdio_client(parameters), mode=request.param, elicitation_callback=elicited) as client:
            assert client.protocol_version == PICKED[request.param]
            yield client

    def run(scenario: Scenario, *settings: str, elicited: Any = None) -> None:
        async def within() -> None:
            async with asyncio.timeout(SECONDS), connect(("web.allow_private=true", *settings), elicited) as client:
                await scenario(client)

        asyncio.run(within())

    return run


class Person:
    """Answers every form with the same decision, and remembers what was asked."""

    def __init__(self, decision: str) -> None:
        self.decision = decision
        self.asked: list[str] = []

    async def __call__(self, _context: Any, params: Any) -> Any:
        self.asked.append(params.message)
        return types.ElicitResult(action="accept", content={"decision": self.decision})


@covers("MCP-01", "MCP-03")
def test_the_tools_are_listed(use):
    async def scenario(client):
        tools = (await client.list_tools()).tools
        known = {tool.name: tool for tool in TOOLS}
        assert {"web_fetch", "web_search", "web_open"} <= {tool.name for tool in tools} <= set(known)
        for tool in tools:
            assert tool.title == known[tool.name].title
            assert tool.input_schema["type"] == tool.output_schema["type"] == "object"
            assert tool.annotations.read_only_hint is known[tool.name].read_only

    use(scenario)


@covers("MCP-02", "MCP-03")
def test_a_page_is_read_once_the_person_agrees(use, server):
    person, steps = Person("session"), []

    async def follow(progress, _total, message):
        steps.append((progress, message))

    async def scenario(client):
        first = await client.call_tool("web_fetch", {"url": server.url}, progress_callback=follow)
        again = await client.call_tool("web_fetch", {"url": f"{server.url}again"})
        for result in (first, again):
            assert result.is_error is False
            assert "Hello" in result.content[0].text
            assert result.structured_content["content"] == "Hello"

    use(scenario, elicited=person)
    assert len(person.asked) == 1, "the session was allowed"
    assert f"GET {server.url}" in person.asked[0]
    assert [progress for progress, _ in steps] == sorted({progress for progress, _ in steps})
    assert any("127.0.0.1" in message for _, message in steps)


@covers("MCP-02")
def test_a_person_who_denies_is_heard(use, server):
    async def scenario(client):
        result = await client.call_tool("web_fetch", {"url": server.url})
        assert result.is_error is True
        assert "the user declined" in result.content[0].text

    use(scenario, elicited=Person("deny"))
    assert server.connections == 0


@covers("MCP-02")
def test_a_client_that_cannot_ask_is_told_the_setting(use, server):
    async def scenario(client):
        result = await client.call_tool("web_fetch", {"url": server.url})
        assert result.is_error is True
        assert 'web.allow_domains = ["127.0.0.1"]' in result.content[0].text

    use(scenario)
    assert server.connections == 0


@covers("MCP-03")
def test_mistakes_of_a_model_are_results_and_those_of_a_host_are_errors(use):
    async def scenario(client):
        result = await client.call_tool("web_fetch", {"url": "http://169.254.169.254/"})
        assert (result.is_error, "not a public address" in result.content[0].text) == (True, True)
        result = await client.call_tool("web_fetch", {"address": "x"})
        assert (result.is_error, "address" in result.content[0].text) == (True, True)
        with pytest.raises(MCPError) as caught:
            await client.call_tool("no_such_tool", {})
        assert caught.value.code == types.INVALID_PARAMS
        with pytest.raises(MCPError) as caught:
            await client.list_tools(cursor="x")
        assert caught.value.code == types.INVALID_PARAMS

    use(scenario, "web.allow_private=false")


@covers("MCP-03")
def test_a_call_that_the_client_gives_up_is_over(use):
    def never(_connection, _head, closing):
        closing.wait(SECONDS)

    async def scenario(client):
        with pytest.raises(MCPError):
            await client.call_tool("web_fetch", {"url": stuck.url}, read_timeout_seconds=0.5)
        assert (await client.list_tools()).tools, "the connection goes on"

    with RawServer(never) as stuck:
        use(scenario, "web.allow_domains=['127.0.0.1']")
