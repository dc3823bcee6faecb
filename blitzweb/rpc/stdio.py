"""Takes stdin and stdout aside at start, so that the protocol's two streams belong to the reader and the writer alone.

After `take_stdio`, descriptor 1 is stderr and descriptor 0 is empty: a stray print of any library, of C code or of a
child goes to the log, and no child can eat the host's messages. Ids: WIRE-16.
"""

from __future__ import annotations

import os
import sys
from typing import NamedTuple


class Stdio(NamedTuple):
    """The descriptors that the host's messages come from and go to; None where the host gave none."""

    stdin: int | None
    stdout: int | None


def take_stdio() -> Stdio:
    """Move the process's stdin and stdout out of everybody's reach. Call once, before anything prints or is spawned."""
    _ensure_stderr()
    taken = Stdio(_duplicate(0), _duplicate(1))
    null = os.open(os.devnull, os.O_RDWR)
    # Inheritable on purpose: this is what children get.
    os.dup2(null, 0)
    os.dup2(2, 1)
    if null > 2:  # noqa: PLR2004 (0, 1 and 2 stay)
        os.close(null)
    if sys.stderr is not None:
        sys.stdout = sys.stderr  # unbuffered by lines, so that prints appear in the log in their order
    return taken


def _duplicate(fd: int) -> int | None:
    """Return a copy above the three standard ones that children do not inherit; None if the descriptor is closed."""
    try:
        import fcntl

        return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 3)
    except OSError:
        return None


def _ensure_stderr() -> None:
    """Open stderr on nothing if the host closed it: else the next file to be opened would become the log."""
    try:
        os.fstat(2)
    except OSError:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 2)
        if null > 2:  # noqa: PLR2004
            os.close(null)
