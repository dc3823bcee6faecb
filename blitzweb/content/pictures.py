"""The address of an image in a page, also of one that scripts would load later; data in an address is left out."""

from __future__ import annotations

import re
from typing import Final

from blitzweb.content.targets import Targets

_LATER: Final = ("data-src", "data-original", "data-lazy-src", "data-lazyload", "data-url", "data-image")
_SETS: Final = ("srcset", "data-srcset", "data-lazy-srcset")
_CANDIDATE = re.compile(r"[\s,]*(\S*[^\s,])(?:\s+([\d.]+)[wx])?\s*(?:,|$)")
_DATA = re.compile(r"\s*data:([\w.+-]+/[\w.+-]+)?", re.IGNORECASE)


def image_target(attributes: dict[str, str | None], targets: Targets) -> str:
    """Return where the image is; for data in the page its type and size, empty where nothing can be told."""
    src = (attributes.get("src") or "").strip()
    is_data = _DATA.match(src)
    if src and not is_data:
        later = next((value for name in _LATER if (value := attributes.get(name))), None) if _is_blank(src) else None
        return targets.resolve(later or src)
    for candidate in _others(attributes):
        if (target := targets.resolve(candidate)) and not _DATA.match(candidate):
            return target
    return f"data:{is_data.group(1) or 'text/plain'}, {len(src)} characters left out" if is_data else ""


def _is_blank(src: str) -> bool:
    """Tell whether an address is that of a stand-in."""
    name = src.rpartition("/")[2].lower()
    return name.startswith(("blank.", "spacer.", "placeholder.", "transparent.", "pixel.", "lazy", "1x1", "loading."))


def _others(attributes: dict[str, str | None]) -> list[str]:
    """Return the addresses that the image has beside its `src`, the best first."""
    found = [value for name in _LATER if (value := attributes.get(name))]
    for name in _SETS:
        sized = _CANDIDATE.findall(attributes.get(name) or "")
        found += [address for address, _ in sorted(sized, key=lambda pair: -float(pair[1].strip(".") or 1))]
    return found
