"""`tools/list` and `tools/call` (WIRE-29, WIRE-31)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from blitzweb.contract.shapes import Length, Range
from blitzweb.limits import MAX_TIMEOUT_MS
from blitzweb.policy.context import CallContext


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolsListParams:
    """Which turn the list is for."""

    context: Annotated[CallContext, "narrows what is on offer"] = field(default_factory=CallContext)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAnnotations:
    """Hints for the host."""

    read_only: Annotated[bool, "it changes nothing"]
    open_world: Annotated[bool, "it reaches beyond this machine"]
    may_ask: Annotated[bool, "it may send approval/request"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolInfo:
    """One tool, ready to hand to a model."""

    name: str
    title: str
    description: str
    input_schema: Annotated[Mapping[str, Any], "JSON Schema of the arguments"]
    output_schema: Annotated[Mapping[str, Any], "JSON Schema of output"]
    group: str
    annotations: ToolAnnotations


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolsListResult:
    """The tools on offer, in stable order."""

    tools: tuple[ToolInfo, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolsCallParams:
    """One call of a tool."""

    name: Annotated[str, Length(1), "a name of tools/list"]
    arguments: Annotated[Mapping[str, Any], "as the tool's input_schema says"] = field(default_factory=dict)
    context: Annotated[CallContext, "who calls, and what the turn allows"] = field(default_factory=CallContext)
    timeout_ms: Annotated[int | None, Range(1, MAX_TIMEOUT_MS), "the tool's own deadline if absent"] = None
    progress_token: Annotated[str | int | None, "comes back in $/progress"] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageInfo:
    """A picture that goes with a result; its bytes are in the file."""

    uri: Annotated[str, "blitzweb-image: and the hash of the bytes"]
    path: str
    mime_type: str
    width: int
    height: int
    bytes: int
    audience: Annotated[Literal["assistant", "user"], "who should see it"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolsCallResult:
    """What a tool has to say. Refusals and failures that a model can act on are results with `is_error`."""

    output: Annotated[Mapping[str, Any], "the tool's own object, as its output_schema says"]
    text: Annotated[str, "what the model should read"]
    images: tuple[ImageInfo, ...] = ()
    is_error: bool = False
