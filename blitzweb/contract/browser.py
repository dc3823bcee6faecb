"""The arguments and the output of `browser` (WEB-31, BROWSER-08)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from blitzweb.contract.shapes import Folded, Range
from blitzweb.limits import MAX_WAIT_SECONDS

Action = Literal[
    "navigate",
    "back",
    "forward",
    "reload",
    "click",
    "hover",
    "type",
    "select",
    "press",
    "scroll",
    "drag",
    "read",
    "html",
    "screenshot",
    "console",
    "script",
    "record",
    "stop_recording",
    "tabs",
    "dialog",
    "wait",
    "upload",
    "network",
    "pdf",
    "emulate",
    "cookies",
    "steps",
    "close",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserArguments:
    """One action and what it takes; which members an action needs is in its description."""

    action: Annotated[Action, Folded()]
    url: Annotated[str | None, "for wait a glob"] = None
    selector: Annotated[str | None, "CSS or text=visible text"] = None
    text: Annotated[str | None, "for press: Control+A"] = None
    append: Annotated[bool, "keep what is there"] = False
    submit: Annotated[bool, "press Enter"] = False
    value: Annotated[str | tuple[str, ...] | None, "of options, or their text"] = None
    script: str | None = None
    full_page: bool = False
    format: Literal["png", "jpeg", "webp", "gif", "webm"] | None = None
    button: Literal["left", "middle", "right"] | None = None
    count: Annotated[int | None, Range(1, 2)] = None
    dx: Annotated[float | None, "pixels"] = None
    dy: float | None = None
    to: str | None = None
    level: str | None = None
    op: Literal["list", "switch", "close"] | None = None
    tab: str | None = None
    accept: bool | None = None
    gone: Annotated[str | None, "text"] = None
    idle: bool = False
    seconds: Annotated[float | None, Range(0, MAX_WAIT_SECONDS)] = None
    files: tuple[str, ...] | None = None
    request: str | None = None
    viewport: Annotated[str | None, "such as 390x844"] = None
    mobile: bool | None = None
    dark: bool | None = None
    locale: str | None = None
    time_zone: str | None = None
    clear: bool = False
    steps: Annotated[tuple[Mapping[str, Any], ...] | None, "actions"] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleEntry:
    """One message of the page's console."""

    level: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TabInfo:
    """One tab."""

    id: str
    url: str
    title: str
    active: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogInfo:
    """A dialog of the page that waits for its answer."""

    type: str
    message: str
    default: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserOutput:
    """The page after the action; members that do not apply are left out."""

    url: str | None = None
    title: str | None = None
    text: str | None = None
    result: str | None = None
    truncated: bool | None = None
    console: tuple[ConsoleEntry, ...] | None = None
    refused: tuple[str, ...] | None = None
    recording: str | None = None
    frames: tuple[str, ...] | None = None
    tabs: tuple[TabInfo, ...] | None = None
    dialog: DialogInfo | None = None
    note: str | None = None
    error: str | None = None
