"""What a page says on its console, as texts: the call's level, its arguments joined by blanks (WEB-31). Values only."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping
from typing import Any, NamedTuple

from blitzweb.limits import MAX_CONSOLE_ENTRIES, MAX_CONSOLE_ENTRY_BYTES


class Entry(NamedTuple):
    """One message."""

    level: str
    text: str


class ConsoleRing:
    """The last messages that nobody has read yet; owned by a tab, which locks."""

    def __init__(self) -> None:
        self._entries: deque[Entry] = deque(maxlen=MAX_CONSOLE_ENTRIES)

    def add(self, level: str, text: str) -> None:
        """Keep a message."""
        data = text.encode("utf-8", "replace")
        if len(data) > MAX_CONSOLE_ENTRY_BYTES:
            text = data[: MAX_CONSOLE_ENTRY_BYTES - 3].decode("utf-8", "ignore") + "…"
        self._entries.append(Entry(level, text))

    def take(self) -> tuple[Entry, ...]:
        """Return what has come since the last time, once."""
        entries = tuple(self._entries)
        self._entries.clear()
        return entries


def describe_call(params: Mapping[str, Any]) -> Entry:
    """Return what `Runtime.consoleAPICalled` tells."""
    words = [_describe(argument) for argument in params.get("args", ())]
    return Entry(str(params.get("type", "log")), " ".join(words))


def describe_exception(params: Mapping[str, Any]) -> Entry:
    """Return what `Runtime.exceptionThrown` tells."""
    details = params.get("exceptionDetails", {})
    thrown = details.get("exception", {})
    said = thrown.get("description") or (_describe(thrown) if thrown else "")
    text = str(details.get("text", "Uncaught"))
    return Entry("error", f"{text} {said}".strip())


def describe_log(params: Mapping[str, Any]) -> Entry:
    """Return what `Log.entryAdded` tells."""
    entry = params.get("entry", {})
    where = f" ({entry['url']})" if entry.get("url") else ""
    return Entry(str(entry.get("level", "info")), f"{entry.get('text', '')}{where}")


def _describe(remote: Mapping[str, Any]) -> str:
    """Return a value as a person would read it: strings bare, what is whole as JSON, else Chrome's description."""
    if "unserializableValue" in remote:
        return str(remote["unserializableValue"])
    if "value" in remote and remote.get("type") != "object":
        value = remote["value"]
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if remote.get("subtype") == "null":
        return "null"
    if remote.get("type") == "undefined":
        return "undefined"
    preview = remote.get("preview")
    if preview and not preview.get("overflow") and remote.get("subtype") in {None, "array"}:
        return _preview(preview)
    return str(remote.get("description", remote.get("className", remote.get("type", ""))))


def _preview(preview: Mapping[str, Any]) -> str:
    values = [(entry["name"], _preview_value(entry)) for entry in preview.get("properties", ())]
    if preview.get("subtype") == "array":
        return f"[{','.join(value for _, value in values)}]"
    return "{" + ",".join(f"{json.dumps(name, ensure_ascii=False)}:{value}" for name, value in values) + "}"


def _preview_value(entry: Mapping[str, Any]) -> str:
    if entry.get("type") == "string":
        return json.dumps(entry.get("value", ""), ensure_ascii=False)
    nested = entry.get("valuePreview")
    return _preview(nested) if nested and not nested.get("overflow") else str(entry.get("value", ""))
