"""The daemon's log: one line an entry, on stderr and perhaps in a file; it never blocks and never raises.

A host may give us a stderr that nobody reads. A full pipe must not stop the reader or a call, so that an entry which
does not fit is dropped and counted. What libraries say through `logging` comes in by `forward_logging`.
Ids: WIRE-06, WIRE-16, AUDIT-04.
"""

from __future__ import annotations

import os
import select
import stat
import threading
import time
from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import logging

LEVELS = ("debug", "info", "warning", "error")
_WARNING, _ERROR = 2, 3

# What a pipe takes whole or not at all (POSIX: at least 512, Linux 4096), and what `poll` promises room for.
_ENTRY_BYTES = min(select.PIPE_BUF, 4096)


class Log:
    """Writes entries at or above a level; safe from any thread. `mask` takes the secrets out of every entry.

    `tell` gets level and text of each warning and error, for a host that shows them; tracebacks stay here.
    """

    def __init__(self, *, level: str = "info", fd: int = 2, mask: Callable[[str], str] = str) -> None:
        self.mask = mask
        self.tell: Callable[[str, str], object] | None = None
        self._threshold = LEVELS.index(level)
        self._lock = threading.Lock()  # guards the sinks; what is done under it cannot block
        self._fd = fd
        self._file: int | None = None
        self._dropped = 0
        self._faults = count(1)

    def configure(self, *, level: str, file: str = "") -> None:
        """Change the level, and copy the log to a regular file as well; an unusable file is said in the log."""
        self._threshold = LEVELS.index(level)
        with self._lock:
            previous, self._file = self._file, None
        if previous is not None:
            os.close(previous)
        if file:
            self._open_file(file)

    def debug(self, text: str) -> None:
        """Say what only someone who hunts a fault of ours wants to read."""
        self._say(0, text)

    def info(self, text: str) -> None:
        """Say what happens once in a while and is as it should be."""
        self._say(1, text)

    def warning(self, text: str) -> None:
        """Say what is not as it should be and was coped with."""
        self._say(2, text)

    def error(self, text: str) -> None:
        """Say what failed."""
        self._say(3, text)

    def fault(self, error: BaseException, doing: str) -> str:
        """Log a fault of ours with its traceback; return the id that finds it."""
        import traceback

        fault_id = f"{os.getpid():x}-{next(self._faults)}"
        self.error(f"fault {fault_id} while {doing}: {type(error).__name__}")
        for line in "".join(traceback.format_exception(error)).splitlines():
            self._write(_ERROR, f"fault {fault_id} | {line}")
        return fault_id

    def _say(self, level: int, text: str) -> None:
        self._write(level, text)
        if level >= _WARNING and self.tell is not None:
            self.tell(LEVELS[level], " ".join(self.mask(text).splitlines()))

    def _write(self, level: int, text: str) -> None:
        if level < self._threshold:
            return
        line = " ".join(self.mask(text).splitlines())
        entry = f"{_timestamp()} {LEVELS[level]} {line}".encode(errors="replace")[: _ENTRY_BYTES - 1] + b"\n"
        with self._lock:
            self._write_stderr(entry)
            if self._file is not None:
                _write(self._file, entry)

    def _write_stderr(self, entry: bytes) -> None:
        if self._dropped and _has_room(self._fd):
            note = f"{_timestamp()} warning {self._dropped} log entries were dropped: nobody read stderr\n"
            self._dropped = 0
            _write(self._fd, note.encode())
        if not _has_room(self._fd):
            self._dropped += 1
            return
        _write(self._fd, entry)

    def _open_file(self, file: str) -> None:
        try:
            # O_NONBLOCK: opening a named pipe that has no reader must fail rather than wait.
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NONBLOCK
            fd = os.open(os.path.expanduser(file), flags, 0o600)
        except OSError as error:
            self.warning(f"log.file {file!r} cannot be opened ({error.strerror}); the log is on stderr only")
            return
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            os.close(fd)
            self.warning(f"log.file {file!r} is no regular file; the log is on stderr only")
            return
        with self._lock:
            self._file = fd


def forward_logging(log: Log) -> None:
    """Send what libraries log at WARNING and above to our log, masked, instead of raw to stderr."""
    import logging

    class Forward(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            say = log.error if record.levelno >= logging.ERROR else log.warning
            say(f"{record.name}: {record.getMessage()}")
            if record.exc_info and record.exc_info[1] is not None:
                log.fault(record.exc_info[1], f"{record.name} was at work")

    logging.raiseExceptions = False
    root = logging.getLogger()
    root.handlers[:] = [Forward()]
    root.setLevel(logging.WARNING)


def _has_room(fd: int) -> bool:
    poller = select.poll()
    try:
        poller.register(fd, select.POLLOUT)
        return bool(poller.poll(0))
    except OSError:
        return False


def _write(fd: int, entry: bytes) -> None:
    """Write an entry; a log that cannot be written (reader gone, disk full) has nobody left to be told."""
    try:
        os.write(fd, entry)
    except OSError:
        return


def _timestamp() -> str:
    now = time.time()
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(now))}.{int(now % 1 * 1000):03d}Z"
