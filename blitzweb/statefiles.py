"""Files of ours under `state_dir`: folders 0700, files 0600, and a file appears whole or not at all (SETTING-06)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress


def ensure_private_folder(path: str) -> None:
    """Make a folder, and those above it, readable by the owner alone; one that stands is left as it is.

    Raises:
        OSError: it cannot be made.
    """
    if os.path.isdir(path):
        return
    above = os.path.dirname(path)
    if above and above != path:
        ensure_private_folder(above)
    with suppress(FileExistsError):  # another process was as quick
        os.mkdir(path, 0o700)


def write_private(path: str, data: bytes) -> None:
    """Put a file in place whole: written beside it, synced, renamed.

    Raises:
        OSError: it cannot be written; the old file still stands.
    """
    ensure_private_folder(os.path.dirname(path))
    temporary = f"{path}.{os.getpid()}.tmp"
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def append_private(path: str, line: bytes) -> None:
    """Add one line, in one write, so that the lines of two daemons never mix.

    Raises:
        OSError: it cannot be written.
    """
    ensure_private_folder(os.path.dirname(path))
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        os.write(fd, line)
    finally:
        os.close(fd)


@contextmanager
def locked(path: str) -> Iterator[None]:
    """Hold a file's lock against other processes for the block, by a file beside it.

    Raises:
        OSError: the lock cannot be had.
    """
    import fcntl

    ensure_private_folder(os.path.dirname(path))
    fd = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)  # which gives the lock back
