"""What tests of fetching share: the request, scripts for raw servers, and a network that is all on loopback."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Mapping

from blitzweb.errors import FetchFailed
from blitzweb.net.dialer import AddressRule
from blitzweb.net.fetch import Fetcher, Plan, Response
from blitzweb.net.resolver import is_literal
from blitzweb.policy.urls import parse_url
from blitzweb.timing import CancelToken, Deadline
from tests.support.raw_server import Script

LOCAL = AddressRule(opened=True)
PLAN = Plan(max_bytes=100_000, headers={"User-Agent": "test"}, rule=LOCAL)
LIMIT = 0.6  # seconds: a deadline of a test that waits for it
OK = b"HTTP/1.1 200 OK\r\n"


def fetch(
    url: str,
    plan: Plan = PLAN,
    *,
    fetcher: Fetcher | None = None,
    seconds: float = 5,
    cancel: CancelToken | None = None,
    decide_hop: Callable[..., object] = lambda *_: None,
) -> Response:
    """Fetch with a fetcher of the test's, or with a new one that is closed afterwards."""
    used = fetcher or Fetcher(environ={})
    try:
        return used.fetch(
            parse_url(url), plan, deadline=Deadline(seconds), cancel=cancel or CancelToken(), decide_hop=decide_hop
        )
    finally:
        if fetcher is None:
            used.close()


def answering(response: bytes, *, keep: bool = False) -> Script:
    """Answer every request with the same bytes."""

    def script(connection: socket.socket, _head: bytes, _closing: threading.Event) -> bool:
        connection.sendall(response)
        return keep

    return script


def dripping(start: bytes, drop: bytes) -> Script:
    """Begin an answer, and never end it."""

    def script(connection: socket.socket, _head: bytes, closing: threading.Event) -> None:
        connection.sendall(start)
        while not closing.wait(0.02):
            connection.sendall(drop)

    return script


class Names:
    """A resolver: the answers of successive look-ups of each name, of which the last repeats."""

    def __init__(self, lookups: Mapping[str, list[list[str]]]) -> None:
        self._lookups = {name: list(answers) for name, answers in lookups.items()}
        self.asked: list[str] = []

    def resolve(self, host: str, deadline: Deadline, cancel: CancelToken) -> list[str]:
        """Answer as the system would."""
        if is_literal(host):
            return [host]
        self.asked.append(host)
        answers = self._lookups.get(host, [[]])
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        if answer in ([], ["SERVFAIL"], ["TIMEOUT"]):
            raise FetchFailed(f"{host} does not resolve (dns)", phase="dns")
        return answer


class Wires:
    """Connects: whatever address is dialled, a server on loopback answers, or the dial ends as `endings` says."""

    def __init__(self, ports: Callable[[int], int], endings: Mapping[str, str] | None = None) -> None:
        self._ports = ports
        self._endings = endings or {}
        self.dialled: list[tuple[str, int]] = []

    def __call__(self, address: str, port: int, seconds: float, cancel: CancelToken) -> socket.socket:
        """Dial."""
        self.dialled.append((address, port))
        ending = self._endings.get(address)
        if ending == "silent":
            cancel.wait(seconds)
            raise TimeoutError
        if ending is not None:
            raise ConnectionRefusedError if ending == "refused" else ConnectionResetError
        with socket.create_connection(("127.0.0.1", self._ports(port)), seconds) as connected:
            return _Declared(connected.detach(), (address, port))


class _Declared(socket.socket):
    """A connection whose other end says that it is what was dialled."""

    def __init__(self, number: int, peer: tuple[str, int]) -> None:
        super().__init__(fileno=number)
        self._peer = peer

    def getpeername(self) -> tuple[str, int]:
        return self._peer
