"""A walkthrough while it is recorded: a folder of frames, one after each action that may change the page (WEB-37)."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import NamedTuple

from blitzweb.errors import ToolFailure
from blitzweb.limits import VIDEO_SECONDS
from blitzweb.pictures.beside import write_beside
from blitzweb.pictures.step import Step
from blitzweb.statefiles import ensure_private_folder, write_private


class Finished(NamedTuple):
    """Where a walkthrough is; `failed` counts frames that could not be taken or written."""

    folder: str
    frames: tuple[str, ...]
    failed: int
    notes: tuple[str, ...]

    @property
    def troubles(self) -> tuple[str, ...]:
        """All that is to be said of what could not be done."""
        return (*self.notes, f"frames that could not be taken: {self.failed}") if self.failed else self.notes


class Recording:
    """Owned by a workspace, whose calls take turns."""

    def __init__(self, folder: str, format: str | None, now: time.struct_time) -> None:  # noqa: A002 (the argument's name)
        self.folder = folder
        self._format = format
        self._steps: list[Step] = []
        self._began = time.monotonic()
        self._began_at = time.strftime("%Y-%m-%dT%H:%M:%S%z", now)
        self._finished: Finished | None = None

    @classmethod
    def start(cls, root: str, *, now: time.struct_time, format: str | None = None) -> Recording:  # noqa: A002
        """Make the folder of a new walkthrough."""
        name = time.strftime("%Y%m%d-%H%M%S", now)
        try:
            ensure_private_folder(root)
            for number in range(1, 1000):
                folder = os.path.join(root, name if number == 1 else f"{name}-{number}")
                with suppress(FileExistsError):
                    os.mkdir(folder, 0o700)
                    return cls(folder, format, now)
        except OSError as error:
            raise ToolFailure(f"the walkthrough's folder could not be made in {root} ({error.strerror})") from None
        raise ToolFailure(f"there are 999 walkthroughs of {name} in {root} already")

    def add(self, step: Step, png: bytes | None) -> None:
        """Keep a step with its frame; None where none could be taken."""
        name = ""
        if png is not None:
            name = f"{len(self._steps) + 1:03d}-{step.action}.png"
            try:
                write_private(os.path.join(self.folder, name), png)
            except OSError:
                name = ""  # counted, and said at the end
        seconds = round(time.monotonic() - self._began, 3)
        self._steps.append(step._replace(seconds=seconds, frame=name))

    def finish(self, *, video_seconds: float = VIDEO_SECONDS) -> Finished:
        """Close the walkthrough: write what stands beside its frames. A second call changes nothing."""
        if self._finished is None:
            notes = write_beside(self.folder, self._began_at, self._steps, self._format, video_seconds)
            frames = tuple(os.path.join(self.folder, step.frame) for step in self._steps if step.frame)
            self._finished = Finished(self.folder, frames, len(self._steps) - len(frames), notes)
        return self._finished
