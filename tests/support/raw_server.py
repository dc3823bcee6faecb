"""A TCP server on 127.0.0.1 whose every connection runs a script of the test's; it says what it was sent."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable
from typing import Self

Script = Callable[[socket.socket, bytes, threading.Event], object]


class RawServer:
    """Accepts connections while the block runs; `requests` holds the head of each request, in order."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._closing = threading.Event()
        self._threads: list[threading.Thread] = []
        self._accepting = threading.Thread(target=self._accept, name="raw-server")
        self.requests: list[bytes] = []
        self.connections = 0
        self.port: int = self._listener.getsockname()[1]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

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

    def _serve(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            while head := _read_head(connection):
                self.requests.append(head)
                if self._script(connection, head, self._closing) is not True:  # True: keep the connection
                    return


def _read_head(connection: socket.socket) -> bytes:
    connection.settimeout(20)
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        part = connection.recv(1)
        if not part:
            return b""
        head += part
    return head
