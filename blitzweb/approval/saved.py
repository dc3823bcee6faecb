"""What was approved "always": `state_dir`/approvals.json, shared by all daemons of the user (APPROVAL-07, -08).

{"version": 1, "rules": [{"key": "web:example.com", "label": "requests to example.com", "added": "…Z"}]}
"""

from __future__ import annotations

import json
import os
import time
from typing import Any, NamedTuple

from blitzweb.errors import StateError
from blitzweb.statefiles import locked, write_private

VERSION = 1


class SavedRule(NamedTuple):
    """One key that needs no question any more."""

    key: str
    label: str
    added: str  # UTC


class SavedRules:
    """The file. Read anew for every question that it might answer, so that a rule revoked elsewhere holds no longer."""

    def __init__(self, state_dir: str) -> None:
        self.path = os.path.join(state_dir, "approvals.json")

    def read(self) -> list[SavedRule]:
        """Return the rules, sorted by key; none where there is no file.

        Raises:
            StateError: the file is damaged, or cannot be read.
        """
        try:
            with open(self.path, "rb") as file:
                text = file.read()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise self._damaged(error.strerror or type(error).__name__) from None
        except ValueError as error:  # a path that no file can have: a NUL, half a surrogate pair
            raise self._damaged(str(error)) from None
        return self._parse(text)

    def holds(self, key: str) -> bool:
        """Tell whether a key was approved "always"."""
        return any(rule.key == key for rule in self.read())

    def add(self, key: str, label: str) -> None:
        """Save a key.

        Raises:
            OSError: the file cannot be written.
            StateError: the file is damaged; it is left as it is.
        """
        with locked(self.path):
            rules = {rule.key: rule for rule in self.read()}
            rules[key] = SavedRule(key, label, time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
            self._write(rules)

    def revoke(self, key: str) -> bool:
        """Take a key back; tell whether it was there.

        Raises:
            OSError: the file cannot be written.
            StateError: the file is damaged; it is left as it is.
        """
        with locked(self.path):
            rules = {rule.key: rule for rule in self.read()}
            if key not in rules:
                return False
            del rules[key]
            self._write(rules)
            return True

    def _write(self, rules: dict[str, SavedRule]) -> None:
        saved = {"version": VERSION, "rules": [rules[key]._asdict() for key in sorted(rules)]}
        write_private(self.path, json.dumps(saved, ensure_ascii=False, indent=2).encode() + b"\n")

    def _parse(self, text: bytes) -> list[SavedRule]:
        try:
            saved = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise self._damaged(str(error)) from None
        version = saved.get("version") if isinstance(saved, dict) else None
        if version != VERSION:
            raise self._damaged(f"its version is {version!r}, not {VERSION}")
        try:
            return sorted(_read_rule(rule) for rule in saved["rules"])
        except (KeyError, TypeError):
            raise self._damaged("a rule in it has not key, label and added as texts") from None

    def _damaged(self, why: str) -> StateError:
        return StateError(
            f"{self.path} cannot be used: {why}", advice="mend it, or move it away to start without saved approvals"
        )


def _read_rule(rule: Any) -> SavedRule:
    read = SavedRule(rule["key"], rule["label"], rule["added"])
    if not all(isinstance(value, str) for value in read):
        raise TypeError(read)
    return read
