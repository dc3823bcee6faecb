"""Where an action takes place: the workspace and its Chrome, what the settings allow, and whom to ask."""

from __future__ import annotations

from dataclasses import dataclass

from blitzweb.browser.capture import Bounds
from blitzweb.browser.chrome import Chrome
from blitzweb.browser.doing import Doing
from blitzweb.browser.locate import Place, locate
from blitzweb.browser.workspace import Workspace
from blitzweb.pictures.store import ImageStore
from blitzweb.policy.decide import Policy
from blitzweb.settings.tables import Browser, Files
from blitzweb.timing import Deadline
from blitzweb.tools.call import Call


@dataclass(frozen=True, slots=True, kw_only=True)
class Equipment:
    """What the settings give to every action; made with the world."""

    policy: Policy
    browser: Browser
    files: Files
    images: ImageStore
    bounds: Bounds  # of a picture for a model
    walkthroughs: str  # the folder
    screenshots: str  # likewise
    load_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One action's."""

    equipment: Equipment
    workspace: Workspace
    chrome: Chrome
    call: Call
    deadline: Deadline

    @property
    def doing(self) -> Doing:
        """Return what the browser's functions take, for the active tab."""
        tab = self.chrome.usable_tab(self.deadline)
        return Doing(tab, self.deadline, self.call.cancel, self.equipment.load_seconds)

    def locate(self, selector: str) -> Place:
        """Return the element that a selector means."""
        return locate(self.doing, selector)

    def locate_if(self, selector: str | None) -> Place | None:
        """Return the element that a selector means, if there is one."""
        return self.locate(selector) if selector else None
