"""Transcripts: a conversation as a file, one JSON object a line, readable by people and by the tests of other hosts.

The format is described in protocol/transcripts/README.md. Reads, writes, and judges the form; compares nothing.
Ids: WIRE-43, AUDIT-04.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Self

from blitzweb.errors import ParseFailed, UsageError
from blitzweb.masking import Masker
from blitzweb.wire.encoding import decode, encode
from blitzweb.wire.render import Direction

Sender = Literal["host", "daemon"]
RULES = ("any", "type", "contains")

_MEMBERS = {"from", "message", "line", "exit", "expect", "comment"}
_CONTENTS = ("message", "line", "exit")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line that was sent. Exactly one of `message`, `line` (a host's, as it is) and `exit` (the daemon's end)."""

    number: int  # of the line in the file, from 1
    sender: Sender
    message: Any = None
    line: str | None = None
    exit: int | None = None
    expect: Mapping[str, str] = field(default_factory=dict)


def read_transcript(path: Path) -> list[Entry]:
    """Return the entries of a transcript; lines that only comment are left out.

    Raises:
        UsageError: the file cannot be read, or a line of it has not the form; names the line.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    entries = (_read_entry(number, line, path) for number, line in enumerate(lines, 1) if line.strip())
    return [entry for entry in entries if entry is not None]


class Recorder:
    """Writes a conversation as it happens, masked; an observer of a link. Close it when the conversation is over."""

    def __init__(self, path: Path, masker: Masker) -> None:
        self._masker = masker
        try:
            self._file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600), "wb")
        except OSError as error:
            raise UsageError(f"cannot write {path}: {error.strerror}") from None
        if os.fstat(self._file.fileno()).st_size:
            self._file.close()
            raise UsageError(f"{path} holds something already", advice="name another file, or remove it first")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def observe(self, direction: Direction, message: Any) -> None:
        """Write one message."""
        sender = "host" if direction == "→" else "daemon"
        self._write({"from": sender, "message": mask_value(message, self._masker)})

    def end(self, code: int) -> None:
        """Write how the daemon ended."""
        self._write({"from": "daemon", "exit": code})

    def _write(self, entry: Any) -> None:
        self._file.write(encode(entry) + b"\n")
        self._file.flush()  # a conversation that breaks off is the one that somebody wants to read


def mask_value(value: Any, masker: Masker) -> Any:
    """Return JSON with the secrets out of its texts."""
    if isinstance(value, str):
        return masker.mask(value)
    if isinstance(value, list):
        return [mask_value(item, masker) for item in value]
    if isinstance(value, Mapping):
        return {name: mask_value(item, masker) for name, item in value.items()}
    return value


def settings_secrets(settings: Mapping[str, Any]) -> Mapping[str, str]:
    """Return settings as variables, so that the masker's rule for names finds the keys among them."""
    return {
        f"{table}.{name}": value
        for table, entries in settings.items()
        if isinstance(entries, Mapping)
        for name, value in entries.items()
        if isinstance(value, str)
    }


def _read_entry(number: int, line: bytes, path: Path) -> Entry | None:
    try:
        value = decode(line)
    except ParseFailed as error:
        raise UsageError(f"{path}, line {number}: {error.message}") from None
    problem = _problem(value)
    if problem:
        raise UsageError(f"{path}, line {number}: {problem}", advice="protocol/transcripts/README.md has the form")
    if "from" not in value:
        return None
    return Entry(
        number=number,
        sender=value["from"],
        message=value.get("message"),
        line=value.get("line"),
        exit=value.get("exit"),
        expect=value.get("expect", {}),
    )


def _problem(value: Any) -> str:
    if not isinstance(value, dict):
        return "a line is an object"
    if unknown := value.keys() - _MEMBERS:
        return f"there is no member {json.dumps(min(unknown))}"
    if "from" not in value:
        return "" if value.keys() == {"comment"} else '"from" is missing'
    if value["from"] not in ("host", "daemon"):
        return '"from" is "host" or "daemon"'
    return _content_problem(value)


def _content_problem(value: dict[str, Any]) -> str:
    given = [name for name in _CONTENTS if name in value]
    if len(given) != 1:
        return 'one of "message", "line" and "exit" is needed'
    if given[0] == ("exit" if value["from"] == "host" else "line"):
        return f'"{given[0]}" is the other side\'s'
    if "line" in value and not isinstance(value["line"], str):
        return '"line" is a text'
    return _expect_problem(value.get("expect", {}))


def _expect_problem(expect: Any) -> str:
    if not isinstance(expect, dict):
        return '"expect" is an object of places and rules'
    wrong: Iterable[Any] = (rule for rule in expect.values() if rule not in RULES)
    return next((f"{json.dumps(rule)} is no rule; {', '.join(RULES)} are" for rule in wrong), "")
