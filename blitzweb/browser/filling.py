"""Filling a field of a digest: what it takes is looked at first, what it holds afterwards is read back (DIGEST-19)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from blitzweb.browser import keyboard, mouse
from blitzweb.browser.digest import Element, check
from blitzweb.browser.doing import Doing
from blitzweb.browser.failures import BrowserFailure
from blitzweb.browser.keys import NAMED, Chord, key_events, key_of
from blitzweb.browser.locate import Place
from blitzweb.browser.settle import settle_after, settling

_ON: Final = frozenset({"true", "on", "checked", "yes", "1"})
_OFF: Final = frozenset({"false", "off", "unchecked", "no", "0"})


class Protected(BrowserFailure):
    """Raised for a password or payment field."""

    def __init__(self, index: int) -> None:
        super().__init__(
            f"[{index}] is a protected field (password or payment): it is not filled",
            advice="browser.allow_sensitive_fill = true would allow it; the person can fill it in a visible browser",
        )


def fill(doing: Doing, index: int, element: Element, text: str, *, sensitive: bool, submit: bool) -> str:
    """Fill a field and return what was done, with the value that it has now.

    Raises:
        Protected: it is one that is not to be filled.
        BrowserFailure: it takes no such value, and was left as it is.
        ElementGone: it is no longer there.
    """
    check(element)
    field = doing.run(element.frame, "probe", element.handle)
    if field["protected"] and not sensitive:
        raise Protected(index)
    for state in ("disabled", "readonly"):
        if state in field["states"]:
            raise BrowserFailure(f"[{index}] is {state}: nothing was changed")
    how = {"select": _choose, "check": _check_box, "set": _set, "text": _type}.get(field["kind"])
    if how is None:
        raise BrowserFailure(f"[{index}] is a {field['role']}, which takes no text: use browser_click")
    with settling(doing):
        said = how(doing, index, element, text)
        if submit:
            settle_after(doing, _press(doing, "enter"))
    return said if not field["protected"] else f"Filled [{index}] with {len(text)} characters, which are not shown"


def _press(doing: Doing, name: str) -> list[Any]:
    return [doing.tab.session.send("Input.dispatchKeyEvent", **event) for event in key_events(Chord(NAMED[name], 0))]


def _choose(doing: Doing, index: int, element: Element, text: str) -> str:
    wanted = [text]
    answer = doing.run(element.frame, "optionIndices", element.handle, text)
    if answer["multiple"] and not answer["found"] and "," in text:
        wanted = [part.strip() for part in text.split(",") if part.strip()]
    indices = []
    for one in wanted:
        answer = doing.run(element.frame, "optionIndices", element.handle, one)
        if len(answer["found"]) != 1:
            raise _no_option(index, one, answer)
        indices += answer["found"]
    now = doing.run(element.frame, "chooseIndices", element.handle, indices)
    return f'Chose in [{index}]; it is now "{now}"'


def _no_option(index: int, wanted: str, answer: Mapping[str, Any]) -> BrowserFailure:
    names = ", ".join(f'"{name}"' for name in answer["options"])
    more = f" and {answer['total'] - len(answer['options'])} more" if answer["total"] > len(answer["options"]) else ""
    what = "several options" if answer["found"] else "no option"
    return BrowserFailure(f'[{index}] has {what} "{wanted}"; it has {names}{more}. Nothing was changed')


def _check_box(doing: Doing, index: int, element: Element, text: str) -> str:
    word = text.strip().lower()
    if word not in _ON | _OFF:
        raise BrowserFailure(f'[{index}] is checked or not: write true or false, not "{text[:40]}"')
    if bool(doing.run(element.frame, "isChecked", element.handle)) is not (word in _ON):
        place = Place(element.frame, element.handle if element.through is None else element.through, f"[{index}]")
        point = mouse.aim_patiently(doing, place)
        settle_after(doing, mouse.press(doing, point))
    now = bool(doing.run(element.frame, "isChecked", element.handle))
    state = "checked" if now else "unchecked"
    if now is not (word in _ON):
        raise BrowserFailure(f"[{index}] was clicked, and the page keeps it {state}")
    return f"[{index}] is now {state}"


def _set(doing: Doing, index: int, element: Element, text: str) -> str:
    now = str(doing.run(element.frame, "setValue", element.handle, text))
    if now != text and not (now and _same_number(now, text)):
        raise BrowserFailure(f'[{index}] does not take "{text[:60]}"; it now holds "{now}"')
    return f'Filled [{index}]; it now holds "{now}"'


def _same_number(one: str, other: str) -> bool:
    try:
        return float(one) == float(other)
    except ValueError:
        return False


def _type(doing: Doing, index: int, element: Element, text: str) -> str:
    """Focus, select all, insert all but the last character, that one as a real key; then read back."""
    place = Place(element.frame, element.handle, f"[{index}]")
    field = keyboard.focus(doing, place, append=False)
    sent = []
    if not text and not field["empty"]:
        sent = _press(doing, "delete")
    elif text:
        last = text[-1]
        if text[:-1]:
            sent.append(doing.tab.session.send("Input.insertText", text=text[:-1]))
        if last == "\n":
            sent.append(doing.tab.session.send("Input.insertText", text=last))
        else:
            events = key_events(Chord(key_of(last), 0))
            sent += [doing.tab.session.send("Input.dispatchKeyEvent", **event) for event in events]
    settle_after(doing, sent)
    now = doing.run(element.frame, "fieldValue", field["handle"])
    doing.run(element.frame, "commit", field["handle"])
    return _compare(index, text, now)


def _compare(index: int, text: str, now: Mapping[str, Any]) -> str:
    """Say what the field holds, in the words of what became of the text."""
    value = str(now["value"])
    if now["protected"]:
        return f"Filled [{index}]"
    if value == text or value.rstrip("\n") == text.rstrip("\n"):
        return f'Filled [{index}]; it now holds "{_clip(value)}"'
    if now["maxLength"] is not None and text.startswith(value):
        return (
            f"[{index}] takes {now['maxLength']} characters at most: of {len(text)} it now holds {len(value)}, "
            f'"{_clip(value)}"'
        )
    return (
        f"The page changed or refused the text in [{index}]: of {len(text)} characters it now holds {len(value)}, "
        f'"{_clip(value)}"'
    )


def _clip(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


_SHOWN: Final = 200
