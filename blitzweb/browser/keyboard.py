"""The keyboard: typing into fields and pressing keys, with trusted events (WEB-31, BROWSER-08)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from blitzweb.browser.client import Pending
from blitzweb.browser.doing import Doing
from blitzweb.browser.failures import BrowserFailure, ElementGone
from blitzweb.browser.keys import NAMED, Chord, key_events, key_of, read_chord
from blitzweb.browser.locate import Place
from blitzweb.browser.settle import settle_after, settling
from blitzweb.limits import MAX_TYPED_KEYS


class Typed(NamedTuple):
    """What came of typing: whether the field is protected, and what it holds now ("" for a protected one)."""

    element: str
    protected: bool
    value: str
    length: int


def focus(doing: Doing, place: Place, *, append: bool) -> Mapping[str, Any]:
    """Focus a field, with what it holds selected, or the caret at its end.

    Raises:
        BrowserFailure: nothing can be typed there; the text says why.
    """
    field: Mapping[str, Any] = doing.run(place.frame, "focusField", place.handle, append)
    if why := field.get("refused"):
        raise BrowserFailure(f"{field['element']} cannot be typed into: {why}")
    return field


def type_text(doing: Doing, place: Place, text: str, *, append: bool, submit: bool) -> Typed:
    """Type into a field, in place of what it holds unless `append`, and wait until what that started is over."""
    with settling(doing):
        field = focus(doing, place, append=append)
        if field["protected"]:
            doing.tab.remember_secrets([text])
        if append:
            settle_after(doing, _send(doing, key_events(Chord(NAMED["end"], 0))))
        settle_after(doing, _write(doing, text, clear=not append and not field["empty"]))
        return _finish(doing, place, field, submit=submit)


def _write(doing: Doing, text: str, *, clear: bool) -> list[Pending]:
    """Send the text: key by key as a person would, or inserted where that would take long."""
    if not text:
        return _send(doing, key_events(Chord(NAMED["delete"], 0))) if clear else []
    if len(text) <= MAX_TYPED_KEYS and "\n" not in text:
        return [pending for character in text for pending in _send(doing, _typed(character))]
    inserted = doing.tab.session.send("Input.insertText", text=text[:-1])  # a line break typed could send a form
    last = text[-1]
    if last == "\n":
        return [inserted, doing.tab.session.send("Input.insertText", text=last)]
    return [inserted, *_send(doing, _typed(last))]  # a real key, so that the page's key listeners run


def _typed(character: str) -> list[dict[str, Any]]:
    key = key_of(character)
    return key_events(Chord(key, 0))


def _finish(doing: Doing, place: Place, field: Mapping[str, Any], *, submit: bool) -> Typed:
    """Have the page told that the value has changed, read it back, and press Enter where asked to."""
    try:
        now = doing.run(place.frame, "fieldValue", field["handle"])
        doing.run(place.frame, "commit", field["handle"])
    except ElementGone:  # the page took the field away while we typed: a chat box that sends by itself
        now = {"value": "", "protected": field["protected"]}
    if submit:
        settle_after(doing, _send(doing, key_events(Chord(NAMED["enter"], 0))))
    hidden = field["protected"] or now["protected"]
    return Typed(field["element"], hidden, "" if hidden else now["value"], len(now["value"]))


def press(doing: Doing, place: Place | None, text: str) -> None:
    """Press a chord, on an element if one is given."""
    chord = read_chord(text)
    with settling(doing):
        if place is not None:
            doing.run(place.frame, "focusElement", place.handle)
        settle_after(doing, _send(doing, key_events(chord)))


def _send(doing: Doing, events: list[dict[str, Any]]) -> list[Pending]:
    return [doing.tab.session.send("Input.dispatchKeyEvent", **event) for event in events]
