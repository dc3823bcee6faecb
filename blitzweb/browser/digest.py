"""Looks at a page as a person would: what could be used in all its frames, in page order, and its text (DIGEST-16).

One pass per frame, in the isolated world. What only the browser knows is asked of it first: click listeners, and the
closed shadow roots of elements that have something to show and nothing inside.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from blitzweb.browser.doing import Doing
from blitzweb.browser.failures import BrowserFailure, CommandFailed, ElementGone
from blitzweb.browser.frames import Frame
from blitzweb.browser.world import make_world, read_value, send_function, source
from blitzweb.limits import MAX_LISTENERS, MAX_SHADOW_ROOTS, PAGE_ANSWER_SECONDS

_GROUP: Final = "blitzweb"  # of objects that the browser holds for us while we look
_CLICKS: Final = frozenset({"click", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "dblclick"})


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


def look(doing: Doing, limit: int, text_limit: int) -> Look:
    """Look at all that could be used, in page order, what is in frames where they are; tell of `limit` of it."""
    seen = _look_into(doing, doing.tab.frames.main, limit, text_limit)
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


def _look_into(doing: Doing, frame: Frame, limit: int, text_limit: int) -> Look:
    try:
        prepare(doing, frame)
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
            seen = _look_into(doing, inner[handle], limit, max(0, text_limit - len(text.text)))
            elements += seen.elements
            text = PageText(f"{text.text} {seen.text.text}".strip(), text.total + seen.text.total)
    return Look(elements, dict(enumerate(found["told"], found["begin"])), text)


def prepare(doing: Doing, frame: Frame) -> None:
    """Have what a digest takes in a frame's world, and what only the browser knows of it."""
    world = frame.world or make_world(doing.tab, frame, doing.deadline)
    session = doing.tab.session_of(frame)
    if frame.digest_world != world:
        session.send("Runtime.evaluate", expression=source("digest.js"), contextId=world)
        frame.digest_world = world
    survey = session.send("Runtime.evaluate", expression="blitzweb.survey()", contextId=world, returnByValue=True)
    try:
        hosts, roots = read_value(survey.wait(doing.deadline))
        if hosts:
            _adopt_closed_roots(doing, frame)
        for root in _list(doing, frame, "blitzweb.roots()") if hosts or roots > 1 else [_document(doing, frame)]:
            _note_listeners(doing, frame, root)
    finally:
        session.send("Runtime.releaseObjectGroup", objectGroup=_GROUP)  # with the listeners' functions, which are many


def _document(doing: Doing, frame: Frame) -> str:
    """Return the browser's name for a frame's document, as our world knows it."""
    answer = doing.tab.session_of(frame).call(
        "Runtime.evaluate", doing.deadline, expression="document", contextId=frame.world, objectGroup=_GROUP
    )
    return str(answer["result"]["objectId"])


def _note_listeners(doing: Doing, frame: Frame, root: str) -> None:
    """Tell the world which elements listen for clicks: a page's listeners are not to be seen from there.

    Each root is asked for by itself, as the page's own world knows it. Asked to pierce shadow roots, Chromium would
    tell the listeners of all worlds, but it also enters the controls that it draws itself, and the renderer then
    crashes at a later navigation (seen in 156).
    """
    session = doing.tab.session_of(frame)
    try:
        node = session.call("DOM.describeNode", doing.deadline, objectId=root, depth=0)["node"]["backendNodeId"]
        theirs = session.call("DOM.resolveNode", doing.deadline, backendNodeId=node, objectGroup=_GROUP)["object"]
        answer = session.call("DOMDebugger.getEventListeners", doing.deadline, objectId=theirs["objectId"], depth=-1)
    except CommandFailed:
        return
    nodes = {one["backendNodeId"] for one in answer["listeners"] if one["type"] in _CLICKS and "backendNodeId" in one}
    _pass_nodes(doing, frame, sorted(nodes)[:MAX_LISTENERS], "function(...all){all.forEach(blitzweb.noteListener)}")


def _adopt_closed_roots(doing: Doing, frame: Frame) -> None:
    """Hand the world the closed shadow roots of elements that seem to have one."""
    session = doing.tab.session_of(frame)
    hosts = _list(doing, frame, "blitzweb.mayHost()")
    described = [session.send("DOM.describeNode", objectId=one, depth=0) for one in hosts]
    pairs = []
    for pending in described:
        try:
            node = pending.wait(doing.deadline)["node"]
        except CommandFailed:
            continue
        pairs += [
            one
            for root in node.get("shadowRoots", ())
            if root.get("shadowRootType") == "closed"
            for one in (node["backendNodeId"], root["backendNodeId"])
        ]
    adopt = "function(...all){for(let i=0;i<all.length;i+=2)blitzweb.adoptRoot(all[i],all[i+1])}"
    _pass_nodes(doing, frame, pairs, adopt)


def _list(doing: Doing, frame: Frame, expression: str) -> list[str]:
    """Return the browser's names for the objects in an array of the world's."""
    session = doing.tab.session_of(frame)
    array = session.call(
        "Runtime.evaluate", doing.deadline, expression=expression, contextId=frame.world, objectGroup=_GROUP
    )["result"]
    listed = session.call("Runtime.getProperties", doing.deadline, objectId=array["objectId"], ownProperties=True)
    objects = [one["value"]["objectId"] for one in listed["result"] if one["name"].isdecimal()]
    return objects[:MAX_SHADOW_ROOTS]


def _pass_nodes(doing: Doing, frame: Frame, nodes: Sequence[int], function: str) -> None:
    """Call a function in the world with nodes that the browser knows by its own numbers."""
    if not nodes:
        return
    session = doing.tab.session_of(frame)
    context = {"executionContextId": frame.world, "objectGroup": _GROUP}
    sent = [session.send("DOM.resolveNode", backendNodeId=node, **context) for node in nodes]
    objects = []
    for pending in sent:
        try:
            found = pending.wait(doing.deadline)["object"]
        except CommandFailed:
            continue  # gone meanwhile
        if "objectId" in found:  # of another document it is null
            objects.append({"objectId": found["objectId"]})
    session.call(
        "Runtime.callFunctionOn",
        doing.deadline,
        functionDeclaration=function,
        executionContextId=frame.world,
        arguments=objects,
        returnByValue=True,
    )


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
        if not frame.world or frame.digest_world != frame.world:
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
        if not frame.world or frame.digest_world != frame.world:
            continue
        settled = "function(a,b){return blitzweb.settled(a,b)}"
        one = send_function(doing.tab, frame, settled, quiet_ms, longest_ms)
        pending.append(one)
    limit = doing.deadline.sooner(longest_ms / 1000 + PAGE_ANSWER_SECONDS)
    doing.tab.wait(lambda: all(one.settled for one in pending), limit, doing.cancel)
