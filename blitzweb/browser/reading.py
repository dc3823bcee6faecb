"""Reading the page: text, markup, and what a script returns; all cut in the page, at 100 KiB (WEB-31, WEB-35)."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from blitzweb.browser.doing import Doing
from blitzweb.browser.failures import BrowserFailure, CommandFailed, CommandTimedOut, ScriptFailed
from blitzweb.browser.locate import Place
from blitzweb.browser.settle import settling
from blitzweb.browser.world import read_value
from blitzweb.limits import MAX_CONTENT_BYTES
from blitzweb.timing import Deadline


class Cut(NamedTuple):
    """A text, and whether there was more of it."""

    text: str
    truncated: bool


def read_text(doing: Doing, place: Place | None) -> Cut:
    """Return the visible text of an element, or of the page with the frames in it."""
    if place is not None:
        return _cut(doing.run(place.frame, "read", place.handle, MAX_CONTENT_BYTES))
    whole = Cut("", truncated=False)
    for frame in doing.tab.all_frames():
        left = MAX_CONTENT_BYTES - len(whole.text.encode("utf-8", "replace"))
        if left <= 0:
            return Cut(whole.text, truncated=True)
        try:
            part = _cut(doing.run(frame, "read", None, left))
        except BrowserFailure:
            if not frame.parent:
                raise
            continue
        heading = f"\n\n--- frame {frame.url[:200]} ---\n" if frame.parent else ""
        if part.text.strip():
            whole = Cut(f"{whole.text}{heading}{part.text}", whole.truncated or part.truncated)
    return whole


def read_html(doing: Doing, place: Place | None) -> Cut:
    """Return the markup of an element, or of the page, without the values of protected fields."""
    frame = doing.tab.frames.main if place is None else place.frame
    return _cut(doing.run(frame, "html", None if place is None else place.handle, MAX_CONTENT_BYTES))


def run_script(doing: Doing, script: str) -> Cut:
    """Run an expression in the page; its awaited value as it is if it is a text, else as JSON.

    Raises:
        ScriptFailed: it threw, or has no JSON value.
        CommandTimedOut: it did not end within the call's time, and was ended; the page stays usable.
    """
    with settling(doing):
        answer = _evaluate(doing, script)
        return _cut(answer)


# The value is cut in the page. An expression may be a statement too: `eval` takes both, and gives the last value.
_SCRIPT = """(async () => {
  const value = await (0, eval)(%s);
  const told = () => value === undefined ? "undefined" : JSON.stringify(value) ?? String(value);
  const text = typeof value === "string" ? value : told();
  const limit = %d;
  if (text.length * 3 <= limit) return { text, truncated: false };
  const bytes = new TextEncoder().encode(text.slice(0, limit));
  if (bytes.length <= limit && text.length <= limit) return { text, truncated: false };
  let end = Math.min(limit, bytes.length);
  while (end > 0 && (bytes[end] & 0xc0) === 0x80) end--;
  return { text: new TextDecoder().decode(bytes.subarray(0, end)), truncated: true };
})()"""


def _evaluate(doing: Doing, script: str) -> Any:
    tab = doing.tab
    expression = _SCRIPT % (json.dumps(script), MAX_CONTENT_BYTES)
    committed = tab.navigation.committed
    pending = tab.session.send(
        "Runtime.evaluate",
        expression=expression,
        awaitPromise=True,
        returnByValue=True,
        userGesture=True,
        allowUnsafeEvalBlockedByCSP=True,
    )
    pending.notify = tab.wake
    try:
        over = tab.wait(lambda: pending.settled or tab.navigation.committed > committed, doing.deadline, doing.cancel)
        if not over:
            raise CommandTimedOut("script")
        if not pending.settled:
            return {"text": "undefined", "truncated": False}  # it led to another page, which is shown now
        return read_value(pending.wait(Deadline(1.0)))
    except CommandFailed as failed:
        if "Execution context was destroyed" in failed.text or "navigated or closed" in failed.text:
            return {"text": "undefined", "truncated": False}
        raise ScriptFailed(f"the script's value cannot be told: {failed.text}") from None
    except ScriptFailed as failed:
        raise ScriptFailed(f"the script threw: {failed.message}") from None


def _cut(answer: Any) -> Cut:
    return Cut(str(answer["text"]), bool(answer["truncated"]))
