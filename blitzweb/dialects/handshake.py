"""Reads the params of `initialize` without the contract, which the start of the process has no time to load (WIRE-20).

What plainly fits is taken as it is. Anything else is shown to the contract, whose error says what is wrong; so there is
one set of messages, and `PLAIN` may only ever be stricter than the contract (a test compares them).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from blitzweb.errors import InvalidParams, VersionNotSpoken
from blitzweb.limits import PROTOCOL_VERSION

# A type: exactly that. A table: an object with some of these members. A list of one: a list of that.
PLAIN: Final[dict[str, Any]] = {
    "protocol_version": int,
    "host": {"name": str, "version": str, "pid": int},
    "capabilities": {"approvals": bool, "progress": bool, "audit": bool, "images": bool},
    "settings": dict,
    "project_settings": dict,
    "tools": [str],
    "state_dir": str,
}


class Hello:
    """What the host said in `initialize`; what it left out has its default."""

    def __init__(self, params: Mapping[str, Any]) -> None:
        host: Mapping[str, Any] = params.get("host", {})
        can: Mapping[str, Any] = params.get("capabilities", {})
        self.host_name: str = host.get("name", "")
        self.host_version: str = host.get("version", "")
        self.host_pid: int | None = host.get("pid")
        self.approvals: bool = can.get("approvals", False)
        self.progress: bool = can.get("progress", False)
        self.audit: bool = can.get("audit", False)
        self.images: bool = can.get("images", False)
        self.settings: dict[str, Any] = params.get("settings", {})
        self.project_settings: dict[str, Any] = params.get("project_settings", {})
        self.tools: tuple[str, ...] | None = tuple(params["tools"]) if "tools" in params else None
        self.state_dir: str | None = params.get("state_dir")


def read_hello(params: Mapping[str, Any] | None) -> Hello:
    """Return what the host said.

    Raises:
        VersionNotSpoken: the host speaks another version; nothing else of the params is judged then.
        InvalidParams: the params do not fit; names the member and what is allowed.
    """
    given = dict(params or {})
    version = given.get("protocol_version")
    if type(version) is int and version != PROTOCOL_VERSION:
        raise VersionNotSpoken(
            f"protocol version {version} is not spoken here",
            advice=f"speak version {PROTOCOL_VERSION}, or install a blitzweb that speaks {version}",
            supported=[PROTOCOL_VERSION],
        )
    if not is_plain(given):
        _judge(given)
    return Hello(given)


def is_plain(given: Mapping[str, Any]) -> bool:
    """Tell whether params fit without a doubt."""
    pid = (given["host"].get("pid", 1)) if isinstance(given.get("host"), dict) else 1
    edges = isinstance(pid, int) and pid >= 1 and given.get("state_dir") != ""
    return "protocol_version" in given and edges and _fits(given, PLAIN)


def _fits(value: Any, shape: Any) -> bool:
    if isinstance(shape, dict):
        return isinstance(value, dict) and all(name in shape and _fits(value[name], shape[name]) for name in value)
    if isinstance(shape, list):
        return isinstance(value, list) and all(_fits(item, shape[0]) for item in value)
    return type(value) is shape


def _judge(given: dict[str, Any]) -> None:
    """Let the contract say what is wrong, if anything is."""
    from blitzweb.contract.codec import Misfit, decode
    from blitzweb.contract.lifecycle import InitializeParams

    try:
        decode(InitializeParams, given, where="params")
    except Misfit as misfit:
        raise InvalidParams(str(misfit), path=misfit.path) from None
