"""Characters that nobody sees, taken out: zero-width, bidi controls, tag characters; NUL and half surrogates replaced.

They carry injections past a person's eyes, and break searches (CONTENT-03). Joiners stay where scripts and emoji need
them, and one variation selector after a character. Nothing here knows of markup.
"""

from __future__ import annotations

import re
from typing import Final

# Scripts whose spelling needs joiners (Arabic, Syriac, N'Ko, the Indic ones up to Myanmar, Mongolian) and emoji.
_JOINING: Final = (
    "\u0600-\u08ff\u0900-\u109f\u1780-\u18af\u2190-\u2bff\u3030-\u303d\ufb50-\ufdff"
    "\ufe70-\ufefc\ufe0f\U0001f000-\U0001faff"
)
_ALWAYS: Final = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_UNSEEN = re.compile(
    f"[{_ALWAYS}]+"
    f"|(?<![{_JOINING}])[\u200c\u200d]+|[\u200c\u200d]+(?![{_JOINING}\u2640\u2642\u2695-\u27bf])"
    "|(?<=[\ufe0e\ufe0f])[\ufe0e\ufe0f]+"
)
_SUSPECT = re.compile(f"[{_ALWAYS}\u200c\u200d\ufe0e\ufe0f]")  # one class is quick to search for, and seldom found
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_REPLACED: Final = "\ufffd"


def strip_invisible(text: str) -> tuple[str, int]:
    """Return the text without what nobody sees, and how many characters that was."""
    if text.isascii() or _SUSPECT.search(text) is None:
        return text, 0
    seen = _UNSEEN.sub("", text)
    return seen, len(text) - len(seen)


def replace_unwritable(text: str) -> str:
    """Return the text with U+FFFD for controls and halves of surrogate pairs."""
    return _UNWRITABLE.sub(_REPLACED, text)
