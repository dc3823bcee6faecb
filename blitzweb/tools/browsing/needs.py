"""What each action of `browser` needs beside its name; found out before any question and any launch (WEB-31)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from blitzweb.contract.browser import BrowserArguments
from blitzweb.contract.codec import Misfit, decode
from blitzweb.errors import InvalidArguments

_NEEDS: Final[Mapping[str, tuple[str, ...]]] = {
    "navigate": ("url",),
    "click": ("selector",),
    "hover": ("selector",),
    "type": ("selector", "text"),
    "select": ("selector", "value"),
    "press": ("text",),
    "drag": ("selector", "to"),
    "script": ("script",),
    "dialog": ("accept",),
    "upload": ("selector", "files"),
    "steps": ("steps",),
}
_WAITS: Final = ("text", "gone", "url", "idle")
_EMULATIONS: Final = ("viewport", "mobile", "dark", "locale", "time_zone")
_VIDEO: Final = frozenset({"gif", "webm"})
_PICTURES: Final = frozenset({"png", "jpeg", "webp"})
MAX_STEPS: Final = 50


def check_needs(arguments: BrowserArguments) -> None:
    """Raise if an action lacks something, or was given what it cannot use.

    Raises:
        InvalidArguments: the text names the argument and what it takes.
    """
    action = arguments.action
    for name in _NEEDS.get(action, ()):
        if (
            getattr(arguments, name) in {None, ""}
            if not isinstance(getattr(arguments, name), tuple)
            else not getattr(arguments, name)
        ):
            if name == "text" and arguments.text == "" and action == "type":
                continue  # empties the field
            raise InvalidArguments(f"browser: {action} needs {name}")
    if action == "scroll" and arguments.selector is None and not (arguments.dx or arguments.dy):
        raise InvalidArguments("browser: scroll needs selector, or dx or dy in pixels")
    if action == "wait":
        _check_one_of(arguments, _WAITS)
    if action == "emulate" and all(getattr(arguments, name) is None for name in _EMULATIONS):
        raise InvalidArguments(f"browser: emulate needs one of {', '.join(_EMULATIONS)}")
    if action == "cookies" and not arguments.clear:
        raise InvalidArguments("browser: cookies needs clear = true; it does nothing else")
    if action == "tabs" and arguments.op in {"switch", "close"} and not arguments.tab:
        raise InvalidArguments(f"browser: tabs with op {arguments.op} needs tab, such as t2")
    _check_format(arguments)


def _check_one_of(arguments: BrowserArguments, names: tuple[str, ...]) -> None:
    given = [name for name in names if getattr(arguments, name)]
    if len(given) != 1:
        said = f"got {' and '.join(given)}" if given else "got none"
        raise InvalidArguments(f"browser: {arguments.action} needs one of {', '.join(names)}; {said}")


def _check_format(arguments: BrowserArguments) -> None:
    if arguments.format is None:
        return
    allowed = {"screenshot": _PICTURES, "record": _VIDEO}.get(arguments.action)
    if allowed is not None and arguments.format not in allowed:
        raise InvalidArguments(
            f'browser: format "{arguments.format}" is none of {arguments.action}\'s: {", ".join(sorted(allowed))}'
        )


def read_steps(steps: tuple[Mapping[str, Any], ...]) -> list[BrowserArguments]:
    """Return the actions of `steps`, all of them checked before the first one runs."""
    if len(steps) > MAX_STEPS:
        raise InvalidArguments(f"browser: steps has {len(steps)} actions; {MAX_STEPS} at most")
    read = []
    for number, step in enumerate(steps, 1):
        try:
            arguments: BrowserArguments = decode(BrowserArguments, dict(step), where=f"steps[{number}]")
        except Misfit as misfit:
            raise InvalidArguments(f"browser: {misfit}") from None
        if arguments.action == "steps":
            raise InvalidArguments(f"browser: steps[{number}] is steps again, which is not possible")
        check_needs(arguments)
        read.append(arguments)
    return read
