"""Whether a page is empty without JavaScript: few words, and scripts that are to bring the rest (CONTENT-11)."""

from __future__ import annotations

import re
from typing import Final

_FEW_CHARS: Final = 400  # a page with more says something
_HARDLY_ANY_CHARS: Final = 80
_SCRIPT = re.compile(r"<script\b", re.IGNORECASE)
_MOUNT = re.compile(
    r"""<(?:div|main|section)\b[^>]{0,200}\bid\s*=\s*["']?(?:root|app|__next|__nuxt|___gatsby|svelte|main-app|react-root|application)\b"""
    r"|<(?:app|my)-\w+|\bng-app\b|\bdata-reactroot\b",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"(?:enable|requires?|need|turn on|activate|without|support)\W{1,3}(?:\w+\W{1,3}){0,3}java\s?script"
    r"|java\s?script\W{1,3}(?:\w+\W{1,3}){0,4}(?:enabled?|required|disabled|needed|turned off|support)",
    re.IGNORECASE,
)


def needs_javascript(html: str, content: str) -> bool:
    """Tell whether a page shows next to nothing until its scripts have run."""
    if len(content) > _FEW_CHARS or _SCRIPT.search(html) is None:
        return False
    if len(content) <= _HARDLY_ANY_CHARS and (_MOUNT.search(html) or len(html) > 10 * _FEW_CHARS):
        return True
    return _ASKING.search(html) is not None or (_MOUNT.search(html) is not None and len(content) < _FEW_CHARS // 2)
