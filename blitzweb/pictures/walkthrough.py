"""A walkthrough while it is recorded: a folder of frames, one after each action that may change the page (WEB-37)."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import NamedTuple

from blitzweb.errors import ToolFailure
from blitzweb.statefiles import ensure_private_folder, write_private


class Step(NamedTuple):
    """One action, as a walkthrough tells it; typed text of protected fields is masked by the caller."""

    action: str
    target: str
    url: str
    title: str
    point: tuple[float, float] | None = None
    text: str = ""
    refused: tuple[str, ...] = ()
    seconds: float = 0.0


class Finished(NamedTuple):
    """Where a walkthrough is; `failed` counts frames that could not be taken or written."""

    folder: str
    frames: tuple[str, ...]
    failed: int
    notes: tuple[str, ...]


class Recording:
    """Owned by a workspace."""

    def __init__(self, folder: str, format: str | None) -> None:  # noqa: A002 (the argument's name)
        self.folder = folder
        self._format = format
        self._steps: list[tuple[Step, str]] = []
        self._failed = 0
        self._began = time.monotonic()

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
                    return cls(folder, format)
        except OSError as error:
            raise ToolFailure(f"the walkthrough's folder could not be made in {root} ({error.strerror})") from None
        raise ToolFailure(f"there are 999 walkthroughs of {name} in {root} already")

    def add(self, step: Step, png: bytes | None) -> None:
        """Keep a step with its frame."""
        step = step._replace(seconds=round(time.monotonic() - self._began, 3))
        name = f"{len(self._steps) + 1:03d}-{step.action}.png"
        if png is not None:
            with suppress(OSError):
                write_private(os.path.join(self.folder, name), png)
                self._steps.append((step, name))
                return
        self._failed += 1
        self._steps.append((step, ""))

    def finish(self) -> Finished:
        """Close the walkthrough."""
        frames = tuple(os.path.join(self.folder, name) for _, name in self._steps if name)
        return Finished(self.folder, frames, self._failed, ())
