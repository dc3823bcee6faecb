"""The world's web servers: one conversation on one accepted connection, plain or TLS, also as a proxy by CONNECT."""

from __future__ import annotations

import contextlib
import socket
import ssl
import struct
from collections.abc import Iterator
from typing import BinaryIO, Protocol

from tests.support.lab.scene import Request, Response

TLS_HANDSHAKE = b"\x16"


class Playbook(Protocol):
    """What a conversation needs to know: the scene that is on."""

    def accept_tls(self, connection: socket.socket, address: str) -> tuple[ssl.SSLSocket, str]:
        """Shake hands as the server at an address; return also the name that the client sent."""

    def respond(self, request: Request) -> Response:
        """Note a request and return what to say to it."""


def converse(connection: socket.socket, playbook: Playbook) -> None:
    """Answer requests until one side ends it. Whatever a client does to the connection ends only this conversation."""
    with contextlib.suppress(OSError), connection:
        _serve(connection, playbook)


def hold(connection: socket.socket) -> None:
    """Say nothing until the client goes away or the scene ends."""
    with contextlib.suppress(OSError), connection:
        while connection.recv(4096):
            pass


def reset(connection: socket.socket) -> None:
    """End with RST."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def _serve(connection: socket.socket, playbook: Playbook) -> None:
    address, port = connection.getsockname()[:2]
    server_name = None
    if connection.recv(1, socket.MSG_PEEK) == TLS_HANDSHAKE:
        connection, server_name = playbook.accept_tls(connection, address)
    with connection:
        for request in _requests(connection.makefile("rb"), address, port, server_name):
            if request.method == "CONNECT":
                playbook.respond(request)
                connection.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
                return _serve(connection, playbook)
            if not _answer(connection, playbook.respond(request)):
                return None
    return None


def _answer(connection: socket.socket, response: Response) -> bool:
    """Send a response; tell whether the connection may be used again."""
    connection.sendall(response.encode())
    if response.then == "hold":
        hold(connection)
    elif response.then == "reset":
        reset(connection)
    return response.then == "keep" and ("Connection", "close") not in response.headers


def _requests(stream: BinaryIO, address: str, port: int, server_name: str | None) -> Iterator[Request]:
    """Yield requests as they come."""
    while line := stream.readline():
        method, target, _version = line.decode("latin-1").split()
        headers = tuple(_headers(stream))
        lengths = [int(value) for name, value in headers if name.lower() == "content-length"]
        yield Request(address, port, server_name, method, target, headers, stream.read(sum(lengths)))


def _headers(stream: BinaryIO) -> Iterator[tuple[str, str]]:
    while (line := stream.readline().decode("latin-1").strip()) != "":
        name, _, value = line.partition(":")
        yield name, value.strip()
