"""The mouse: trusted events, sent together and answered together (BROWSER-05, BROWSER-08)."""

from __future__ import annotations

from typing import Any

from blitzweb.browser.aim import Covered, Point, aim
from blitzweb.browser.client import Pending
from blitzweb.browser.doing import Doing
from blitzweb.browser.locate import Place
from blitzweb.browser.settle import settle_after, settling, take_turn
from blitzweb.browser.world import send_function
from blitzweb.limits import SETTLE_SECONDS

_BUTTONS = {"left": 1, "right": 2, "middle": 4}


def click(doing: Doing, place: Place, *, button: str = "left", count: int = 1) -> Point:
    """Click an element at its centre, and wait until what that started is over; return where it was clicked."""
    with settling(doing):
        point = aim_patiently(doing, place)
        settle_after(doing, press(doing, point, button=button, count=count))
    return point


def press(doing: Doing, point: Point, *, button: str = "left", count: int = 1) -> list[Pending]:
    """Send the events of a click, together."""
    events = [_event(doing, "mouseMoved", point)]
    for number in range(1, count + 1):
        events += [
            _event(doing, kind, point, button=button, clickCount=number) for kind in ("mousePressed", "mouseReleased")
        ]
    return events


def hover(doing: Doing, place: Place) -> Point:
    """Move the mouse over an element."""
    with settling(doing):
        point = aim_patiently(doing, place)
        settle_after(doing, [_event(doing, "mouseMoved", point)])
    return point


def drag(doing: Doing, place: Place, target: Place) -> Point:
    """Drag one element onto another."""
    with settling(doing):
        begin = aim_patiently(doing, place)
        end = aim(doing, target)
        settle_after(
            doing,
            [_event(doing, "mouseMoved", begin), _event(doing, "mousePressed", begin, button="left", clickCount=1)],
        )
        between = [
            Point(begin.x + (end.x - begin.x) * part / 5, begin.y + (end.y - begin.y) * part / 5)
            for part in range(1, 6)
        ]
        settle_after(doing, [_event(doing, "mouseMoved", point, button="left") for point in between])
        settle_after(doing, [_event(doing, "mouseReleased", end, button="left", clickCount=1)])
    return end


def aim_patiently(doing: Doing, place: Place) -> Point:
    """Aim; what is covered gets one more try once the page has settled, since covers come and go with animations."""
    try:
        return aim(doing, place)
    except Covered:
        tab, quiet = doing.tab, doing.deadline.sooner(SETTLE_SECONDS)
        take_turn(doing)
        tab.wait(lambda: not tab.requests.under_way, quiet, doing.cancel)
        still = send_function(
            tab, place.frame, "function(ms){return blitzweb.stilled(ms)}", int(quiet.remaining() * 1000)
        )
        tab.wait(lambda: still.settled, quiet, doing.cancel)
        return aim(doing, place)


def _event(doing: Doing, kind: str, point: Point, **more: Any) -> Pending:
    button = str(more.get("button", "none"))
    pressed = _BUTTONS.get(button, 0) if kind != "mouseReleased" else 0
    return doing.tab.session.send(
        "Input.dispatchMouseEvent", type=kind, x=point.x, y=point.y, buttons=pressed, pointerType="mouse", **more
    )
