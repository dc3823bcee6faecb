"""Looks at a page as a person would: what could be used in all its frames, in page order, and its text (DIGEST-16).

One pass per frame, in the isolated world, after what only the browser knows has been asked of it (`inspection`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from blitzweb.browser.doing import Doing
from blitzweb.browser.failures import BrowserFailure, CommandFailed, ElementGone
from blitzweb.browser.frames import Frame
from blitzweb.browser.inspection import Inspection
from blitzweb.browser.world import read_value, send_function
from blitzweb.limits import PAGE_ANSWER_SECONDS


class Element(NamedTuple):
    """One thing that could be used. `through` is the label that a hidden checkbox is used by, `mark` where it is."""

    frame: Frame
    world: int  # a handle means something in this world alone
    handle: int
    mark: str  # before, here, after: of the window
    through: int | None = None

    @property
    def identity(self) -> tuple[str, int, int]:
        """What tells it from every other one, for as long as its document stands."""
        return (self.frame.id, self.world, self.handle)


class PageText(NamedTuple):
    """The beginning of what a person sees, and how many characters there are in all."""

    text: str
    total: int


class Look(NamedTuple):
    """One look at a page. `listed` is what there is to say of the elements to list, by index."""

    elements: list[Element]
    listed: dict[int, Mapping[str, Any]]
    text: PageText


def look(doing: Doing, begun: Inspection, limit: int, text_limit: int) -> Look:
    """Look at all that could be used, in page order, what is in frames where they are; tell of `limit` of it.

    The inspection of the main frame has `begun`.
    """
    seen = _look_into(doing, begun, limit, text_limit)
    if seen.listed or not seen.elements:
        return seen
    shown = choose(seen.elements, limit)
    told = tell(doing, [seen.elements[index] for index in shown])
    return seen._replace(listed={index: one for index, one in zip(shown, told, strict=True) if one is not None})


def choose(elements: Sequence[Element], limit: int) -> range:
    """Return the indices to list: all, or as many as are wanted from the window on, in page order."""
    total = len(elements)
    first = next((index for index, element in enumerate(elements) if element.mark != "before"), 0)
    begin = max(0, min(first, total - limit))
    return range(begin, min(total, begin + limit))


def _look_into(doing: Doing, begun: Inspection, limit: int, text_limit: int) -> Look:
    frame = begun.frame
    try:
        begun.finish()
        found = doing.run(frame, "collect", limit, text_limit)
        inner = _frames_inside(doing, frame, [handle for handle, mark, _ in found["elements"] if mark == "frame"])
    except BrowserFailure:
        if not frame.parent:
            raise
        return Look([], {}, PageText("", 0))  # a frame that went away, or is busy, has nothing
    text = PageText(found["text"]["text"], found["text"]["total"])
    elements = []
    for handle, mark, through in found["elements"]:
        if mark != "frame":
            elements.append(Element(frame, frame.world, handle, mark, through))
        elif handle in inner:
            begun = Inspection(doing, inner[handle])
            seen = _look_into(doing, begun, limit, max(0, text_limit - len(text.text)))
            elements += seen.elements
            text = PageText(f"{text.text} {seen.text.text}".strip(), text.total + seen.text.total)
    return Look(elements, dict(enumerate(found["told"], found["begin"])), text)


def _frames_inside(doing: Doing, frame: Frame, handles: list[int]) -> dict[int, Frame]:
    """Return which frame each <iframe> element holds."""
    tab = doing.tab
    with tab.changed:
        children = tab.frames.children(frame)
    if not handles or not children:
        return {}
    session = tab.session_of(frame)
    found = {}
    for child in children:
        try:
            owner = session.call("DOM.getFrameOwner", doing.deadline, frameId=child.id)
            node = session.call(
                "DOM.resolveNode",
                doing.deadline,
                backendNodeId=owner["backendNodeId"],
                executionContextId=frame.world,
            )
            answer = session.call(
                "Runtime.callFunctionOn",
                doing.deadline,
                functionDeclaration="function(handles){return blitzweb.indexOf(this,handles)}",
                objectId=node["object"]["objectId"],
                arguments=[{"value": handles}],
                returnByValue=True,
            )
        except CommandFailed:
            continue
        index = read_value(answer)
        if index is not None and index >= 0:
            found[handles[index]] = child
    return found


def tell(doing: Doing, elements: Sequence[Element]) -> list[Mapping[str, Any] | None]:
    """Return what there is to say of elements, as `describe` of js/digest.js; None for one that has gone."""
    told: dict[Element, Mapping[str, Any] | None] = {}
    for frame in dict.fromkeys(element.frame for element in elements):
        mine = [element for element in elements if element.frame is frame]
        try:
            answers = doing.run(frame, "tell", [[one.handle, one.through] for one in mine])
        except BrowserFailure:
            answers = [None] * len(mine)
        told.update(zip(mine, answers, strict=True))
    return [told[element] for element in elements]


def check(element: Element) -> None:
    """Raise if an element is of a document that is no longer shown.

    Raises:
        ElementGone: it is.
    """
    if element.frame.world != element.world:
        raise ElementGone


def find_text(doing: Doing, pattern: str, elements: Sequence[Element], limit: int) -> tuple[list[dict[str, Any]], int]:
    """Return where a text stands, with the indices of the elements nearest to each place, and how often it does."""
    matches: list[dict[str, Any]] = []
    total = 0
    for frame in doing.tab.all_frames():
        mine = [(index, one) for index, one in enumerate(elements) if one.frame is frame and one.world == frame.world]
        if not frame.world:
            continue
        try:
            found = doing.run(frame, "findText", pattern, [one.handle for _, one in mine], max(0, limit - len(matches)))
        except BrowserFailure:
            continue
        total += found["total"]
        matches += [{"text": one["text"], "near": [mine[near][0] for near in one["near"]]} for one in found["matches"]]
    return matches, total


def await_quiet(doing: Doing, frames: Iterable[Frame], quiet_ms: int, longest_ms: int) -> None:
    """Wait until no frame has changed for a while, or for as long as is allowed."""
    pending = []
    for frame in frames:
        if not frame.world:
            continue
        settled = "function(a,b){return blitzweb.settled(a,b)}"
        one = send_function(doing.tab, frame, settled, quiet_ms, longest_ms)
        pending.append(one)
    limit = doing.deadline.sooner(longest_ms / 1000 + PAGE_ANSWER_SECONDS)
    doing.tab.wait(lambda: all(one.settled for one in pending), limit, doing.cancel)
