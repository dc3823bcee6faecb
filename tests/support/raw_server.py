"""A TCP server on loopback whose every connection runs a script of the test's; it says what it was sent."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable
from typing import Self

Script = Callable[[socket.socket, bytes, threading.Event], object]


class RawServer:
    """Accepts connections while the block runs; `requests` holds the head of each request, in order.

    With a `context` it speaks TLS. With `at_once` the script begins without waiting for a request.
    """

    def __init__(
        self, script: Script, *, context: ssl.SSLContext | None = None, host: str = "127.0.0.1", at_once: bool = False
    ) -> None:
        self._script = script
        self._context = context
        self._at_once = at_once
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._listener = socket.create_server((host, 0), family=family)
        self._closing = threading.Event()
        self._threads: list[threading.Thread] = []
        self._accepting = threading.Thread(target=self._accept, name="raw-server")
        self.requests: list[bytes] = []
        self.connections = 0
        self.protocols: list[str | None] = []  # what ALPN chose on each connection that speaks TLS
        self.host = f"[{host}]" if ":" in host else host
        self.port: int = self._listener.getsockname()[1]

    @property
    def url(self) -> str:
        return f"{'https' if self._context else 'http'}://{self.host}:{self.port}/"

    def __enter__(self) -> Self:
        self._accepting.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        for thread in self._threads:
            thread.join()
        self._listener.close()

    def _accept(self) -> None:
        while not self._closing.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            thread = threading.Thread(target=self._serve, args=(connection,), name="raw-connection")
            self._threads.append(thread)
            thread.start()

    def _serve(self, plain: socket.socket) -> None:
        plain.settimeout(20)
        with plain, contextlib.suppress(OSError), self._secure(plain) as connection:
            if self._at_once:
                self._script(connection, b"", self._closing)
                return
            while head := read_head(connection):
                self.requests.append(head)
                if self._script(connection, head, self._closing) is not True:  # True: keep the connection
                    return

    def _secure(self, plain: socket.socket) -> socket.socket:
        if self._context is None:
            return plain
        secured = self._context.wrap_socket(plain, server_side=True)
        self.protocols.append(secured.selected_alpn_protocol())
        return secured


def read_head(connection: socket.socket) -> bytes:
    """Return the head of the next request, nothing at the end."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        part = connection.recv(1)
        if not part:
            return b""
        head += part
    return head
