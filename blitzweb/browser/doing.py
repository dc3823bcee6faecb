"""What one action is done with: its tab, its clock, and the ways to ask and to be stopped."""

from __future__ import annotations

from typing import Any, NamedTuple

from blitzweb.browser.frames import Frame
from blitzweb.browser.tab import Tab
from blitzweb.browser.world import run
from blitzweb.timing import CancelToken, Deadline


class Doing(NamedTuple):
    """`deadline` is the whole call's, `load_seconds` what a load may take of it."""

    tab: Tab
    deadline: Deadline
    cancel: CancelToken
    load_seconds: float

    @property
    def load_deadline(self) -> Deadline:
        """Return the limit of a load that begins now."""
        return self.deadline.sooner(self.load_seconds)

    def run(self, frame: Frame, name: str, *arguments: Any) -> Any:
        """Call a function of ours in a frame; see `world.run`."""
        return run(self.tab, frame, name, *arguments, deadline=self.deadline)
