"""What work is given while it runs: its id, clock, cancel token, and the ways back to the host.

`Answer` is the exactly-once gate between work that may finish late and the host. Ids: WIRE-12, WIRE-33.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from blitzweb.errors import ProtocolError
from blitzweb.timing import CancelToken, Deadline
from blitzweb.wire.messages import Id

Report = Callable[[float, float | None, str], None]


class HostCalls(Protocol):
    """Requests and notifications to the host."""

    def request(self, method: str, params: Mapping[str, Any], *, cancel: CancelToken) -> Any:
        """Ask the host and block until it answers; no deadline runs here.

        Raises:
            CallCancelled: the token was cancelled, or the connection ended.
            HostFailed: the host answered with an error.
            Overloaded: the host does not read, so that it cannot be asked.
        """
        ...

    def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """Tell the host; never blocks. What a host that does not read has no room for is dropped and counted."""
        ...


class HostLink(Protocol):
    """What outlives every call of a connection."""

    @property
    def host(self) -> HostCalls:
        """Return the way to the host."""
        ...


class Connection(HostLink, Protocol):
    """The connection that a call belongs to."""

    def snapshot(self) -> dict[str, int]:
        """Return figures for `$/status`: calls running and waiting, bytes that wait, answers dropped."""
        ...

    def watch_host(self, pid: int) -> None:
        """End the daemon when this process ends; `initialize` calls it with `host.pid`."""
        ...

    def send_progress(self, method: str, params: Mapping[str, Any]) -> None:
        """Send a notification of progress, unless the host is behind with reading."""
        ...


class Reply(Protocol):
    """Where the outcome of one request goes."""

    def result(self, value: Any) -> None:
        """Answer with a result."""
        ...

    def error(self, error: ProtocolError) -> None:
        """Answer with an error, or with nothing where the protocol leaves cancelled calls unanswered."""
        ...


class Answer:
    """Lets the first outcome through and drops the others. Safe from any thread.

    Nothing runs under its lock but a queueing that cannot block.
    """

    def __init__(self, reply: Reply) -> None:
        self._reply = reply
        self._lock = threading.Lock()
        self._given = False

    def is_given(self) -> bool:
        """Tell whether the request was answered; once true, it stays true."""
        return self._given

    def result(self, value: Any) -> None:
        """Answer with a result, unless it was answered."""
        if self._claim():
            self._reply.result(value)

    def error(self, error: ProtocolError) -> None:
        """Answer with an error, unless it was answered."""
        if self._claim():
            self._reply.error(error)

    def before(self, queue: Callable[[], None]) -> None:
        """Queue something that must not come after the answer."""
        with self._lock:
            if not self._given:
                queue()

    def _claim(self) -> bool:
        with self._lock:
            first, self._given = not self._given, True
        return first


class Running:
    """One call. Work sets `phase` as it goes on: the text of a deadline that passes names it."""

    def __init__(
        self, identity: Id, connection: Connection, answer: Answer, *, deadline: Deadline, cancel: CancelToken
    ) -> None:
        self.id = identity
        self.connection = connection
        self.answer = answer
        self.deadline = deadline
        self.cancel = cancel
        self.phase = "waiting"

    @property
    def host(self) -> HostCalls:
        """Return the way to the host."""
        return self.connection.host

    def enter(self, phase: str) -> None:
        """Say which phase the call is in."""
        self.phase = phase

    def progress(self, token: str | int | None, *, method: str = "$/progress", member: str = "token") -> Report:
        """Return a function (progress, total, message) that tells the host; without a token it tells nobody.

        `method` is the notification, and `member` what it calls the token.
        """

        def report(progress: float, total: float | None, message: str) -> None:
            params = {member: token, "progress": progress, "message": message}
            if total is not None:
                params["total"] = total
            self.answer.before(lambda: self.connection.send_progress(method, params))

        return report if token is not None else _report_nothing


def _report_nothing(_progress: float, _total: float | None, _message: str) -> None:
    return
