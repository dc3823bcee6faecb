"""What only the browser knows of a document: click listeners and closed shadow roots (DIGEST-16).

It is asked for, and told to the isolated world, before a digest is taken there. Closed roots are looked for in elements
that have something to show and nothing inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from blitzweb.browser.client import Pending
from blitzweb.browser.doing import Doing
from blitzweb.browser.failures import CommandFailed
from blitzweb.browser.frames import Frame
from blitzweb.browser.world import make_world, read_value
from blitzweb.limits import MAX_LISTENERS, MAX_SHADOW_ROOTS

_GROUP: Final = "blitzweb"  # of objects that the browser holds for us while we look
_CLICKS: Final = frozenset({"click", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "dblclick"})


def inspect(doing: Doing, frame: Frame) -> None:
    """Have the world of a frame know what only the browser knows."""
    Inspection(doing, frame).finish()


class Inspection:
    """Asks when it is made, so that its answers are on their way while something else is done; `finish` reads them."""

    def __init__(self, doing: Doing, frame: Frame) -> None:
        self.frame = frame
        self._doing = doing
        self._session = doing.tab.session_of(frame)
        self._world = frame.world
        self._asked = self._ask() if self._world else None

    def finish(self) -> None:
        """Tell the world all of it; what comes too late for the document is asked of the new one."""
        if self._asked is None or self.frame.world != self._world:
            self._world = self.frame.world or make_world(self._doing.tab, self.frame, self._doing.deadline)
            self._asked = self._ask()
        survey, document = self._asked
        try:
            hosts, has_roots = read_value(survey.wait(self._doing.deadline))
            if hosts:
                self._adopt_closed_roots()
            if hosts or has_roots:
                for root in self._list("blitzweb.roots()"):
                    self._note_listeners(self._outside(root))
            else:
                self._note_listeners(self._read_document(document))
        finally:
            self._session.send("Runtime.releaseObjectGroup", objectGroup=_GROUP)  # with the listeners, which are many

    def _ask(self) -> tuple[Pending, Pending]:
        survey = self._session.send(
            "Runtime.evaluate", expression="blitzweb.survey()", contextId=self._world, returnByValue=True
        )
        # A frame that is not the first of its session is asked for its document by way of our world.
        world = {} if self._is_first else {"contextId": self._world}
        return survey, self._session.send("Runtime.evaluate", expression="document", objectGroup=_GROUP, **world)

    @property
    def _is_first(self) -> bool:
        """Tell whether the page's own world of this frame is where its session evaluates by default.

        `document` means the same there whatever the page has done: it can neither be replaced nor hidden.
        """
        outer = self._doing.tab.frames.get(self.frame.parent)
        return outer is None or outer.session != self.frame.session

    def _read_document(self, asked: Pending) -> str | None:
        """Return the browser's name for the document as the page's own world knows it."""
        try:
            found = asked.wait(self._doing.deadline)["result"]
        except CommandFailed:
            return None
        identity = found.get("objectId")
        return identity if self._is_first or identity is None else self._outside(identity)

    def _outside(self, root: str) -> str | None:
        """Return the browser's name, in the page's own world, for a root that our world knows."""
        try:
            node = self._session.call("DOM.describeNode", self._doing.deadline, objectId=root, depth=0)
            theirs = self._session.call(
                "DOM.resolveNode",
                self._doing.deadline,
                backendNodeId=node["node"]["backendNodeId"],
                objectGroup=_GROUP,
            )
        except CommandFailed:
            return None
        return str(theirs["object"]["objectId"])

    def _note_listeners(self, root: str | None) -> None:
        """Tell the world which elements listen for clicks: a page's listeners are not to be seen from there.

        Each root is asked for by itself, as the page's own world knows it. Asked to pierce shadow roots, Chromium would
        tell the listeners of all worlds, but it also enters the controls that it draws itself, and the renderer then
        crashes at a later navigation (seen in 156).
        """
        if root is None:
            return
        try:
            answer = self._session.call("DOMDebugger.getEventListeners", self._doing.deadline, objectId=root, depth=-1)
        except CommandFailed:
            return
        found = (one for one in answer["listeners"] if one["type"] in _CLICKS and "backendNodeId" in one)
        nodes = sorted({one["backendNodeId"] for one in found})
        self._pass_nodes(nodes[:MAX_LISTENERS], "function(...all){all.forEach(blitzweb.noteListener)}")

    def _adopt_closed_roots(self) -> None:
        """Hand the world the closed shadow roots of elements that seem to have one."""
        hosts = self._list("blitzweb.mayHost()")
        described = [self._session.send("DOM.describeNode", objectId=one, depth=0) for one in hosts]
        pairs = []
        for pending in described:
            try:
                node = pending.wait(self._doing.deadline)["node"]
            except CommandFailed:
                continue
            pairs += [
                one
                for root in node.get("shadowRoots", ())
                if root.get("shadowRootType") == "closed"
                for one in (node["backendNodeId"], root["backendNodeId"])
            ]
        self._pass_nodes(pairs, "function(...all){for(let i=0;i<all.length;i+=2)blitzweb.adoptRoot(all[i],all[i+1])}")

    def _list(self, expression: str) -> list[str]:
        """Return the browser's names for the objects in an array of the world's."""
        deadline = self._doing.deadline
        array = self._session.call(
            "Runtime.evaluate", deadline, expression=expression, contextId=self._world, objectGroup=_GROUP
        )["result"]
        listed = self._session.call("Runtime.getProperties", deadline, objectId=array["objectId"], ownProperties=True)
        objects = [one["value"]["objectId"] for one in listed["result"] if one["name"].isdecimal()]
        return objects[:MAX_SHADOW_ROOTS]

    def _pass_nodes(self, nodes: Sequence[int], function: str) -> None:
        """Call a function in the world with nodes that the browser knows by its own numbers."""
        if not nodes:
            return
        context = {"executionContextId": self._world, "objectGroup": _GROUP}
        sent = [self._session.send("DOM.resolveNode", backendNodeId=node, **context) for node in nodes]
        objects = []
        for pending in sent:
            try:
                found = pending.wait(self._doing.deadline)["object"]
            except CommandFailed:
                continue  # gone meanwhile
            if "objectId" in found:  # of another document it is null
                objects.append({"objectId": found["objectId"]})
        self._session.call(
            "Runtime.callFunctionOn",
            self._doing.deadline,
            functionDeclaration=function,
            executionContextId=self._world,
            arguments=objects,
            returnByValue=True,
        )
