"""The MCP dialect over made-up tools: `python -m tests.support.mcp_server`.

It offers every tool of the contract, for what lists them, and those that the official conformance suite calls by name.
"""

from __future__ import annotations

import base64
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from blitzweb.contract.calls import ImageInfo
from blitzweb.contract.toolset import TOOLS, ToolShape
from blitzweb.dialects.core import Offer
from blitzweb.dialects.mcp.lifecycle import McpLifecycle
from blitzweb.dialects.mcp.methods import mcp_methods
from blitzweb.errors import UnknownTool
from blitzweb.policy.verdicts import Question
from blitzweb.rpc.log import Log
from blitzweb.rpc.serve import serve
from blitzweb.tools.call import ToolResult

PICTURES = tempfile.TemporaryDirectory()  # goes with the process
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Nothing:
    """No arguments, and nothing to say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What the suite wants to have asked."""

    message: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """What a made-up tool may use."""

    tool: str
    cancel: Any
    person: Any
    report: Callable[[float, float | None, str], None]

    def ask(self, name: str) -> str:
        """Ask the person something; return the decision."""
        return self.person.ask(
            Question("network", f"web:{name}", name, f"GET https://{name}/", (name,)), self
        ).decision.value


def say(text: str, **more: Any) -> ToolResult:
    return ToolResult(output=Nothing(), text=text, **more)


def show_image(_call: Call) -> ToolResult:
    file = Path(PICTURES.name, "pixel.png")
    file.write_bytes(PIXEL)
    image = ImageInfo(
        uri="blitzweb-image:0",
        path=str(file),
        mime_type="image/png",
        width=1,
        height=1,
        bytes=len(PIXEL),
        audience="assistant",
    )
    return say("a picture", images=(image,))


def progress(call: Call) -> ToolResult:
    for done in (0, 50, 100):
        call.report(done, 100, f"{done} of 100")
    return say("done")


def ask(*names: str) -> Callable[[Call], ToolResult]:
    return lambda call: say(" ".join([call.ask(name) for name in names]))


RUNS: dict[str, Callable[[Call], ToolResult]] = {
    "test_simple_text": lambda _call: say("This is a simple text response for testing."),
    "test_image_content": show_image,
    "test_error_handling": lambda _call: say("This tool intentionally returns an error for testing", is_error=True),
    "test_tool_with_progress": progress,
    "test_logging_tool": lambda _call: say("nothing is logged to the client"),
    "test_elicitation": ask("a.example"),
    "test_streaming_elicitation": ask("a.example"),
    "test_input_required_result_elicitation": ask("a.example"),
    "test_input_required_result_request_state": ask("a.example"),
    "test_input_required_result_tampered_state": ask("a.example"),
    "test_input_required_result_multi_round": ask("a.example", "b.example"),
    "test_input_required_result_capabilities": ask("a.example"),
}


def shape(name: str) -> ToolShape:
    arguments = Message if name == "test_elicitation" else Nothing
    return ToolShape(
        name=name, title=name, description=f"Run {name}.", group="test", arguments=arguments, output=Nothing
    )


class MadeUpCore:
    """Fills as much of the dialects' `Core` as MCP asks for."""

    def initialize(self, _hello, _link):
        return Offer((), {}, ())

    def tools(self, _context):
        return [*TOOLS, *map(shape, RUNS)]

    def seconds(self, _tool):
        return 20.0

    def call_tool(self, name, _arguments, *, context, running, report, person):
        if name not in RUNS:
            raise UnknownTool(f'there is no tool "{name}"')
        return RUNS[name](Call(name, running.cancel, person, report))


def main() -> int:
    return serve(mcp_methods(MadeUpCore()), lifecycle=McpLifecycle(), log=Log(level="warning"))


if __name__ == "__main__":
    sys.exit(main())
