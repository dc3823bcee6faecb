"""Where the main frame is on its way to another document, from CDP's events (WEB-31, BROWSER-03). Values only.

A click that leads elsewhere is first asked for by the page (requested), then begun by the browser (loading), and over
when the new document's load event came, a kept page was restored, or it came to nothing (204, a download, a refusal).
"""

from __future__ import annotations

from enum import Enum


class Stage(Enum):
    """How far a navigation is."""

    IDLE = "idle"
    REQUESTED = "requested"
    LOADING = "loading"


class Navigation:
    """The main frame's; owned by a tab, which locks."""

    __slots__ = ("_loaded", "begun", "committed", "loader", "restored", "shown", "stage")

    def __init__(self) -> None:
        self.stage = Stage.IDLE
        self.loader = ""  # of the document that is being loaded
        self.begun = 0  # how many navigations there have been: only what is begun after an action is the action's
        self.committed = 0  # how many documents have been shown
        self.restored = False  # whether the last one came from the back/forward cache
        self.shown = ""  # the document that is shown
        self._loaded = ""

    @property
    def over(self) -> bool:
        """Tell whether nothing is on its way."""
        return self.stage is Stage.IDLE

    def is_shown(self, loader: str) -> bool:
        """Tell whether this very document is shown, and has loaded or stopped."""
        return self.shown == loader and (self._loaded == loader or self.over)

    def request(self) -> None:
        """The page asked for one."""
        if self.stage is Stage.IDLE:
            self.stage = Stage.REQUESTED

    def begin(self, loader: str = "") -> None:
        """The browser began one."""
        if self.stage is not Stage.LOADING:
            self.begun += 1
        self.stage = Stage.LOADING
        self.loader = loader or self.loader

    def commit(self, loader: str, *, restored: bool) -> None:
        """Its document is shown."""
        self.committed += 1
        self.shown = loader
        self.restored = restored
        if restored:
            self.stage = Stage.IDLE
        elif self.stage is Stage.LOADING:
            self.loader = loader
        if self._loaded == loader:
            self._finish(loader)

    def load(self, loader: str) -> None:
        """A document's load event came."""
        self._loaded = loader
        self._finish(loader)

    def stop(self) -> None:
        """The frame has stopped loading, with or without a new document."""
        self.stage = Stage.IDLE

    def give_up_request(self) -> None:
        """What was asked for was not begun: the page took it back, or Chrome refused it."""
        if self.stage is Stage.REQUESTED:
            self.stage = Stage.IDLE

    def _finish(self, loader: str) -> None:
        if self.stage is Stage.LOADING and loader == self.loader:
            self.stage = Stage.IDLE
