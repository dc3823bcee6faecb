"""Secrets out of everything that is written: audit, log, traces (AUDIT-04).

Known secrets (configured keys, and variables of the environment whose name says so) go wherever they stand, also
percent-encoded; other secrets go by their shape. Every pattern is bounded, so that no page can make masking slow.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

REDACTED: Final = "[REDACTED]"

_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD", re.IGNORECASE)
_MIN_VARIABLE_CHARS: Final = 8  # a shorter value of the environment is as likely a word of the text
_MIN_KEY_CHARS: Final = 4  # a shorter key would mask parts of words

_SHAPES: Final = re.compile(
    r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----.*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|\Z)"
    r"|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"
    r"|\bsk-[A-Za-z0-9_-]{16,400}"
    r"|\bAIza[A-Za-z0-9_-]{30,100}"
    r"|\bgh[oprsu]_[A-Za-z0-9]{20,300}|\bgithub_pat_[A-Za-z0-9_]{20,300}"
    r"|\bxox[abeprs]-[A-Za-z0-9-]{8,300}"
    r"|\beyJ[A-Za-z0-9_-]{5,2000}\.[A-Za-z0-9_-]{5,4000}(?:\.[A-Za-z0-9_-]{0,2000})?",
    re.DOTALL,
)
_SCHEMES: Final = re.compile(r"\b(Bearer|Basic)( +|%20|\+)[A-Za-z0-9._~+/-]{6,4000}={0,2}", re.IGNORECASE)
_ASSIGNED: Final = re.compile(
    r"((?:password|passwd|secret|api[_-]?key|token)[\"']?(?: ?[=:] ?|%3D|%3A)[\"']?)[^\s\"'&;,]{6,4000}", re.IGNORECASE
)
# A user and a password before the host of a URL, also of one inside the query of another; "…" has lost them already.
_USERINFO: Final = re.compile(r"((?::|%3A)(?://|%2F%2F))(?!…@)[^\s/?#\"'<>]{1,400}(@|%40)", re.IGNORECASE)


class Masker:
    """Knows the secrets of one configuration; immutable."""

    def __init__(self, keys: Iterable[str] = (), environ: Mapping[str, str] | None = None) -> None:
        found = {key for key in keys if len(key) >= _MIN_KEY_CHARS}
        found.update(
            value
            for name, value in (environ or {}).items()
            if len(value) >= _MIN_VARIABLE_CHARS and _SECRET_NAME.search(name)
        )
        forms = {form for secret in found for form in (secret, _percent_encoded(secret))}
        longest_first = sorted(forms, key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None

    def mask(self, text: str) -> str:
        """Return the text with every secret replaced."""
        if self._known is not None:
            text = self._known.sub(REDACTED, text)
        text = _SHAPES.sub(REDACTED, text)
        text = _SCHEMES.sub(rf"\1\2{REDACTED}", text)
        text = _USERINFO.sub(rf"\1{REDACTED}\2", text)
        return _ASSIGNED.sub(rf"\1{REDACTED}", text)


def _percent_encoded(text: str) -> str:
    """Return a text as it stands in a URL; `urllib.parse` would cost the start path more than the rest of this."""
    return "".join(
        char
        if char.isascii() and (char.isalnum() or char in "-._~")
        else "".join(f"%{byte:02X}" for byte in char.encode())
        for char in text
    )
