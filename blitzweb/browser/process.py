"""One Chrome process: started under guard, watched while it starts, ended with its whole group (WEB-30, BROWSER-01)."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import threading
import time
from collections import deque
from typing import Final

from blitzweb.browser.guard import PIPE, guarded, kill_group
from blitzweb.browser.profile import make_profile, remove_profile
from blitzweb.browser.switches import Launch, command_line, write_preferences
from blitzweb.errors import BrowserUnavailable
from blitzweb.limits import BROWSER_CLOSE_SECONDS, MAX_STDERR_LINE_BYTES
from blitzweb.timing import CancelToken, Deadline

_POLL_SECONDS: Final = 0.001  # of the port's file: a start is a matter of milliseconds
_LAST_LINES: Final = 3  # of what Chrome said, in the error
_FIRST_FREE: Final = 10  # descriptors are moved above those that the child is given


class ChromeProcess:
    """Owns the process, its profile, the pipe to its guard, and the thread that reads what it says on stderr."""

    def __init__(self, launch: Launch, proxy_port: int | None) -> None:
        self.profile = make_profile()
        self.downloads = os.path.join(self.profile, "blitzweb-downloads")  # until they are approved
        self.reading = self.writing = -1  # of CDP over pipes; the transport takes them over
        self._said: deque[str] = deque(maxlen=_LAST_LINES)
        self._exit: int | None = None
        self._reaping = threading.Lock()
        try:
            write_preferences(self.profile)
            self._start(launch, command_line(launch, self.profile, proxy_port))
        except OSError as error:
            remove_profile(self.profile)
            raise BrowserUnavailable(
                f"{launch.program.path} could not be started ({error.strerror})", advice="see blitzweb doctor"
            ) from None

    def wait_for_endpoint(self, deadline: Deadline, cancel: CancelToken) -> tuple[int, str]:
        """Return the port that Chrome listens on for CDP, and the websocket's path.

        Raises:
            BrowserUnavailable: Chrome ended, or did not come up in time; with the last lines that it said.
        """
        file = os.path.join(self.profile, "DevToolsActivePort")
        while True:
            if found := _read_endpoint(file):
                return found
            self.check_start(deadline, cancel)
            time.sleep(_POLL_SECONDS)

    def check_start(self, deadline: Deadline, cancel: CancelToken) -> None:
        """Raise if there is no use in waiting any longer."""
        cancel.check()
        if self.exit_code() is not None:
            raise BrowserUnavailable(f"the browser ended while it started ({self.describe_exit()}){self._last_words()}")
        if deadline.expired:
            raise BrowserUnavailable(
                f"the browser did not start within {deadline.seconds:g} s{self._last_words()}",
                advice="the machine may be overloaded: try again, or see blitzweb doctor",
            )

    def exit_code(self) -> int | None:
        """Return how the process ended, negative for a signal; None while it runs. Reaps it."""
        with self._reaping:
            if self._exit is None:
                with contextlib.suppress(ChildProcessError):
                    ended, status = os.waitpid(self.pid, os.WNOHANG)
                    if ended:
                        self._exit = os.waitstatus_to_exitcode(status)
            return self._exit

    def describe_exit(self) -> str:
        """Return how it ended, in words."""
        code = self.exit_code()
        if code is None:
            return "it still runs"
        return f"ended by signal {-code}" if code < 0 else f"exit code {code}"

    def end(self, *, gently: bool) -> None:
        """End the process with its group, reap it, and remove the profile. `gently` where it was asked to close."""
        if gently:
            self._await_exit(BROWSER_CLOSE_SECONDS)
        kill_group(self.pid)
        self._await_exit(BROWSER_CLOSE_SECONDS)
        with contextlib.suppress(OSError):
            os.close(self._guard)
        self._reader.join(BROWSER_CLOSE_SECONDS)
        remove_profile(self.profile)

    def _start(self, launch: Launch, command: list[str]) -> None:
        hear, say = _pipe()  # stderr
        guard_end, self._guard = _pipe()
        null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        given = [(null, 0), (null, 1), (say, 2), (guard_end, PIPE)]
        ours = [hear, self._guard]
        if launch.transport == "pipe":
            theirs_in, self.writing = _pipe()
            self.reading, theirs_out = _pipe()
            given += [(theirs_in, 3), (theirs_out, 4)]
            ours += [self.reading, self.writing]
        actions = [(os.POSIX_SPAWN_DUP2, source, target) for source, target in given]
        try:
            self.pid = os.posix_spawn(
                "/bin/sh", guarded(command, self.profile), os.environ, file_actions=actions, setpgroup=0
            )
        except OSError:
            for descriptor in ours:
                os.close(descriptor)
            raise
        finally:
            for source in {source for source, _ in given}:
                os.close(source)
        self._reader = threading.Thread(target=self._listen, args=(hear,), name="blitzweb-chrome-stderr", daemon=True)
        self._reader.start()

    def _listen(self, hear: int) -> None:
        """Keep the last lines of stderr; ends when the last process that can write there has ended."""
        with open(hear, encoding="utf-8", errors="replace") as lines:
            while line := lines.readline(MAX_STDERR_LINE_BYTES):
                if line.strip():
                    self._said.append(line.strip())

    def _last_words(self) -> str:
        if self.exit_code() is not None:
            self._reader.join(BROWSER_CLOSE_SECONDS)  # it ended, so that there is an end to what it said
        return "".join(f"\n{line}" for line in list(self._said))

    def _await_exit(self, seconds: float) -> None:
        deadline = Deadline(seconds)
        while self.exit_code() is None and not deadline.expired:
            time.sleep(_POLL_SECONDS)


def _pipe() -> tuple[int, int]:
    """Return a pipe whose descriptors are no number that the child is given: one that is would be closed there."""
    ends = os.pipe()
    moved = tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, _FIRST_FREE) for end in ends)
    for end in ends:
        os.close(end)
    return moved[0], moved[1]


def _read_endpoint(file: str) -> tuple[int, str] | None:
    """Return port and path once the file is whole: Chrome writes it in one go, but not at one instant."""
    try:
        with open(file, encoding="ascii") as lines:
            port, _, path = lines.read().partition("\n")
    except OSError as error:
        if error.errno == errno.ENOENT:
            return None
        raise
    return (int(port), path.strip()) if port.isdecimal() and path.startswith("/devtools/") else None
