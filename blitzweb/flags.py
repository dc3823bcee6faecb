"""The options of `serve`, `mcp` and `doctor`: where the files are, which tools are on offer, settings as a layer.

Read by hand: argparse would be a fifth of the start path.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from blitzweb.errors import UsageError


class Flags:
    """What the command line said: places, the tools on offer, and settings as the flags' layer."""

    def __init__(self) -> None:
        self.config = ""
        self.state_dir = ""
        self.tools: tuple[str, ...] | None = None
        self.settings: dict[str, dict[str, Any]] = {}


def read_flags(options: Sequence[str]) -> Flags:
    """Return the flags that `serve`, `mcp` and `doctor` share.

    Raises:
        UsageError: an option that is not known, or one without its value.
    """
    flags = Flags()
    words = iter(options)
    for word in words:
        name, equals, value = word.partition("=")
        if name == "--no-tools" and not equals:
            flags.tools = ()
            continue
        if name not in _VALUED:
            raise UsageError(f'there is no option "{word}"', advice="`blitzweb serve --help` lists them")
        value = value if equals else next(words, "")
        if not value:
            raise UsageError(f"{name} needs a value", advice="`blitzweb serve --help` shows its form")
        _VALUED[name](flags, value)
    return flags


def _take_tools(flags: Flags, value: str) -> None:
    flags.tools = tuple(name.strip() for name in value.split(",") if name.strip())


def _take_setting(flags: Flags, value: str) -> None:
    """Read `TABLE.KEY=VALUE`; the value is TOML, and a bare word is taken as text."""
    import tomllib

    path, equals, text = value.partition("=")
    table, _, key = path.rpartition(".")
    if not (equals and table and key):
        raise UsageError(f'--set takes TABLE.KEY=VALUE, not "{value}"')
    try:
        parsed = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        parsed = text
    flags.settings.setdefault(table, {})[key] = parsed


_VALUED: dict[str, Callable[[Flags, str], None]] = {
    "--config": lambda flags, value: setattr(flags, "config", value),
    "--state-dir": lambda flags, value: setattr(flags, "state_dir", value),
    "--tools": _take_tools,
    "--set": _take_setting,
}
