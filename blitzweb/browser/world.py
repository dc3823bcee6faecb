"""Functions of ours in a frame's isolated world, which its page can neither see nor change (DIGEST-18)."""

from __future__ import annotations

from functools import cache
from pkgutil import get_data
from typing import Any, Final

from blitzweb.browser.client import Pending
from blitzweb.browser.failures import CommandFailed, ElementGone, ScriptFailed
from blitzweb.browser.frames import Frame
from blitzweb.browser.tab import Tab
from blitzweb.limits import CDP_ANSWER_SECONDS
from blitzweb.timing import Deadline

WORLD: Final = "blitzweb"
_CALL: Final = "function(name,args){return blitzweb.call(name,args)}"
_STALE: Final = ("Cannot find context", "Execution context was destroyed", "context with specified id")


@cache
def source() -> str:
    """Return what is installed into a world: all of `js/`, which costs a document no more than its first half."""
    files = (get_data("blitzweb.browser", f"js/{name}") or b"" for name in ("page.js", "digest.js"))
    return b"\n".join(files).decode()


def run(tab: Tab, frame: Frame, name: str, *arguments: Any, deadline: Deadline | None = None) -> Any:
    """Call a function of `js/` in a frame; arguments and result are JSON.

    Raises:
        ElementGone: a handle stands for an element that is no longer in the page.
        CommandFailed, ScriptFailed, …: the frame is gone, or the function failed.
    """
    limit = deadline or Deadline(CDP_ANSWER_SECONDS)
    for last in (False, True):
        context = frame.world or make_world(tab, frame, limit)
        try:
            return _call(tab, frame, context, (name, arguments), limit)
        except CommandFailed as failed:
            if last or not any(text in failed.text for text in _STALE):
                raise
            frame.world = 0  # the document has changed under us
    raise AssertionError("the loop returns or raises")


def make_world(tab: Tab, frame: Frame, deadline: Deadline) -> int:
    """Make the isolated world in a frame that has none yet."""
    session = tab.session_of(frame)
    made = session.call("Page.createIsolatedWorld", deadline, frameId=frame.id, worldName=WORLD)
    context = int(made["executionContextId"])
    session.call("Runtime.evaluate", deadline, expression=source(), contextId=context)
    frame.world = context
    return context


def _call(tab: Tab, frame: Frame, context: int, what: tuple[str, Any], deadline: Deadline) -> Any:
    name, arguments = what
    answer = tab.session_of(frame).call(
        "Runtime.callFunctionOn",
        deadline,
        functionDeclaration=_CALL,
        executionContextId=context,
        arguments=[{"value": name}, {"value": arguments}],
        returnByValue=True,
    )
    return read_value(answer)


def send_function(tab: Tab, frame: Frame, function: str, *arguments: Any) -> Pending:
    """Send a function of ours that takes its time to a frame whose world stands; its promise settles the answer."""
    pending = tab.session_of(frame).send(
        "Runtime.callFunctionOn",
        functionDeclaration=function,
        executionContextId=frame.world,
        arguments=[{"value": argument} for argument in arguments],
        awaitPromise=True,
        returnByValue=True,
    )
    pending.notify = tab.wake
    return pending


def read_value(answer: Any) -> Any:
    """Return the value of an answer of Runtime's."""
    if details := answer.get("exceptionDetails"):
        said = str(details.get("exception", {}).get("description") or details.get("text", ""))
        raise ElementGone if "blitzweb: gone" in said else ScriptFailed(said)
    return answer.get("result", {}).get("value")
