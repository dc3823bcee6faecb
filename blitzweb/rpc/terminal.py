"""What a daemon says to a person who started it on a terminal, where a host was expected. Ids: WIRE-17."""

from __future__ import annotations

import os

NATIVE_GREETING = """\
blitzweb serve: web access for agent hosts, JSON-RPC 2.0, one message a line on stdin and stdout (Ctrl-D ends it).
To try it by hand, use `blitzweb-rpc`: it starts this daemon and has a prompt, completion and `methods`.
"""

MCP_GREETING = """\
blitzweb mcp: web access for MCP clients, one message a line on stdin and stdout (Ctrl-D ends it).
Name it in a client's configuration: {"mcpServers": {"blitzweb": {"command": "blitzweb", "args": ["mcp"]}}}
"""


def greet_person(greeting: str, stdin: int = 0, stderr: int = 2) -> bool:
    """Print the greeting on stderr if stdin is a terminal; tell whether it was."""
    if not os.isatty(stdin):
        return False
    os.write(stderr, greeting.encode())
    return True
