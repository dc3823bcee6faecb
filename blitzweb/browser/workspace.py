"""The browser of one workspace: started on first use, anew when it is gone, closed when unused (WEB-30, BROWSER-02).

A call that runs holds the workspace; calls take turns before they get here (one lane per workspace).
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

from blitzweb.browser.chrome import Chrome
from blitzweb.browser.client import Client
from blitzweb.limits import BROWSER_IDLE_SECONDS
from blitzweb.pictures.walkthrough import Finished, Recording
from blitzweb.timing import CancelToken, Deadline

Tell = Callable[[str, Mapping[str, Any]], object]  # a kind of browser/event, and more about it


class Running(Protocol):
    """A browser that runs, here or elsewhere."""

    @property
    def chrome(self) -> Chrome:
        """What is driven."""
        ...

    @property
    def client(self) -> Client:
        """The connection."""
        ...

    @property
    def pid(self) -> int:
        """Its process; 0 for another machine's."""
        ...

    def close(self, *, gently: bool) -> None:
        """End it with all that belongs to it."""
        ...


class Starter(Protocol):
    """Starts a browser for a workspace; `fingerprint` tells whether one that runs still fits the settings."""

    @property
    def fingerprint(self) -> object:
        """What a browser is started with."""
        ...

    def start(self, deadline: Deadline, cancel: CancelToken, on_gone: Callable[[], object]) -> Running:
        """Start one; see `start.start`."""
        ...


class Workspace:
    """Owns the browser, if there is one. The lock guards who owns it, and is not held while it starts or ends."""

    def __init__(self, name: str, tell: Tell, clock: Callable[[], float] = time.monotonic) -> None:
        self.name = name
        self.recording: Recording | None = None
        self.digests: object = None  # what the digest tools know; it outlives a browser
        self._tell = tell
        self._clock = clock
        self._lock = threading.Lock()
        self._running: Running | None = None
        self._fingerprint: object = None
        self._in_use = 0
        self._used = clock()
        self._notes: list[str] = []  # for the next result

    @contextmanager
    def use(self) -> Iterator[None]:
        """Keep the browser from being closed for being unused inside the block."""
        with self._lock:
            self._in_use += 1
        try:
            yield
        finally:
            with self._lock:
                self._in_use -= 1
                self._used = self._clock()

    def get(self, starter: Starter, deadline: Deadline, cancel: CancelToken) -> Chrome:
        """Return the browser, started if there is none that fits.

        Raises:
            BrowserUnavailable: none can be started.
        """
        with self._lock:
            running = self._running
        if running is not None and running.client.gone:
            self.close("crashed", gently=False)
            running = None
        elif running is not None and self._fingerprint != starter.fingerprint:
            self.close(gently=False)
            self._notes.append("the settings of the browser have changed: this is a new one")
            running = None
        if running is None:
            started = starter.start(deadline, cancel, self._gone)
            with self._lock:
                self._running, self._fingerprint = started, starter.fingerprint
            self._tell("opened", {"pid": started.pid})
            running = started
        return running.chrome

    @property
    def chrome(self) -> Chrome | None:
        """The browser, if one runs."""
        running = self._running
        return running.chrome if running is not None and not running.client.gone else None

    def take_notes(self) -> list[str]:
        """Return what the next result must tell of the browser itself."""
        with self._lock:
            taken, self._notes = self._notes, []
            return taken

    def close(self, kind: str = "closed", *, gently: bool = True) -> Finished | None:
        """End the browser; return where the recording that ended with it is."""
        with self._lock:
            running, self._running = self._running, None
            recording, self.recording = self.recording, None
        finished = recording.finish() if recording is not None else None
        if running is not None:
            running.close(gently=gently)
            more = {} if finished is None else {"recording": finished.folder}
            self._tell(kind, more)
        return finished

    def close_if_unused(self) -> float:
        """Close the browser if nothing has used it for long; return the seconds until it is worth looking again."""
        with self._lock:
            unused = self._clock() - self._used
            if self._running is None or self._in_use or unused < BROWSER_IDLE_SECONDS:
                return BROWSER_IDLE_SECONDS if self._running is None or self._in_use else BROWSER_IDLE_SECONDS - unused
        finished = self.close("idle_closed")
        if finished is not None:
            self._notes.append(f"the browser was closed for being unused; the recording is in {finished.folder}")
        return BROWSER_IDLE_SECONDS

    def figures(self) -> dict[str, Any] | None:
        """Return what `$/status` tells of the browser; None if there is none."""
        running = self._running
        if running is None:
            return None
        tab = running.chrome.active
        idle = 0.0 if self._in_use else self._clock() - self._used
        url = tab.url if tab is not None else ""
        return {"workspace": self.name, "pid": running.pid, "url": url, "idle_s": round(idle, 1)}

    def _gone(self) -> None:
        """Take note, in the reader thread, that the connection has ended: wake whoever waits."""
        running = self._running
        if running is not None:
            running.chrome.wake_all()


class Workspaces:
    """All workspaces, and the thread that closes browsers which nobody uses. `close` ends both."""

    def __init__(self, tell: Callable[[str, str, Mapping[str, Any]], object]) -> None:
        self._tell = tell  # workspace, kind, more
        self._lock = threading.Lock()
        self._all: dict[str, Workspace] = {}
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def get(self, name: str) -> Workspace:
        """Return a workspace; it begins without a browser."""
        with self._lock:
            if name not in self._all:
                self._all[name] = Workspace(name, lambda kind, more: self._tell(name, kind, more))
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="blitzweb-browser-idle", daemon=True)
                self._thread.start()
            return self._all[name]

    def find(self, name: str) -> Workspace | None:
        """Return a workspace that has been used."""
        with self._lock:
            return self._all.get(name)

    def figures(self) -> list[dict[str, Any]]:
        """Return what `$/status` tells of each browser."""
        with self._lock:
            workspaces = list(self._all.values())
        return [figures for one in workspaces if (figures := one.figures()) is not None]

    def close(self) -> None:
        """End every browser, at once, and the thread."""
        self._closing.set()
        with self._lock:
            workspaces, thread = list(self._all.values()), self._thread
        enders = [threading.Thread(target=_close_now, args=(one,), name="blitzweb-browser-end") for one in workspaces]
        for ender in enders:
            ender.start()
        for ender in enders:
            ender.join()
        if thread is not None:
            thread.join()

    def _watch(self) -> None:
        seconds = BROWSER_IDLE_SECONDS
        while not self._closing.wait(seconds):
            with self._lock:
                workspaces = list(self._all.values())
            seconds = max(1.0, min((one.close_if_unused() for one in workspaces), default=BROWSER_IDLE_SECONDS))


def _close_now(workspace: Workspace) -> None:
    with contextlib.suppress(Exception):
        workspace.close(gently=False)
