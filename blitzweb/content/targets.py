"""Addresses in a page made absolute, against its `base` element and its own URL, as browsers do (CONTENT-07)."""

from __future__ import annotations

import re
from typing import Final

import ada_url

_LINKED: Final = ("http://", "https://", "mailto:", "tel:", "ftp://")
# Addresses that no rule changes, which most are: only where they go from has to be added.
_PATH: Final = r"/(?![/.])[A-Za-z0-9_~=+,;:@&*!()?-]*+(?:[/.](?!\.)[A-Za-z0-9_~=+,;:@&*!()?-]++)*+/?"
_PLAIN_PATH = re.compile(_PATH)
_PLAIN_URL = re.compile(r"https?://(?:[a-z][a-z0-9]*\.)+[a-z]{2,}" + _PATH)
_WEB: Final = ("http://", "https://")


class Targets:
    """Resolves the addresses of one page, each once."""

    def __init__(self, url: str, base: str | None = None) -> None:
        self.url = url
        self._base = _join(url, base) or url if base else url
        self._origin = _join(self._base, "/")[:-1]
        self._known: dict[str, str] = {}

    def resolve(self, href: str) -> str:
        """Return the absolute address; empty for one that cannot be followed (a script, data, nonsense)."""
        known = self._known.get(href)
        if known is None:
            if self._origin and _PLAIN_PATH.fullmatch(href):
                absolute = self._origin + href
            else:
                absolute = href if _PLAIN_URL.fullmatch(href) else _join(self._base, href)
            known = self._known[href] = absolute if absolute.startswith(_LINKED) else ""
        return known


def is_web(target: str) -> bool:
    """Tell whether an address is http or https."""
    return target.startswith(_WEB)


def _join(base: str, href: str) -> str:
    """Return the absolute address; empty where there is none."""
    try:
        return ada_url.join_url(base, href)
    except (ValueError, UnicodeEncodeError):
        return ""
