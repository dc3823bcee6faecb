"""Which elements a person does not see, by their own markup (CONTENT-02).

`hidden`, `aria-hidden`, `popover`, and what their inline style hides. What a streaming server sends
hidden and its script moves into place (`<div hidden id="S:0">`) is shown.
"""

from __future__ import annotations

import re
from typing import Final

from blitzweb.content.styles import hides

Attributes = dict[str, str | None]

_STREAMED = re.compile(r"S:[0-9a-fA-F]+")
STREAMING: Final = "$RC("  # the call with which React's script moves a block into place


# Elements with none of these attributes hide nothing, apart from closed dialogs.
HIDING: Final = frozenset({"hidden", "aria-hidden", "popover", "style"})


def is_hidden(attributes: Attributes) -> bool:
    """Tell whether an element hides all that is in it."""
    if "hidden" in attributes or "popover" in attributes:
        return True
    if "aria-hidden" in attributes and (attributes["aria-hidden"] or "").strip().lower() == "true":
        return True
    style = attributes.get("style")
    return style is not None and hides(style)


def is_streamed(attributes: Attributes) -> bool:
    """Tell whether an element is one that a script will move into place and show, if the page streams."""
    return "hidden" in attributes and _STREAMED.fullmatch(attributes.get("id") or "") is not None
