"""What tests of MCP share: the metadata of the modern era, and its messages."""

from __future__ import annotations

from typing import Any

from tests.support.host import request

PREFIX = "io.modelcontextprotocol/"


def envelope(version: str = "2026-07-28", **capabilities: Any) -> dict[str, Any]:
    """Return what every request of the modern era says in `_meta`."""
    return {f"{PREFIX}protocolVersion": version, f"{PREFIX}clientCapabilities": capabilities}


def modern(identity: Any, method: str, *, elicits: bool = False, **params: Any) -> dict[str, Any]:
    """Return a request of the modern era."""
    capabilities = {"elicitation": {}} if elicits else {}
    meta = envelope(**capabilities) | params.pop("_meta", {})
    return request(identity, method, params | {"_meta": meta})


def accepted(decision: str) -> dict[str, Any]:
    """Return the form that a person sent off."""
    return {"action": "accept", "content": {"decision": decision}}
