"""A daemon that knows nothing of this person: no settings, no approvals, no proxy. For replays and for the demo."""

from __future__ import annotations

import os
from pathlib import Path

from blitzweb.console.options import SERVE


def fresh_daemon(folder: Path) -> tuple[str, ...]:
    """Return the command of a daemon whose settings and state are in an empty folder."""
    config = folder / "config.toml"
    config.touch()
    return (*SERVE, "--config", str(config), "--state-dir", str(folder / "state"))


def fresh_environment() -> dict[str, str]:
    """Return this environment without its proxies, which could not reach servers on this machine."""
    return {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
