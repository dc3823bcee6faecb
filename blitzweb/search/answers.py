"""JSON answers of providers, read member by member: what is missing is empty, what has a wrong type is an error."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from blitzweb.search.failures import malformed
from blitzweb.search.provider import Reply

T = TypeVar("T")

_NAMES: dict[type, str] = {str: "a text", list: "a list", dict: "an object", bool: "a boolean", type(None): "null"}


class Answer:
    """One object of an answer, with the path to it for errors."""

    def __init__(self, provider: str, members: Mapping[str, Any], path: str = "") -> None:
        self._provider = provider
        self._members = members
        self._path = path

    def text(self, name: str) -> str:
        """Return a text; empty where there is none."""
        return self._take(name, str, "")

    def texts(self, name: str) -> list[str]:
        """Return a list of texts."""
        return [self._check(item, str, f"{name}[{place}]") for place, item in enumerate(self._take(name, list, []))]

    def numbers(self, name: str) -> list[int]:
        """Return a list of whole numbers."""
        items = self._take(name, list, [])
        return [self._check(item, int, f"{name}[{place}]") for place, item in enumerate(items)]

    def flag(self, name: str) -> bool:
        """Return a boolean; false where there is none."""
        return self._take(name, bool, False)  # noqa: FBT003

    def object(self, name: str) -> Answer:
        """Return an object; an empty one where there is none."""
        return Answer(self._provider, self._take(name, dict, {}), self._at(name))

    def objects(self, name: str) -> list[Answer]:
        """Return a list of objects."""
        items = enumerate(self._take(name, list, []))
        return [self._object(item, f"{name}[{place}]") for place, item in items]

    def objects_or_texts(self, name: str) -> list[Answer | str]:
        """Return a list whose items are of either kind."""
        items = enumerate(self._take(name, list, []))
        return [item if isinstance(item, str) else self._object(item, f"{name}[{place}]") for place, item in items]

    def _object(self, item: Any, name: str) -> Answer:
        return Answer(self._provider, self._check(item, dict, name), self._at(name))

    def _take(self, name: str, kind: type[T], empty: T) -> T:
        value = self._members.get(name)
        return empty if value is None else self._check(value, kind, name)

    def _check(self, value: Any, kind: type[T], name: str) -> T:
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            wanted, given = _NAMES.get(kind, "a whole number"), _NAMES.get(type(value), "a number")
            raise malformed(self._provider, f'has the wrong shape: "{self._at(name)}" is {given}, not {wanted}')
        return value

    def _at(self, name: str) -> str:
        return f"{self._path}.{name}" if self._path else name


def read_answer(provider: str, reply: Reply) -> Answer:
    """Return the object that a body holds.

    Raises:
        SearchFailed: it is no JSON, or no object.
    """
    try:
        value = json.loads(reply.body)
    except (ValueError, RecursionError):
        raise malformed(provider, "is not JSON") from None
    if not isinstance(value, dict):
        raise malformed(provider, f"has the wrong shape: it is {_NAMES.get(type(value), 'a number')}, not an object")
    return Answer(provider, value)


def read_error(provider: str, reply: Reply) -> Answer:
    """Return the object that the body of an error holds; an empty one where it holds none."""
    try:
        value = json.loads(reply.body)
    except (ValueError, RecursionError):
        value = {}
    return Answer(provider, value if isinstance(value, dict) else {})
