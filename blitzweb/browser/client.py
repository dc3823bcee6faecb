"""Commands and events of one Chrome: one reader thread, a lock per pending command, handlers per session.

A pending command may be ended early: by a dialog that blocks the page, a crash, a cancel, the end of the connection.
Handlers run in the reader thread and must not block; they may send without waiting.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, TypeVar

from blitzweb.browser.cdp import Answer, Event, decode_message, encode_command
from blitzweb.browser.failures import BrowserGone, CommandFailed, CommandTimedOut
from blitzweb.browser.transport import Transport, TransportClosed
from blitzweb.timing import Deadline

Handler = Callable[[str, Mapping[str, Any]], None]
T = TypeVar("T")


class Pending:
    """A command that was sent. The first outcome counts: the answer, or what ended the wait for it."""

    __slots__ = ("_done", "_lock", "_outcome", "_settled", "method", "notify", "session")

    def __init__(self, method: str, session: str) -> None:
        self.method = method
        self.session = session
        self._outcome: Mapping[str, Any] | Exception = {}
        self._settled = False
        self._lock = threading.Lock()
        self._done = threading.Lock()
        self._done.acquire()
        self.notify: Callable[[], object] | None = None  # told when there is an outcome; set before one is waited for

    def settle(self, outcome: Mapping[str, Any] | Exception) -> None:
        """Give the outcome, once."""
        with self._lock:
            if self._settled:
                return
            self._settled, self._outcome = True, outcome
        self._done.release()
        if self.notify is not None:
            self.notify()

    @property
    def settled(self) -> bool:
        """Tell whether there is an outcome."""
        return self._settled

    def wait(self, deadline: Deadline) -> Mapping[str, Any]:
        """Return the answer.

        Raises:
            CommandFailed: Chrome says that it cannot be done.
            CommandTimedOut: there was no answer in time.
            BrowserGone, …: what ended the wait.
        """
        if not self._done.acquire(timeout=deadline.remaining()):
            raise CommandTimedOut(self.method)
        self._done.release()
        if isinstance(self._outcome, Exception):
            raise self._outcome
        return self._outcome


class Client:
    """Owns the transport and the reader thread; `close` ends both."""

    def __init__(
        self,
        transport: Transport,
        *,
        on_gone: Callable[[], object] = lambda: None,
        complain: Callable[[str], object] = lambda _text: None,
    ) -> None:
        self._transport = transport
        self._on_gone = on_gone
        self._complain = complain
        self._lock = threading.Lock()  # guards the tables
        self._number = 0
        self._pending: dict[int, Pending] = {}
        self._handlers: dict[str, Handler] = {}
        self._gone: BrowserGone | None = None
        self._thread = threading.Thread(target=self._read, name="blitzweb-cdp", daemon=True)

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    @property
    def gone(self) -> bool:
        """Tell whether the connection has ended."""
        return self._gone is not None

    def check(self) -> None:
        """Raise if the connection has ended."""
        if self._gone is not None:
            raise self._gone

    def on(self, session: str, handler: Handler | None) -> None:
        """Have a session's events handled; None forgets them."""
        with self._lock:
            if handler is None:
                self._handlers.pop(session, None)
            else:
                self._handlers[session] = handler

    def send(self, method: str, params: Mapping[str, Any], session: str = "") -> Pending:
        """Send a command; never blocks for its answer. What cannot be sent is a pending command that has failed."""
        pending = Pending(method, session)
        with self._lock:
            if self._gone is not None:
                pending.settle(self._gone)
                return pending
            self._number += 1
            number = self._number
            self._pending[number] = pending
        try:
            self._transport.send(encode_command(number, method, params, session))
        except TransportClosed as closed:
            self._end(str(closed))
        return pending

    def interrupt(self, error: Exception, sessions: Iterable[str]) -> None:
        """End the wait for all commands of these sessions."""
        wanted = frozenset(sessions)
        with self._lock:
            ended = {number: pending for number, pending in self._pending.items() if pending.session in wanted}
            for number in ended:
                del self._pending[number]
        for pending in ended.values():
            pending.settle(error)

    def close(self) -> None:
        """End the connection and the thread; commands that are pending end with it."""
        self._transport.close()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(1.0)

    def _read(self) -> None:
        try:
            while True:
                message = decode_message(self._transport.receive())
                if isinstance(message, Answer):
                    self._answer(message)
                elif isinstance(message, Event):
                    self._handle(message)
        except TransportClosed as closed:
            self._end(str(closed))

    def _answer(self, answer: Answer) -> None:
        with self._lock:
            pending = self._pending.pop(answer.id, None)
        if pending is not None:
            error = answer.error
            pending.settle(answer.result if error is None else CommandFailed(pending.method, error))

    def _handle(self, event: Event) -> None:
        with self._lock:
            handler = self._handlers.get(event.session)
        if handler is None:
            return
        try:
            handler(event.method, event.params)
        except Exception as error:  # an event that we misread must not end the connection
            self._complain(f"an event of the browser could not be handled ({event.method}): {error!r}")

    def _end(self, why: str) -> None:
        with self._lock:
            if self._gone is not None:
                return
            self._gone = BrowserGone(why)
            pending, self._pending = self._pending, {}
        for one in pending.values():
            one.settle(self._gone)
        with suppress(Exception):
            self._on_gone()
