"""`NAME key=value …`: words of a person as a call of the protocol. Values only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from blitzweb.contract.methods import METHODS
from blitzweb.contract.shapes import members
from blitzweb.errors import ParseFailed, UsageError
from blitzweb.wire.encoding import decode

_MARKS = ("/", "$", ".")
_PLAIN_METHODS = frozenset(method.name for method in METHODS if not any(mark in method.name for mark in _MARKS))
NOTIFICATIONS = frozenset(method.name for method in METHODS if method.notification)
_WITH_CONTEXT = frozenset(
    method.name for method in METHODS if any(member.name == "context" for member in members(method.params))
)


def is_method(name: str) -> bool:
    """Tell whether a name is a method's: it has a slash, a `$` or a dot, or is one that the contract knows."""
    return any(mark in name for mark in _MARKS) or name in _PLAIN_METHODS


def read_pairs(words: Iterable[str]) -> dict[str, Any]:
    """Return `key=value` words as an object; a value is JSON where it parses, else text.

    Raises:
        UsageError: a word without `=`, or a key twice.
    """
    pairs: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not (key and equals):
            raise UsageError(f'"{word}" is not key=value', advice="quote a value that has blanks: text='two words'")
        if key in pairs:
            raise UsageError(f'"{key}" is given twice')
        pairs[key] = _value(value)
    return pairs


def build_call(
    name: str, given: dict[str, Any], *, context: Mapping[str, str], timeout: float | None = None, token: str = ""
) -> tuple[str, dict[str, Any]]:
    """Return the method and the params that call a tool or a method.

    Args:
        name: of a tool, or of a method.
        given: the tool's arguments, or the method's params.
        context: the console's own; one in `given` wins.
        timeout: seconds, for a tool.
        token: asks a tool for progress.
    """
    if is_method(name):
        if timeout is not None:
            raise UsageError("--timeout is for tools", advice=f"{name} may have timeout_ms among its params")
        return name, ({"context": dict(context)} if context and name in _WITH_CONTEXT else {}) | given
    params: dict[str, Any] = {"name": name, "arguments": given}
    if context:
        params["context"] = dict(context)
    if timeout is not None:
        params["timeout_ms"] = round(timeout * 1000)
    if token:
        params["progress_token"] = token
    return "tools/call", params


def _value(text: str) -> Any:
    try:
        return decode(text.encode(errors="replace"))
    except ParseFailed:
        return text
