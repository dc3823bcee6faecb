"""How long a provider wants to be left alone, from the headers of its answer (SEARCH-02)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Final

_SECONDS = re.compile(r"\d{1,9}(?:\.\d{1,9})?")
_DURATION = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)s")
_DATED: Final = "retry-after"


def find_wait(headers: Mapping[str, str], now: float) -> float | None:
    """Return the seconds that the headers name: `Retry-After`, else the windows of `X-RateLimit-…`."""
    if stated := headers.get(_DATED, "").strip():
        return _read_retry_after(stated, now)
    return _read_windows(headers.get("x-ratelimit-remaining", ""), headers.get("x-ratelimit-reset", ""))


def read_duration(text: str) -> float | None:
    """Return the seconds of a text like `57.238s`."""
    found = _DURATION.fullmatch(text.strip())
    return float(found.group(1)) if found else None


def _read_retry_after(text: str, now: float) -> float | None:
    """Return the seconds of a number or of an HTTP date."""
    if _SECONDS.fullmatch(text):
        return float(text)
    try:
        moment = parsedate_to_datetime(text).timestamp()
    except (ValueError, OverflowError):
        return None
    return max(0.0, moment - now)


def _read_windows(remaining: str, reset: str) -> float | None:
    """Return the longest reset among the windows that are used up; both headers list the windows in one order."""
    pairs = zip(_numbers(remaining), _numbers(reset), strict=False)
    waits = [seconds for left, seconds in pairs if left == 0]
    return max(waits, default=None)


def _numbers(text: str) -> list[float]:
    parts = [part.strip() for part in text.split(",")]
    return [float(part) for part in parts] if all(_SECONDS.fullmatch(part) for part in parts) else []
