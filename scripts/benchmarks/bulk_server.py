"""Serves any number of bytes, or relays: the other ends of the rows about the egress proxy, each a process of its own.

`bulk_server.py serve` answers `GET /N` with N bytes by sendfile. `bulk_server.py relay` is the least that a proxy can
be: CONNECT or a whole URL, no token, no check, two threads for each connection. Both print their port and end with
their standard input.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import tempfile
import threading
from collections.abc import Callable

SLAB = 16 * 2**20
BUFFER = 256 * 1024


def serve(connection: socket.socket) -> None:
    """Answer requests until the client ends."""
    with contextlib.suppress(OSError), connection, connection.makefile("rb") as stream:
        while request := stream.readline():
            while stream.readline() not in {b"\r\n", b""}:
                pass
            left = int(request.split()[1].rpartition(b"/")[2] or 0)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % left)
            while left:
                left -= os.sendfile(connection.fileno(), FILE.fileno(), 0, min(left, SLAB))


def relay(connection: socket.socket) -> None:
    """Connect, and move bytes both ways."""
    with contextlib.suppress(OSError), connection:
        head = b""
        while b"\r\n\r\n" not in head:
            head += connection.recv(BUFFER)
        method, target = head.split(b" ", 2)[:2]
        tunnel = method == b"CONNECT"
        host, _, port = (target if tunnel else target.split(b"/", 3)[2]).decode().partition(":")
        with socket.create_connection((host, int(port))) as other:
            other.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n") if tunnel else other.sendall(head)
            back = threading.Thread(target=move, args=(other, connection), daemon=True)
            back.start()
            move(connection, other)
            back.join()


def move(source: socket.socket, sink: socket.socket) -> None:
    """Move bytes until the source ends."""
    with contextlib.suppress(OSError):
        buffer = memoryview(bytearray(BUFFER))
        while size := source.recv_into(buffer):
            sink.sendall(buffer[:size])
        sink.shutdown(socket.SHUT_WR)


def accept(listener: socket.socket, act: Callable[[socket.socket], None]) -> None:
    """Take connections; ends with the process."""
    while True:
        connection, _ = listener.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=act, args=(connection,), daemon=True).start()


if __name__ == "__main__":
    with tempfile.TemporaryFile() as FILE:
        FILE.write(bytes(SLAB))
        FILE.flush()
        listening = socket.create_server(("127.0.0.1", 0), backlog=1024)
        print(listening.getsockname()[1], flush=True)
        threading.Thread(
            target=accept, args=(listening, {"serve": serve, "relay": relay}[sys.argv[1]]), daemon=True
        ).start()
        sys.stdin.read()
