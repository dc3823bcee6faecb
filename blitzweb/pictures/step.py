"""One action of a walkthrough, and how `walkthrough.json` tells it (BROWSER-09). Values only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

_VERSION: Final = 1  # of walkthrough.json


class Step(NamedTuple):
    """One action, as a walkthrough tells it; typed text of protected fields is masked by the caller."""

    action: str
    target: str
    url: str
    title: str
    point: tuple[float, float] | None = None  # where the mouse went, in pixels of the frame
    text: str = ""
    refused: tuple[str, ...] = ()
    seconds: float = 0.0  # since the recording began
    frame: str = ""  # a file's name; empty if it could not be taken or written


def tell(began: str, steps: Iterable[Step]) -> dict[str, Any]:
    """Return what `walkthrough.json` holds; what does not apply is null."""
    return {"version": _VERSION, "began": began, "steps": [_tell_step(step) for step in steps]}


def _tell_step(step: Step) -> dict[str, Any]:
    return {
        "action": step.action,
        "target": step.target or None,
        "text": step.text or None,
        "url": step.url,
        "title": step.title,
        "time": step.seconds,
        "frame": step.frame or None,
        "point": {"x": step.point[0], "y": step.point[1]} if step.point else None,
        "refused": list(step.refused),
    }
