"""How much of a call's time its action may take: the tool answers before the host's deadline does (WEB-31)."""

from __future__ import annotations

from typing import Final

from blitzweb.timing import Deadline

_MARGIN_SECONDS: Final = 0.6  # to look at the page and say how it is
_MARGIN_PART: Final = 0.3  # of a short deadline


def leave_margin(deadline: Deadline) -> Deadline:
    """Return the deadline of the action itself."""
    remaining = deadline.remaining()
    return deadline.sooner(remaining - min(_MARGIN_SECONDS, remaining * _MARGIN_PART))
