"""Temporary profiles: one 0700 folder per browser, named with its owner, swept when the owner is gone (BROWSER-01)."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from typing import Final

from blitzweb.errors import BrowserUnavailable

_NAME: Final = re.compile(r"(\d+)-(\d+)-[0-9a-z_]+")


def make_profile() -> str:
    """Return a new empty profile, named PID-STARTED-RANDOM after this process."""
    root = _root()
    try:
        os.makedirs(root, mode=0o700, exist_ok=True)
        if os.stat(root).st_uid != os.geteuid() or os.path.islink(root):
            raise BrowserUnavailable(
                f"the folder for profiles, {root}, belongs to somebody else", advice="remove it, or set TMPDIR"
            )
        os.chmod(root, 0o700)
        return tempfile.mkdtemp(prefix=f"{os.getpid()}-{started(os.getpid())}-", dir=root)
    except OSError as error:
        raise BrowserUnavailable(
            f"no profile could be made in {root} ({error.strerror})", advice="free some space there, or set TMPDIR"
        ) from None


def remove_profile(profile: str) -> None:
    """Remove a profile; what cannot be removed now is swept at the next start."""
    shutil.rmtree(profile, ignore_errors=True)


def sweep_profiles() -> list[str]:
    """Remove the profiles whose owner is gone; return them."""
    root, swept = _root(), []
    try:
        names = os.listdir(root)
    except OSError:
        return []
    for name in names:
        found = _NAME.fullmatch(name)
        if found and started(int(found[1])) != int(found[2]):
            remove_profile(os.path.join(root, name))
            swept.append(name)
    return swept


def started(pid: int) -> int:
    """Return when a process was started, in a unit of the system's own; 0 if there is no such process."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[19])
    except FileNotFoundError:
        return _started_elsewhere(pid)
    except (OSError, IndexError, ValueError):
        return 0


def _started_elsewhere(pid: int) -> int:
    """Ask psutil where there is no /proc."""
    if os.path.isdir("/proc/self"):
        return 0
    from blitzweb.browser.guard import started_at

    return started_at(pid)


def _root() -> str:
    return os.path.join(tempfile.gettempdir(), f"blitzweb-{os.geteuid()}")
