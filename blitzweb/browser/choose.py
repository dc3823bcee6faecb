"""Choosing options of a list by exact value, else by trimmed text (WEB-31)."""

from __future__ import annotations

from collections.abc import Sequence

from blitzweb.browser.doing import Doing
from blitzweb.browser.failures import BrowserFailure
from blitzweb.browser.locate import Place
from blitzweb.browser.settle import settling


def choose_options(doing: Doing, place: Place, wanted: Sequence[str]) -> tuple[str, ...]:
    """Choose options, and wait until what that started is over; return the texts of what is chosen now.

    Raises:
        BrowserFailure: there is no such option, or several; the text lists what there is.
    """
    with settling(doing):
        answer = doing.run(place.frame, "choose", place.handle, list(wanted))
        if why := answer.get("refused"):
            raise BrowserFailure(f"{answer['element']} cannot be chosen from: {why}")
        if "missing" in answer:
            more = answer["total"] - len(answer["options"])
            names = ", ".join(f'"{name}"' for name in answer["options"]) + (f" and {more} more" if more > 0 else "")
            what = "several options" if answer["several"] else "no option"
            raise BrowserFailure(f'{answer["element"]} has {what} "{answer["missing"]}"; it has {names}')
    return tuple(answer["chosen"])
