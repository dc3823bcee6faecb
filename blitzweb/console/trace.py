"""`--trace`: every message both ways, one line each, masked (AUDIT-04)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from blitzweb.console.printable import printable_json
from blitzweb.masking import Masker
from blitzweb.wire.render import Direction, render

_STYLES: dict[Direction, str] = {"→": "sent", "←": "taken"}


class Tracer:
    """Observes a link. `write` takes a line and its style; `on` may be changed at any time."""

    def __init__(self, masker: Masker, write: Callable[[str, str], None], *, on: bool) -> None:
        self._masker = masker
        self._write = write
        self.on = on

    def observe(self, direction: Direction, message: Any) -> None:
        """Show one message."""
        if self.on:
            self._write(printable_json(render(direction, message, self._masker.mask)), _STYLES[direction])
