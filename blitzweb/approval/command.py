"""`blitzweb approvals`: lists and takes back what was approved "always" (APPROVAL-09)."""

from __future__ import annotations

import json
import sys

from blitzweb.approval.saved import SavedRule, SavedRules
from blitzweb.errors import BlitzwebError, UsageError
from blitzweb.settings.fallbacks import resolve_state_dir

USAGE = """\
usage: blitzweb approvals [list] [--json] [--state-dir DIR]
       blitzweb approvals revoke KEY… [--state-dir DIR]

List what was approved "always", or take some of it back. KEY is as the list has it, such as web:example.com.
"""


def main(words: list[str]) -> int:
    """Run the command; return its exit code: 1 where a key to revoke was not there."""
    if "--help" in words or "-h" in words:
        sys.stdout.write(USAGE)
        return 0
    as_json, state_dir, left = _read_options(words)
    saved = SavedRules(resolve_state_dir(state_dir))
    action, keys = (left[0], left[1:]) if left else ("list", [])
    if action == "list" and not keys:
        sys.stdout.write(_list(saved.read(), as_json=as_json, path=saved.path))
        return 0
    if action == "revoke" and keys:
        return _revoke(saved, keys)
    raise UsageError(f'"{" ".join(left)}" is nothing to do with approvals', advice="`blitzweb approvals --help`")


def _read_options(words: list[str]) -> tuple[bool, str, list[str]]:
    as_json, state_dir, left = False, "", []
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if word == "--json":
            as_json = True
        elif name == "--state-dir":
            state_dir = value if equals else next(rest, "")
            if not state_dir:
                raise UsageError("--state-dir needs a folder")
        elif word.startswith("-"):
            raise UsageError(f'there is no option "{word}"', advice="`blitzweb approvals --help`")
        else:
            left.append(word)
    return as_json, state_dir, left


def _list(rules: list[SavedRule], *, as_json: bool, path: str) -> str:
    if as_json:
        return json.dumps([rule._asdict() for rule in rules], ensure_ascii=False, indent=2) + "\n"
    if not rules:
        return f'Nothing was approved "always" ({path}).\n'
    width = max(len(rule.key) for rule in rules)
    return "".join(f"{rule.key:{width}}  {rule.added}  {rule.label}\n" for rule in rules)


def _revoke(saved: SavedRules, keys: list[str]) -> int:
    missing = 0
    for key in keys:
        try:
            found = saved.revoke(key)
        except OSError as error:
            raise BlitzwebError(f"{saved.path} cannot be written: {error.strerror}") from None
        missing += not found
        sys.stdout.write(
            f"{key} is revoked\n" if found else f"{key} was not approved; `blitzweb approvals` lists them\n"
        )
    return 1 if missing else 0
