"""What must be true of Chrome's processes: none outlives the daemon, whatever ends it (BROWSER-01).

Chrome is started by a shell that first leaves a guard behind: a process in Chrome's own group that waits for the end of
a pipe whose other end only the daemon holds. However the daemon ends, the pipe ends with it; the guard then kills
Chrome, its children and itself, and removes the profile. The shell itself becomes Chrome, so that its exit code is ours
to see.
"""

from __future__ import annotations

import contextlib
import os
import signal
from typing import Final

# $1 is the profile, the rest Chrome's command. `$$` is Chrome's own pid, also in the part that runs beside it.
# Its children end with it, and may write for a moment longer: hence the second and third look.
# Descriptor 5 is the pipe; 3 and 4 are Chrome's own where it is driven over pipes, and closed in the guard.
_GUARDED: Final = """
profile=$1; shift
(
  trap '' TERM INT HUP
  read -r _ <&5
  kill -KILL $$
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    rm -rf "$profile"
    [ -e "$profile" ] || break
    sleep 0.05
  done
  kill -KILL 0
) >&- 2>&- 3<&- 4>&- &
exec "$@" 5<&-
"""
PIPE: Final = 5


def guarded(command: list[str], profile: str) -> list[str]:
    """Return the command that starts another one under guard."""
    return ["/bin/sh", "-c", _GUARDED, "blitzweb-browser", profile, *command]


def kill_group(pid: int) -> None:
    """Kill a browser with all its children; `pid` is its own, which is its group's."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def started_at(pid: int) -> int:
    """Return when a process was started, in milliseconds; 0 if there is none."""
    import psutil

    try:
        return int(psutil.Process(pid).create_time() * 1000)
    except psutil.Error:
        return 0
