"""Look-ups: names to addresses by the system's resolver, on bounded threads that nothing can wake.

`getaddrinfo` cannot be interrupted. Each look-up has a daemon thread of its own; a caller whose deadline passes or
whose call is cancelled leaves it behind. At most `MAX_LOOKUPS` are under way; when all are stuck, new ones are refused.
Nothing here judges an address.
"""

from __future__ import annotations

import ipaddress
import socket
import threading
from functools import lru_cache
from typing import Protocol

from blitzweb.errors import FetchFailed
from blitzweb.limits import MAX_LOOKUPS
from blitzweb.net.failures import Phase, timed_out
from blitzweb.timing import CancelToken, Deadline


class Resolver(Protocol):
    """Turns a canonical host into the addresses to judge, in the order to try them."""

    def resolve(self, host: str, deadline: Deadline, cancel: CancelToken) -> list[str]:
        """Return at least one address.

        Raises:
            FetchFailed: the name has none, or the look-up failed or took too long; phase "dns".
            CallCancelled: the call was cancelled meanwhile.
        """
        ...


class _LookUp:
    """One `getaddrinfo` under way. `done` is set by its thread, or by the caller's cancel."""

    def __init__(self, host: str) -> None:
        self.host = host
        self.done = threading.Event()
        self.answers: list[str] = []
        self.error: Exception | None = None
        self.finished = False

    def run(self) -> None:
        try:
            found = socket.getaddrinfo(self.host, None, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
            self.answers = list(dict.fromkeys(_spell(family, address) for family, _, _, _, address in found))
        except Exception as error:  # gaierror; UnicodeError for labels that no DNS message can hold
            self.error = error
        self.finished = True


class SystemResolver:
    """Asks the system. Its threads end when the system answers; at exit they are left behind."""

    def __init__(self, limit: int = MAX_LOOKUPS) -> None:
        self._free = threading.BoundedSemaphore(limit)

    def resolve(self, host: str, deadline: Deadline, cancel: CancelToken) -> list[str]:
        """Return the addresses of a host; a literal is its own."""
        if is_literal(host):
            return [host]
        if not self._free.acquire(blocking=False):
            raise _not_looked_up(host, "too many look-ups are under way and none comes back")
        look_up = _LookUp(host)
        try:
            threading.Thread(target=self._run, args=(look_up,), name="blitzweb-lookup", daemon=True).start()
        except RuntimeError:  # the system has no thread to give
            self._free.release()
            raise _not_looked_up(host, "no thread can be started for it") from None
        with cancel.stopping(look_up.done.set):
            look_up.done.wait(deadline.remaining())
        cancel.check()
        if not look_up.finished:
            raise timed_out(Phase.DNS, host, deadline.seconds)
        if look_up.error is not None or not look_up.answers:
            raise _not_resolved(host, look_up.error)
        return look_up.answers

    def _run(self, look_up: _LookUp) -> None:
        try:
            look_up.run()
        finally:
            self._free.release()
            look_up.done.set()


@lru_cache(maxsize=1024)
def is_literal(host: str) -> bool:
    """Tell whether a host is an address itself."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _spell(family: int, address: tuple[object, ...]) -> str:
    """Return an answer as text, with its scope if it has one, so that nobody judges it without."""
    scoped = family == socket.AF_INET6 and len(address) > 3 and address[3]  # noqa: PLR2004
    return f"{address[0]}%{address[3]}" if scoped else str(address[0])


def _not_looked_up(host: str, why: str) -> FetchFailed:
    text = f"{host} was not looked up: {why} ({Phase.DNS})"
    return FetchFailed(text, phase=Phase.DNS, advice="try again later, or check this machine's DNS server")


def _not_resolved(host: str, error: Exception | None) -> FetchFailed:
    if isinstance(error, socket.gaierror) and error.errno == socket.EAI_AGAIN:
        text, advice = "the DNS server gave no answer", "try again later, or check this machine's DNS server"
    elif isinstance(error, UnicodeError):
        text, advice = "it is no name that can be looked up", "check its spelling"
    else:
        text, advice = "there is no such name", "check its spelling"
    return FetchFailed(f"{host} does not resolve: {text} ({Phase.DNS})", phase=Phase.DNS, advice=advice)
