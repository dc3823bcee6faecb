"""Which browser would be started, and what its version is: for `doctor` (WEB-30)."""

from __future__ import annotations

import subprocess
from typing import NamedTuple

from blitzweb.browser.find import find_browser
from blitzweb.limits import BROWSER_START_SECONDS


class Health(NamedTuple):
    """The program, and what it says of itself; "" where it says nothing."""

    path: str
    version: str


def look(*, path: str, engine: str, visible: bool) -> Health:
    """Return the browser that would be started.

    Raises:
        BrowserUnavailable: there is none.
    """
    program = find_browser(path=path, engine=engine, visible=visible)
    try:
        said = subprocess.run(
            [program.path, "--version"],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=BROWSER_START_SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        said = ""
    return Health(program.path, said.strip().partition("\n")[0])
