"""Scrolling (BROWSER-08)."""

from __future__ import annotations

from blitzweb.browser.doing import Doing
from blitzweb.browser.locate import Place
from blitzweb.browser.settle import settling


def scroll(doing: Doing, place: Place | None, dx: float, dy: float) -> str:
    """Bring an element into view, and scroll by some pixels; return where the page is now."""
    frame = doing.tab.frames.main if place is None else place.frame
    with settling(doing):
        at = doing.run(frame, "scrollBy", None if place is None else place.handle, dx, dy)
    below = max(0, at["height"] - at["y"] - at["viewHeight"])
    return f"the page is at {at['x']}, {at['y']} of {at['width']} x {at['height']} pixels; {below} are below the window"
