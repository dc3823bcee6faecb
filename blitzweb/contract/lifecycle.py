"""`initialize`, `settings/update`, and what both answer (WIRE-19, WIRE-35)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from blitzweb.contract.shapes import Length, Range


@dataclass(frozen=True, slots=True, kw_only=True)
class Nothing:
    """No members."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostInfo:
    """Who spawned the daemon."""

    name: Annotated[str, "for the log"] = ""
    version: Annotated[str, "for the log"] = ""
    pid: Annotated[int | None, Range(1), "the process to watch: when it is gone, the daemon ends"] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HostCapabilities:
    """What the host can do; absent means that it cannot."""

    approvals: Annotated[bool, "answers approval/request"] = False
    progress: Annotated[bool, "wants $/progress"] = False
    audit: Annotated[bool, "wants audit/event"] = False
    images: Annotated[bool, "can show pictures"] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class InitializeParams:
    """The first request of a connection."""

    protocol_version: Annotated[int, "the version that the host speaks: 1"]
    host: Annotated[HostInfo, "who asks"] = field(default_factory=HostInfo)
    capabilities: Annotated[HostCapabilities, "what the host can do"] = field(default_factory=HostCapabilities)
    settings: Annotated[Mapping[str, Any], "the user's settings by table"] = field(default_factory=dict)
    project_settings: Annotated[Mapping[str, Any], "the workspace's settings, which may only narrow"] = field(
        default_factory=dict
    )
    tools: Annotated[tuple[str, ...] | None, "allow-list of tools; web_search stands for all four page tools"] = None
    state_dir: Annotated[str | None, Length(1), "folder for approvals, audit and pictures; ~/.blitz by default"] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerInfo:
    """Who answers."""

    name: str
    version: str
    pid: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerLimits:
    """What the daemon takes at most."""

    max_line_bytes: Annotated[int, "of one line from the host, without its newline"]
    max_calls: Annotated[int, "running and waiting together"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingValue:
    """One effective setting; a secret's value is `[REDACTED]`."""

    value: Any
    origin: Annotated[str, "the layer that it comes from"]


@dataclass(frozen=True, slots=True, kw_only=True)
class InitializeResult:
    """What the daemon is, and what it offers."""

    protocol_version: int
    server: ServerInfo
    capabilities: Annotated[Mapping[str, bool], "what the daemon can do"]
    limits: ServerLimits
    tools: Annotated[tuple[str, ...], "the names on offer"]
    settings: Annotated[Mapping[str, Mapping[str, SettingValue]], "by table and key"]
    warnings: Annotated[tuple[str, ...], "what was ignored, or cannot work, and why"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsUpdateParams:
    """A live change of the user's settings; replaces the whole layer that `initialize` gave."""

    settings: Annotated[Mapping[str, Any], "the user's settings by table"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsUpdateResult:
    """What holds from now on."""

    settings: Annotated[Mapping[str, Mapping[str, SettingValue]], "by table and key"]
    tools: Annotated[tuple[str, ...], "the names on offer"]
    warnings: Annotated[tuple[str, ...], "what was ignored, or cannot work, and why"]
