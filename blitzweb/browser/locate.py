"""Finds what a selector means: CSS, or `text=` and visible words, in every frame and open shadow root (BROWSER-04)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from blitzweb.browser.doing import Doing
from blitzweb.browser.failures import BrowserFailure
from blitzweb.browser.frames import Frame

_SHOWN = 5  # of several equally good matches, and of the nearest texts


class Place(NamedTuple):
    """An element: its frame, our handle for it there, what it looks like. `note` is what the model should know."""

    frame: Frame
    handle: int
    element: str
    note: str = ""


class NotFound(BrowserFailure):
    """Raised when a selector has no match, or several that are equally good."""


def locate(doing: Doing, selector: str) -> Place:
    """Return the element that a selector means.

    Raises:
        NotFound: none, or several equally good ones; the text says what there is.
    """
    answers = list(_ask_frames(doing, selector))
    if selector.strip().startswith("text="):
        return _choose_text(selector, answers)
    return _choose_css(selector, answers)


def _ask_frames(doing: Doing, selector: str) -> Iterator[tuple[Frame, Mapping[str, Any]]]:
    """Return what each frame says, the main one first; a frame that goes away meanwhile has nothing."""
    for frame in doing.tab.all_frames():
        try:
            answer = doing.run(frame, "find", selector)
        except BrowserFailure:
            if frame.parent:
                continue
            raise
        if "invalid" in answer:
            raise NotFound(
                f'"{selector}" is no CSS selector: {answer["invalid"]}', advice="or write text= and the visible text"
            )
        yield frame, answer


def _choose_text(selector: str, answers: list[tuple[Frame, Mapping[str, Any]]]) -> Place:
    for quality in ("exact", "contained"):
        found = [(frame, one) for frame, answer in answers for one in answer[quality]]
        if len(found) == 1:
            frame, one = found[0]
            return Place(frame, one["handle"], one["element"])
        if found:
            shown = "\n".join(f"- {_tell(one)}" for _, one in found[:_SHOWN])
            more = f"\n- … and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
            raise NotFound(
                f"{selector} matches {len(found)} elements equally well:\n{shown}{more}",
                advice="use a longer text, or a CSS selector that fits one of them",
            )
    nearest = list(dict.fromkeys(text for _, answer in answers for text in answer["nearest"]))[:_SHOWN]
    quoted = ", ".join(f'"{text}"' for text in nearest)
    hint = f"; the nearest are {quoted}" if nearest else ""
    raise NotFound(f"{selector} matches no visible element{hint}", advice="read shows the text of the page")


def _choose_css(selector: str, answers: list[tuple[Frame, Mapping[str, Any]]]) -> Place:
    visible = sum(answer["visible"] for _, answer in answers)
    for frame, answer in answers:
        if one := answer["found"]:
            note = f"{selector} matches {visible} visible elements; the first was taken" if visible > 1 else ""
            return Place(frame, one["handle"], one["element"], note)
    hidden = sum(answer["count"] for _, answer in answers)
    if hidden:
        raise NotFound(f"{selector} matches {hidden} elements, and none of them is visible")
    raise NotFound(f"{selector} matches nothing in the page or its frames", advice="html shows the markup of the page")


def locate_any(doing: Doing, selector: str) -> Place:
    """Return the element that a selector means, a hidden one too: to be read, or given files."""
    answers = list(_ask_frames(doing, selector))
    if not selector.strip().startswith("text="):
        for key in ("found", "hidden"):
            for frame, answer in answers:
                if one := answer[key]:
                    return Place(frame, one["handle"], one["element"])
        raise NotFound(f"{selector} matches nothing in the page or its frames")
    return _choose_text(selector, answers)


def _tell(one: Mapping[str, Any]) -> str:
    return f'{one["element"]} beside "{one["place"]}"' if one["place"] else str(one["element"])
