"""How a value that came from outside is shown inside the text of a refusal.

Its one responsibility: quote so that no control character, invisible character, password or endless value reaches a
person, a model or a log by way of an error (POLICY-14).
"""

from __future__ import annotations

import re

from blitzweb.limits import MAX_QUOTED_CHARS, MAX_REFUSED_CHARS

# An @ as it stands, encoded once or many times, or as a character that some programs take for one.
AT_SIGN = re.compile("@|%(?:25)*40|\uff20|\ufe6b|&commat;", re.IGNORECASE)

_BEFORE_AUTHORITY = re.compile(r"(?:https?:|[A-Za-z][A-Za-z0-9+.-]*:(?=[/\\]))?[/\\]*", re.IGNORECASE)
_AFTER_AUTHORITY = re.compile(r"[/?#\\]")
_SEGMENT_ENDS = re.compile(r"([/?#\\])")
_HOST_AND_PORT = re.compile(r"(?:\[[^\[\]]*\]|[^\[\]:]*)(?::[0-9]*)?")


def quoted(text: str) -> str:
    r"""Return `text` in double quotes, clipped, with everything that does not print as `\u{…}`."""
    return '"' + "".join(char if char.isprintable() else f"\\u{{{ord(char):x}}}" for char in _clip(text)) + '"'


def quoted_url(text: str) -> str:
    """Return a text that may be a URL in quotes, without what may be a user and a password."""
    return quoted(without_credentials(text))


def without_credentials(text: str) -> str:
    """Return a refused text that may be a URL, clipped, without what may be a user and a password.

    A password may hold the very signs that end an authority, so that one that is no plain host and port is left out up
    to the last sign that may be an @; without any such sign, all from its first colon on.
    """
    text = text[:MAX_REFUSED_CHARS]
    start = _BEFORE_AUTHORITY.match(text).end()  # type: ignore[union-attr] # it matches nothing, if need be
    authority = _AFTER_AUTHORITY.split(text[start:], maxsplit=1)[0]
    if _HOST_AND_PORT.fullmatch(authority) and not AT_SIGN.search(authority):
        rest = start + len(authority)
        return text[:rest] + "".join(map(_without_user, _SEGMENT_ENDS.split(text[rest:])))
    if signs := list(AT_SIGN.finditer(text, start)):
        return f"{text[:start]}…@{text[signs[-1].end() :]}"
    host, colon, _ = text[start:].partition(":")
    return f"{text[:start]}{host}{colon}…" if colon else text


def _without_user(segment: str) -> str:
    signs = list(AT_SIGN.finditer(segment))
    return f"…@{segment[signs[-1].end() :]}" if signs else segment


def _clip(text: str) -> str:
    return text if len(text) <= MAX_QUOTED_CHARS else text[: MAX_QUOTED_CHARS - 1] + "…"
