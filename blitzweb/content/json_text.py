"""JSON indented, with every number, key and duplicate as it was sent: nothing is parsed into values (CONTENT-09)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from blitzweb.limits import MAX_PRETTY_DEPTH

_SIGN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
_INDENT: Final = "  "
_CLOSING: Final = {"{": "}", "[": "]"}


def pretty(text: str, max_chars: int) -> str | None:
    """Return JSON indented by two; None for what is no JSON, is nested too deep, or would be longer than the limit."""
    try:
        json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        return None
    parts: list[str] = []
    length = 0
    for part in _indented(_SIGN.findall(text)):
        parts.append(part)
        length += len(part)
        if length > max_chars:
            return None
    return "".join(parts)


def _indented(signs: list[str]) -> Iterator[str]:
    """Give the signs with line breaks and blanks between them; empty lists and objects stay closed."""
    depth = 0
    for place, sign in enumerate(signs):
        if sign in _CLOSING:
            yield sign
            if signs[place + 1] != _CLOSING[sign]:
                depth += 1
                yield _new_line(depth)
        elif sign in "}]":
            if signs[place - 1] not in _CLOSING:
                depth -= 1
                yield _new_line(depth)
            yield sign
        elif sign == ",":
            yield "," + _new_line(depth)
        else:
            yield ": " if sign == ":" else _readable(sign)


def _new_line(depth: int) -> str:
    return "\n" + _INDENT * min(depth, MAX_PRETTY_DEPTH)


def _readable(sign: str) -> str:
    """Return a string with its letters instead of their escapes."""
    if "\\u" not in sign:
        return sign
    return json.dumps(json.loads(sign, strict=False), ensure_ascii=False)
