"""Giving files to a page's file field, a hidden one behind its label or button too (BROWSER-08)."""

from __future__ import annotations

from collections.abc import Sequence

from blitzweb.browser.doing import Doing
from blitzweb.browser.failures import BrowserFailure
from blitzweb.browser.locate import locate_any
from blitzweb.browser.settle import settling
from blitzweb.browser.world import make_world

_FIND = "function(handle){return blitzweb.fileInput(handle)}"


def give_files(doing: Doing, selector: str, paths: Sequence[str]) -> str:
    """Put files into the field that a selector means; return what the field looks like.

    Raises:
        BrowserFailure: it is no file field, nor does it have one of its own.
    """
    place, tab = locate_any(doing, selector), doing.tab
    session = tab.session_of(place.frame)
    context = place.frame.world or make_world(tab, place.frame, doing.deadline)
    found = session.call(
        "Runtime.callFunctionOn",
        doing.deadline,
        functionDeclaration=_FIND,
        executionContextId=context,
        arguments=[{"value": place.handle}],
    )["result"]
    if "objectId" not in found:
        raise BrowserFailure(f"{place.element} takes no files", advice="select the <input type=file> of the form")
    with settling(doing):
        session.call("DOM.setFileInputFiles", doing.deadline, files=list(paths), objectId=found["objectId"])
    return place.element
