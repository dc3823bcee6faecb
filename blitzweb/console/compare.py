"""Compares what a daemon said with what a transcript has: by structure, without what differs from run to run.

Values only. Members with a name of `VOLATILE` need only be of the same type; random tokens and times inside texts count
as equal; `expect` of an entry loosens single places. Ids: WIRE-43.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

# Differs from run to run, from machine to machine, or from release to release.
VOLATILE: Final = frozenset(
    {"pid", "version", "time", "added", "log_id"}
    | {"uptime_s", "idle_s", "memory_bytes", "threads", "unread_bytes", "dropped"}
)

# The texts of errors are for people and may change; what a program goes by is their code and their reason.
_TEXTS: Final = ("error.message", "error.data.advice", "error.data.phase")

_VOLATILE_TEXT: Final = (
    (re.compile(r"\b[0-9a-f]{32}\b"), "(token)"),
    (re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z"), "(time)"),
)
_SHOWN_CHARS: Final = 120


def differences(wanted: Any, given: Any, expect: Mapping[str, str], path: str = "") -> Iterator[str]:
    """Yield a sentence for each place where `given` is not what a transcript wants.

    Args:
        wanted: the value of the transcript.
        given: the value that the daemon sent.
        expect: by place (`result.text`, `*` for any member or item): `any`, `type` or `contains`.
        path: where the values stand.
    """
    rule = _rule(path, expect)
    if rule == "any":
        return
    if _kind(wanted) != _kind(given):
        yield f"{path or 'message'} is {_show(given)}, not {_show(wanted)}"
    elif rule == "type" or path.rpartition(".")[2] in VOLATILE or path.endswith(_TEXTS):
        return
    elif isinstance(wanted, dict):
        yield from _in_objects(wanted, given, expect, path, rule)
    elif isinstance(wanted, list):
        yield from _in_lists(wanted, given, expect, path, rule)
    elif not _same(wanted, given, rule):
        yield f"{path or 'message'} is {_show(given)}, not {_show(wanted)}"


def _in_objects(wanted: Any, given: Any, expect: Mapping[str, str], path: str, rule: str) -> Iterator[str]:
    for name, value in wanted.items():
        place = f"{path}.{name}" if path else name
        if name in given:
            yield from differences(value, given[name], _inherited(expect, place, rule), place)
        elif _rule(place, expect) != "any":
            yield f"{place} is missing; it was {_show(value)}"
    if rule != "contains":
        for name in given.keys() - wanted.keys():
            yield f"{path}.{name}".lstrip(".") + f" is new: {_show(given[name])}"


def _in_lists(wanted: Any, given: Any, expect: Mapping[str, str], path: str, rule: str) -> Iterator[str]:
    if rule == "contains":
        for item in wanted:
            if all(any(differences(item, other, {"": rule})) for other in given):
                yield f"{path} does not hold {_show(item)}"
        return
    if len(wanted) != len(given):
        yield f"{path} has {len(given)} items, not {len(wanted)}"
        return
    for index, (item, other) in enumerate(zip(wanted, given, strict=True)):
        yield from differences(item, other, expect, f"{path}.{index}")


def _inherited(expect: Mapping[str, str], place: str, rule: str) -> Mapping[str, str]:
    """Let `contains` hold for what is inside too, where nothing else is said."""
    return {place: rule, **expect} if rule == "contains" else expect


def _rule(path: str, expect: Mapping[str, str]) -> str:
    if path in expect:
        return expect[path]
    return next((rule for place, rule in expect.items() if "*" in place and _covers(place, path)), "")


def _covers(place: str, path: str) -> bool:
    parts, names = place.split("."), path.split(".")
    return len(parts) == len(names) and all(part in ("*", name) for part, name in zip(parts, names, strict=True))


def _same(wanted: Any, given: Any, rule: str) -> bool:
    if isinstance(wanted, str):
        wanted, given = _steady(wanted), _steady(given)
        return wanted in given if rule == "contains" else bool(wanted == given)
    return bool(wanted == given)


def _steady(text: str) -> str:
    for pattern, stand_in in _VOLATILE_TEXT:
        text = pattern.sub(stand_in, text)
    return text


def _kind(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return str(type(value))
    return "number" if isinstance(value, int | float) else str(type(value))


def _show(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN_CHARS else text[:_SHOWN_CHARS] + "…"
