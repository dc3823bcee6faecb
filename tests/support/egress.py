"""What tests of the egress proxy share: a proxy whose network is all on loopback, and clients of it."""

from __future__ import annotations

import base64
import contextlib
import os
import queue
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from blitzweb.egress.answers import Failure, Refusal
from blitzweb.egress.proxy import EgressProxy
from blitzweb.net.dialer import AddressRule, Dialer

TOKEN = "a-token-of-the-tests"
AUTHORIZATION = b"Proxy-Authorization: Basic " + base64.b64encode(f"blitzweb:{TOKEN}".encode()) + b"\r\n"
LOCAL = AddressRule(opened=True, setting="browser.allow_local")
SECONDS = 10  # no test waits that long for anything that comes


class Kept:
    """What the proxy told, and its complaints."""

    def __init__(self) -> None:
        self.refused: queue.Queue[Refusal] = queue.Queue()
        self.failed: queue.Queue[Failure] = queue.Queue()
        self.complaints: list[str] = []


@contextlib.contextmanager
def proxying(kept: Kept | None = None, *, dialer: Dialer | None = None, **options: Any) -> Iterator[EgressProxy]:
    """Run a proxy that may dial loopback, unless told otherwise; nothing that it complains of passes unseen."""
    kept = kept or Kept()
    proxy = EgressProxy(
        dialer=dialer or Dialer(),
        **{"admit": lambda _host, _port: None, "rule": LOCAL, "token": TOKEN, **options},
        on_refused=kept.refused.put,
        on_failed=kept.failed.put,
        complain=kept.complaints.append,
    )
    proxy.start()
    try:
        yield proxy
    finally:
        proxy.close()
    assert kept.complaints == []


def connect(proxy: EgressProxy) -> socket.socket:
    """Return a connection to a proxy."""
    return socket.create_connection(("127.0.0.1", proxy.port), SECONDS)


def request(method: str, target: str, *lines: str, body: bytes = b"", token: bytes = AUTHORIZATION) -> bytes:
    """Return a request with the token."""
    head = "".join(f"{line}\r\n" for line in (f"{method} {target} HTTP/1.1", "Host: of.no.account", *lines))
    return head.encode() + token + b"\r\n" + body


def read_to_end(connection: socket.socket) -> bytes:
    """Return everything until the other end has ended."""
    return b"".join(iter(lambda: connection.recv(65536), b""))


def ask(proxy: EgressProxy, data: bytes) -> tuple[int, dict[str, str], bytes]:
    """Send bytes on a connection of their own; return status, headers and body of the answer, which ends it."""
    with connect(proxy) as connection:
        connection.sendall(data)
        return split_answer(read_to_end(connection))


def split_answer(data: bytes) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and what follows."""
    head, _, body = data.partition(b"\r\n\r\n")
    line, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (text.partition(":") for text in lines)}
    return int(line.split(" ")[1]), headers, body


def open_tunnel(proxy: EgressProxy, port: int, host: str = "127.0.0.1") -> socket.socket:
    """Return a connection that has become a tunnel."""
    connection = connect(proxy)
    connection.sendall(request("CONNECT", f"{host}:{port}"))
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        part = connection.recv(1)
        assert part, head
        head += part
    assert head.startswith(b"HTTP/1.1 200 "), head
    return connection


def until(check: Callable[[], bool], seconds: float = SECONDS) -> None:
    """Wait until something holds."""
    limit = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < limit, "it never came to hold"
        time.sleep(0.002)


def egress_threads() -> list[str]:
    """Return the names of the proxy's threads that live."""
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("blitzweb-egress")]


def open_descriptors() -> int:
    """Return how many descriptors this process has."""
    return len(os.listdir("/proc/self/fd" if Path("/proc/self/fd").exists() else "/dev/fd"))


class Ticking:
    """A clock that stands still unless told to go."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def pass_time(proxy: EgressProxy, clock: Ticking, seconds: float) -> None:
    """Let time pass for a proxy: its loop looks at the clock when it is woken."""
    clock.now += seconds
    done = threading.Event()
    for _ in range(2):  # the second is called after the sweep of the first
        done.clear()
        proxy._parts.loop.call(done.set)
        assert done.wait(SECONDS)
