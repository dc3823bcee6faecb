"""What stands beside a walkthrough's frames: its story, the page that plays it, an animation, a video (WEB-37).

Nothing here raises: a walkthrough without one of them is still a walkthrough, and a note says which one and why.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from typing import Final

from blitzweb.limits import MAX_ANIMATION_BYTES
from blitzweb.pictures.apng import splice
from blitzweb.pictures.player import render
from blitzweb.pictures.step import Step, tell
from blitzweb.pictures.video import make_video
from blitzweb.statefiles import write_private

STORY: Final = "walkthrough.json"
PLAYER: Final = "index.html"
ANIMATION: Final = "walkthrough.png"


def write_beside(
    folder: str, began: str, steps: Sequence[Step], video: str | None, video_seconds: float
) -> tuple[str, ...]:
    """Write the files; return what could not be done. `video` is "gif", "webm" or None."""
    story = tell(began, steps)
    notes = [
        *_write(folder, STORY, json.dumps(story, ensure_ascii=False, indent=1) + "\n"),
        *_write(folder, PLAYER, render(story, os.path.basename(folder))),
    ]
    frames = [step.frame for step in steps if step.frame]
    if frames:
        notes += _animate(folder, frames)
        if video in {"gif", "webm"}:
            notes += _add_video(folder, video, video_seconds)
    return tuple(notes)


def _animate(folder: str, frames: Sequence[str]) -> Iterator[str]:
    pngs, total = [], 0
    for name in frames:
        try:
            with open(os.path.join(folder, name), "rb") as file:
                png = file.read(MAX_ANIMATION_BYTES - total + 1)
        except OSError:
            continue  # counted as left out
        total += len(png)
        if total > MAX_ANIMATION_BYTES:
            break
        pngs.append(png)
    animation = splice(pngs)
    left_out = len(frames) - len(pngs) + animation.left_out
    if left_out:
        reason = "another size or colour type, or too many bytes"
        yield f"{left_out} of {len(frames)} frames are not in {ANIMATION}: {reason}"
    if animation.data:
        yield from _write(folder, ANIMATION, animation.data)


def _add_video(folder: str, form: str, seconds: float) -> Iterator[str]:
    if not os.path.isfile(os.path.join(folder, ANIMATION)):
        yield f"there is no walkthrough.{form}: it is made of {ANIMATION}"
    elif note := make_video(folder, ANIMATION, form, seconds):
        yield note


def _write(folder: str, name: str, content: str | bytes) -> Iterator[str]:
    try:
        write_private(
            os.path.join(folder, name), content.encode(errors="replace") if isinstance(content, str) else content
        )
    except OSError as error:
        yield f"{name} could not be written ({error.strerror})"
