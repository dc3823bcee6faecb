"""One tab: its CDP session, its frames, and what has happened in it; the events come in through `tab_events` (WEB-31).

The reader thread writes, an action reads and waits; `changed` guards it all and is never held over I/O that may block.
What an action waits for ends with an error as soon as the page crashed, was closed, or opened a dialog.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, Protocol

from blitzweb.browser.client import Pending
from blitzweb.browser.failures import DialogOpened, PageClosed, PageCrashed
from blitzweb.browser.frames import Frame, FrameTree
from blitzweb.browser.navigation import Navigation
from blitzweb.browser.page_console import ConsoleRing
from blitzweb.browser.requests import Requests
from blitzweb.browser.session import Session
from blitzweb.browser.troubles import Troubles
from blitzweb.limits import MAX_NOTES, MAX_REFUSED, MAX_SECRETS
from blitzweb.policy.verdicts import Ask, Verdict
from blitzweb.timing import CancelToken, Deadline


class Dialog(NamedTuple):
    """A dialog that waits for its answer."""

    type: str  # "confirm" or "prompt"
    message: str
    default: str
    session: str  # that it must be answered in


class DialogAnswer(NamedTuple):
    """How a dialog is answered; `text` is a prompt's."""

    accept: bool
    text: str | None = None


class PausedLoad(NamedTuple):
    """A load of the main frame that waits for a person's answer."""

    request: str
    url: str
    method: str
    verdict: Ask


class Loads(Protocol):
    """Decides the loads that a page starts by itself (WEB-34)."""

    def decide(self, current_host: str, url: str, method: str) -> Verdict | None:
        """Return whether the main frame may go from a host to a URL; None where it stays on the host."""
        ...


class Attendant(Protocol):
    """The action that runs: it has a person to ask."""

    def settle(self, load: PausedLoad) -> None:
        """Return if the load may go on. Blocks while a person thinks.

        Raises:
            Refused: it may not.
            CallCancelled: the action was cancelled meanwhile.
        """
        ...


class Tab:
    """Owned by its `Chrome`. `id` is shown and never used again; `host` is the last one that was approved here."""

    def __init__(
        self, identity: str, target: str, session: Session, loads: Loads, troubles: Troubles, *, host: str = ""
    ) -> None:
        self.id = identity
        self.target = target
        self.session = session
        self.loads = loads
        self.troubles = troubles
        self.changed = threading.Condition()
        self.frames = FrameTree(target, session.id)
        self.sessions: dict[str, Session] = {session.id: session}  # with those of frames in other processes
        self.navigation = Navigation()
        self.console = ConsoleRing()
        self.requests = Requests()
        self.host = host
        self.hosts = {host} if host else set()  # all that were approved: history leads back to them
        self.title = ""
        self.ready: Pending | None = None  # settled once the tab is under guard: events of a load before that are lost
        self.dialog: Dialog | None = None
        self.next_answer: DialogAnswer | None = None  # given before there was a dialog
        self.attendant: Attendant | None = None
        self.paused: deque[PausedLoad] = deque()
        self.refused: dict[str, None] = {}  # texts, in order, once each
        self.notes: list[str] = []
        self.windows_opened = 0
        self.downloads_begun = 0
        self.secrets: dict[str, None] = {}
        self.crashed = False
        self.suspect = False  # an action ran out of time here: it may react to nothing any more
        self.closed = False
        self.recording_requests = False
        self.troubles_told = troubles.mark  # what the action `network` has told of the proxy's refusals
        self.bypassing_workers = False  # requests are told all the time then: Chrome ties the one to the other

    @property
    def url(self) -> str:
        """What the main frame shows."""
        return self.frames.main.url or "about:blank"

    # --- what happens -----------------------------------------------------------------------------------------------

    def note(self, text: str) -> None:
        """Keep something that the next result must tell."""
        with self.changed:
            if text not in self.notes and len(self.notes) < MAX_NOTES:
                self.notes.append(text)

    def refuse(self, text: str) -> None:
        """Keep a refusal that the next result must tell."""
        with self.changed:
            if len(self.refused) < MAX_REFUSED:
                self.refused[text] = None
            self.changed.notify_all()

    def take_refused(self) -> tuple[str, ...]:
        """Return the refusals since the last time."""
        with self.changed:
            taken = tuple(self.refused)
            self.refused.clear()
            return taken

    def take_notes(self) -> list[str]:
        """Return what happened by itself since the last time."""
        with self.changed:
            taken, self.notes = self.notes, []
            return taken

    def remember_secrets(self, values: Iterable[str]) -> None:
        """Keep values that no result may show."""
        with self.changed:
            for value in values:
                if len(self.secrets) >= MAX_SECRETS and value not in self.secrets:
                    del self.secrets[next(iter(self.secrets))]
                self.secrets[value] = None

    def approve(self, host: str) -> None:
        """Note that a host may be gone to: it is the current one from now on."""
        with self.changed:
            self.host = host
            self.hosts.add(host)

    def interrupt(self, error: Exception) -> None:
        """End what waits for this tab, and wake whoever waits for a change."""
        self.session.client.interrupt(error, list(self.sessions))
        with self.changed:
            self.changed.notify_all()

    # --- waiting ----------------------------------------------------------------------------------------------------

    def check(self) -> None:
        """Raise if nothing can go on in this tab now."""
        if self.crashed:
            raise PageCrashed
        if self.closed:
            raise PageClosed
        if self.dialog is not None:
            raise DialogOpened

    def wait(self, done: Callable[[], bool], deadline: Deadline, cancel: CancelToken) -> bool:
        """Wait until something is so, and tell whether it became so; meanwhile the person is asked about loads.

        Raises:
            DialogOpened, PageCrashed, PageClosed, BrowserGone, CallCancelled: it will not become so.
        """
        with cancel.stopping(self.wake):
            while True:
                with self.changed:
                    cancel.check()
                    self.session.client.check()
                    if done():
                        return True
                    self.check()
                    paused = self.paused.popleft() if self.paused else None
                    if paused is None and (deadline.expired or not self.changed.wait(deadline.remaining())):
                        return done()
                if paused is not None:
                    self._ask(paused)

    def await_answer(self, pending: Pending, deadline: Deadline, cancel: CancelToken) -> Mapping[str, Any]:
        """Return the answer to a command that may take as long as a page does; see `wait`."""
        pending.notify = self.wake
        self.wait(lambda: pending.settled, deadline, cancel)
        return pending.wait(Deadline(0.0) if not pending.settled else Deadline(1.0))

    def wake(self) -> None:
        """Have whoever waits look again."""
        with self.changed:
            self.changed.notify_all()

    def _ask(self, paused: PausedLoad) -> None:
        attendant = self.attendant
        try:
            if attendant is None:
                self.stop_load(paused.request)
                return
            attendant.settle(paused)
        except BaseException:
            self.stop_load(paused.request)
            raise
        self.continue_load(paused.request)

    def continue_load(self, request: str) -> None:
        """Let a paused load go on; the answer is not waited for."""
        self.session.send("Fetch.continueRequest", requestId=request)

    def stop_load(self, request: str) -> None:
        """End a paused load; the page stays as it is."""
        self.session.send("Fetch.failRequest", requestId=request, errorReason="Aborted")

    def attend(self, attendant: Attendant | None) -> None:
        """Have an action answer for the tab, or nobody: what still waits for a person is refused then."""
        with self.changed:
            self.attendant = attendant
            left = list(self.paused) if attendant is None else []
            if attendant is None:
                self.paused.clear()
        for paused in left:
            self.stop_load(paused.request)

    # --- frames -----------------------------------------------------------------------------------------------------

    def all_frames(self) -> list[Frame]:
        """Return the frames, the main one first."""
        with self.changed:
            return list(self.frames)

    def session_of(self, frame: Frame) -> Session:
        """Return the session that a frame is driven through."""
        return self.sessions.get(frame.session, self.session)
