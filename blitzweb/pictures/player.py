"""`index.html` of a walkthrough: one page that plays it and loads nothing but the frames beside it (BROWSER-09).

What was recorded is data in it: no byte of a title or a URL is ever markup, and no script runs but the template's own.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from functools import cache
from pkgutil import get_data
from typing import Any, Final

_PLACE: Final = re.compile(r"\{\{(policy|title|walkthrough)\}\}")
_SCRIPT: Final = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_STYLE: Final = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_UNSAFE: Final = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


def render(walkthrough: dict[str, Any], name: str) -> str:
    """Return the page for what `walkthrough.json` holds."""
    values = {
        "policy": html.escape(_policy()),
        "title": html.escape(f"Walkthrough {name}"),
        "walkthrough": json.dumps(walkthrough, ensure_ascii=False).translate(_UNSAFE),
    }
    return _PLACE.sub(lambda place: values[place[1]], _template())


@cache
def _template() -> str:
    return (get_data("blitzweb.pictures", "player.html") or b"").decode()


@cache
def _policy() -> str:
    """Return a policy that allows the template's own script and style, by their hashes, and pictures beside it."""
    script, style = (" ".join(map(_hash, part.findall(_template()))) for part in (_SCRIPT, _STYLE))
    allowed = f"script-src {script}; style-src {style}; img-src 'self' file:"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
