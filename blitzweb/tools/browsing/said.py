"""What an action has to say, before it becomes a result."""

from __future__ import annotations

from dataclasses import dataclass, field

from blitzweb.contract.browser import TabInfo
from blitzweb.contract.calls import ImageInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Members that do not apply are None. `point` is where the mouse went, for the walkthrough."""

    text: str | None = None
    result: str | None = None
    truncated: bool | None = None
    tabs: tuple[TabInfo, ...] | None = None
    recording: str | None = None
    frames: tuple[str, ...] | None = None
    images: tuple[ImageInfo, ...] = field(default=())
    notes: tuple[str, ...] = field(default=())
    point: tuple[float, float] | None = None
    typed: str = ""  # as a walkthrough may show it
