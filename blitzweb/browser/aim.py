"""Where on the window an element is, through frames of any depth, and whether a click would reach it (BROWSER-05)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from blitzweb.browser.doing import Doing
from blitzweb.browser.failures import BrowserFailure
from blitzweb.browser.frames import Frame
from blitzweb.browser.locate import Place
from blitzweb.browser.world import make_world, read_value


class Point(NamedTuple):
    """A point of the window, in CSS pixels."""

    x: float
    y: float


class Covered(BrowserFailure):
    """Raised when another element would get the click."""

    def __init__(self, element: str, cover: Mapping[str, Any]) -> None:
        closers = ", ".join(f'"{name}"' for name in cover["closers"])
        closing = f"; what may close it: {closers}" if closers else ""
        super().__init__(f"{element} is covered by {cover['element']}, which would get the click{closing}")


def aim(doing: Doing, place: Place) -> Point:
    """Scroll to an element and return the point to click.

    Raises:
        Covered: something lies over it.
        BrowserFailure: it is disabled, or has no size.
    """
    found = doing.run(place.frame, "aim", place.handle)
    if found["disabled"]:
        raise BrowserFailure(f"{place.element} is disabled: a click does nothing")
    if found["cover"]:
        raise Covered(place.element, found["cover"])
    x, y, cover = found["x"], found["y"], None
    frame = place.frame
    while frame.parent and cover is None:
        outer = doing.tab.frames.get(frame.parent)
        if outer is None:
            break
        at = frame_origin(doing, frame, outer, x, y)
        x, y, cover, frame = at["x"], at["y"], at["cover"], outer
    if cover is not None:
        raise Covered(place.element, cover)
    return Point(x, y)


def frame_origin(doing: Doing, frame: Frame, outer: Frame, x: float, y: float) -> Mapping[str, Any]:
    """Return where a point of a frame is in the frame around it, and what covers it there."""
    tab = doing.tab
    session = tab.session_of(outer)
    owner = session.call("DOM.getFrameOwner", doing.deadline, frameId=frame.id)
    context = outer.world or make_world(tab, outer, doing.deadline)
    node = session.call(
        "DOM.resolveNode", doing.deadline, backendNodeId=owner["backendNodeId"], executionContextId=context
    )
    answer = session.call(
        "Runtime.callFunctionOn",
        doing.deadline,
        functionDeclaration="function(x,y){return blitzweb.frameAt(this,x,y)}",
        objectId=node["object"]["objectId"],
        arguments=[{"value": x}, {"value": y}],
        returnByValue=True,
    )
    session.send("Runtime.releaseObject", objectId=node["object"]["objectId"])
    found: Mapping[str, Any] = read_value(answer)
    return found
