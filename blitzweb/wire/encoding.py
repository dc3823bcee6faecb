"""JSON text to values and back, strictly: UTF-8, no NaN or Infinity either way, bounded depth, one line.

Values only; what the values mean is the business of messages.py.
"""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from blitzweb.errors import ParseFailed
from blitzweb.limits import MAX_JSON_DEPTH


class NotEncodable(ValueError):
    """Raised for a value that JSON cannot carry: NaN, a foreign type, a cycle, bottomless nesting."""


def encode(value: Any) -> bytes:
    """Return `value` as one line of UTF-8 without its newline; a lone surrogate becomes U+FFFD."""
    try:
        text = _ENCODER.encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise NotEncodable(f"the value is not JSON: {error}") from error
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _without_lone_surrogates(text).encode()


def decode(line: bytes) -> Any:
    """Return the JSON value of a line.

    Raises:
        ParseFailed: the line is not UTF-8, not JSON, too deep, or holds a number that JSON or a double does not have.
    """
    try:
        text = line.decode()
        value = _DECODER.decode(text)
    except UnicodeDecodeError as error:
        raise ParseFailed(f"the line is not UTF-8: byte {error.start} is 0x{line[error.start]:02x}") from None
    except RecursionError:
        raise _too_deep() from None
    except ValueError as error:
        raise ParseFailed(f"the line is not JSON: {error}") from None
    if text.count("[") + text.count("{") > MAX_JSON_DEPTH:
        _check_depth(value)
    return value


def _check_depth(value: Any) -> None:
    """Walk the containers level by level, which needs no recursion however deep they are."""
    level = [value]
    for _ in range(MAX_JSON_DEPTH):
        level = [child for item in level for child in _children(item) if isinstance(child, (dict, list))]
        if not level:
            return
    raise _too_deep()


def _children(item: Any) -> Any:
    if isinstance(item, dict):
        return item.values()
    return item if isinstance(item, list) else ()


def _too_deep() -> ParseFailed:
    return ParseFailed(f"the JSON is nested deeper than {MAX_JSON_DEPTH} levels")


def _refuse_constant(name: str) -> NoReturn:
    raise ParseFailed(f"{name} is not JSON", advice="leave the member out")


def _parse_float(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ParseFailed(f"the number {text[:40]} does not fit a double")
    return number


def _without_lone_surrogates(text: str) -> str:
    """Join surrogates that make a pair and replace the others."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


# Made once: `json.loads` with any option would build a decoder for every line.
_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_parse_float)
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
