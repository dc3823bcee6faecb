"""What goes wrong with Chrome, and how a model is told: the one place where CDP's errors become ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from blitzweb.errors import ToolFailure


class BrowserFailure(ToolFailure):
    """The root: an action could not be done; the text is for the model."""


class BrowserGone(BrowserFailure):
    """Raised when the connection to Chrome has ended: it crashed, was killed or was closed."""

    def __init__(self, why: str) -> None:
        super().__init__(
            f"the browser is gone ({why}); what it showed is lost", advice="the next action starts a new browser"
        )


class PageCrashed(BrowserFailure):
    """Raised when the page's renderer crashed."""

    def __init__(self) -> None:
        super().__init__("the page crashed; what it showed is lost", advice="navigate to load it again")


class PageClosed(BrowserFailure):
    """Raised when the tab was closed under an action."""

    def __init__(self) -> None:
        super().__init__("the tab was closed while the action ran", advice="tabs lists what is open")


class CommandFailed(BrowserFailure):
    """Raised when Chrome says that a command cannot be done; `code` and `text` are its own."""

    def __init__(self, method: str, error: Mapping[str, Any]) -> None:
        self.code = error.get("code", 0)
        self.text = str(error.get("message", ""))
        detail = f" {error['data']}" if error.get("data") else ""
        super().__init__(f"Chrome could not do {method}: {self.text}{detail}")


class CommandTimedOut(BrowserFailure):
    """Raised when Chrome did not answer a command in time: the page is busy, or the call's time is up."""

    def __init__(self, method: str) -> None:
        self.method = method
        super().__init__(f"the page did not answer in time ({method})", advice="it may be busy: wait, or navigate anew")


class DialogOpened(Exception):
    """Ends what waits for a page that has opened a dialog: nothing in it goes on until that is answered."""


class ScriptFailed(BrowserFailure):
    """Raised when a script of the model or a function of ours threw in the page."""


class ElementGone(BrowserFailure):
    """Raised when an element that was found is no longer in the page."""

    def __init__(self) -> None:
        super().__init__("the element is no longer in the page: the page has changed", advice="look at the page again")
