"""Whether one value fits its key; every error names table, key, what is allowed and what was given (SETTING-02)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from blitzweb.errors import SettingsError
from blitzweb.settings.tables import NESTED, TABLES, Table, table_class

Layer = dict[str, dict[str, Any]]
Check = Callable[[Any], object]  # raises SettingsError for a value that the parts above do not take

_UNWRITABLE = re.compile("[\0\ud800-\udfff]")  # what no path, no header and no UTF-8 can hold
_MAX_SHOWN = 60  # characters of a wrong value that the error repeats


def read_layer(raw: Mapping[str, Any], origin: str, checks: Mapping[str, Check]) -> Layer:
    """Return a layer's values by table and key, each as its key has it.

    Raises:
        SettingsError: an unknown table or key, or a value that does not fit.
    """
    try:
        return {name: _read_table(name, given, checks) for name, given in _flatten(raw)}
    except SettingsError as error:
        raise SettingsError(f"{origin}: {error.message}", advice=error.advice) from None


def _flatten(raw: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    """Yield each table under its whole name; `[llm.OTHER]` is the host's own and left alone."""
    for name, given in raw.items():
        if name not in NESTED:
            yield name, given
            continue
        for inner, table in _as_table(name, given).items():
            if name != "llm" or f"{name}.{inner}" in TABLES:
                yield f"{name}.{inner}", table


def _read_table(name: str, given: Any, checks: Mapping[str, Check]) -> dict[str, Any]:
    table = table_class(name)
    if table is None:
        raise SettingsError(f"there is no table [{name}]; {_suggest(name, TABLES)}")
    defaults = table.defaults()
    values = {}
    for key, value in _as_table(name, given).items():
        if key not in defaults:
            if name == "llm.gemini":
                continue  # the host's own: only api_key and model are ours to read
            raise SettingsError(f"{name}.{key} is no setting; {_suggest(key, defaults)}")
        values[key] = _read_value(f"{name}.{key}", key, value, table)
        if f"{name}.{key}" in checks:
            checks[f"{name}.{key}"](values[key])
    return values


def _as_table(name: str, given: Any) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise SettingsError(f"[{name}] takes keys and values, not {_shown(given)}")
    return given


def _read_value(path: str, key: str, value: Any, table: type[Table]) -> Any:
    default = table.defaults()[key]
    if path == "guard.deny_output":
        return _read_entries(path, value)
    if isinstance(default, tuple):
        return _read_texts(path, value)
    if isinstance(default, bool):
        return _require(isinstance(value, bool), path, value, "true or false")
    if isinstance(default, str):
        return _read_text(path, value, table.CHOICES.get(key))
    return _read_number(path, value, table.RANGES[key], whole=key not in table.NUMBERS)


def _read_text(path: str, value: Any, choices: tuple[str, ...] | None) -> Any:
    if choices is None:
        return _require(_is_text(value), path, value, "a text without NUL and half surrogate pairs")
    allowed = "one of " + ", ".join(f'"{choice}"' for choice in choices)
    return _require(isinstance(value, str) and value in choices, path, value, allowed)


def _read_number(path: str, value: Any, bounds: tuple[float, float], *, whole: bool) -> Any:
    least, most = bounds
    kinds = (int,) if whole else (int, float)
    fits = isinstance(value, kinds) and not isinstance(value, bool) and least <= value <= most
    return _require(fits, path, value, f"a {'whole ' if whole else ''}number from {least:g} to {most:,.10g}")


def _read_texts(path: str, value: Any) -> tuple[str, ...]:
    fits = isinstance(value, (list, tuple)) and all(map(_is_text, value))
    return tuple(_require(fits, path, value, "a list of texts"))


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not _UNWRITABLE.search(value)


def _read_entries(path: str, value: Any) -> tuple[Mapping[str, Any], ...]:
    _require(isinstance(value, (list, tuple)), path, value, "a list of entries with pattern and action")
    return tuple(_read_entry(f"{path}[{index}]", entry) for index, entry in enumerate(value))


def _read_entry(path: str, entry: Any) -> Mapping[str, Any]:
    _require(isinstance(entry, Mapping), path, entry, "an entry with pattern and action")
    if unknown := sorted(set(entry) - {"pattern", "action", "name", "tools"}):
        raise SettingsError(f"{path}.{unknown[0]} is no setting; an entry has pattern, action, name and tools")
    read = {
        "pattern": _read_text(f"{path}.pattern", entry.get("pattern"), None),
        "action": _read_text(f"{path}.action", entry.get("action"), ("block", "redact")),
    }
    if "name" in entry:
        read["name"] = _read_text(f"{path}.name", entry["name"], None)
    if "tools" in entry:
        read["tools"] = _read_texts(f"{path}.tools", entry["tools"])
    return read


def _require(fits: bool, path: str, value: Any, allowed: str) -> Any:  # noqa: FBT001
    if not fits:
        raise SettingsError(f"{path} takes {allowed}, not {_shown(value)}")
    return value


def _shown(value: Any) -> str:
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 1] + "…"


def _suggest(name: str, known: Iterable[str]) -> str:
    import difflib

    names = list(known)
    near = difflib.get_close_matches(name, names, 1, cutoff=0.5)
    return f'did you mean "{near[0]}"?' if near else "there are " + ", ".join(names)
