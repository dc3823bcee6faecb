"""One scene as it is played: listeners, conversations, answers, and the log of what was seen."""

from __future__ import annotations

import contextlib
import ctypes
import ipaddress
import socket
import ssl
import struct
import threading
from collections import deque
from collections.abc import Callable

from tests.support.lab import web
from tests.support.lab.certificates import Certificates
from tests.support.lab.names import Names
from tests.support.lab.scene import PLAIN, Log, Request, Response, Scene

_IP_FREEBIND, _IPV6_FREEBIND = 15, 78
_SO_ATTACH_FILTER = 26
_DROP_ALL = struct.pack("HBBI", 0x06, 0, 0, 0)  # one instruction: return 0


class Stage:
    """The scene that is on, until the next one. Listeners belong to it; conversations end with it."""

    def __init__(self, scene: Scene, certificates: Certificates) -> None:
        self.log = Log()
        self.names = Names(scene.names, self.log)
        self.listeners = [listen(address, port) for address in scene.listeners() for port in set(scene.ports)]
        self._scene = scene
        self._certificates = certificates
        self._responses = deque(scene.responses)
        self._open: set[socket.socket] = set()
        for listener in self.listeners:
            if scene.endings.get(listener.getsockname()[0]) == "silent":
                _drop_all(listener)

    def accept(self, listener: socket.socket) -> None:
        """Take a connection and hold its conversation on a thread, which ends with the connection or with the scene."""
        with contextlib.suppress(BlockingIOError):  # the client is gone already
            connection, _peer = listener.accept()
            address, port = connection.getsockname()[:2]
            handle = connection.dup()  # TLS detaches the connection itself; by this one it can be shut down
            self._open.add(handle)  # before it can be seen in the log: who sees it there may end the scene at once
            self.log.connections.append((address, port))
            act = self._manner(self._scene.endings.get(address))
            run = threading.Thread(target=self._run, args=(act, connection, handle), name=f"to {address}", daemon=True)
            run.start()

    def accept_tls(self, connection: socket.socket, address: str) -> tuple[ssl.SSLSocket, str]:
        """Shake hands as the server at an address."""
        return self._certificates.accept(connection, address, self._scene.certificates)

    def respond(self, request: Request) -> Response:
        """Note a request and return what to say to it."""
        self.log.requests.append(request)
        page = self._scene.pages.get(f"{request.header('Host')}{request.target}")
        if page is not None:
            return page
        return self._responses.popleft() if self._responses else PLAIN

    def close(self) -> None:
        """End the scene: nothing that it began reaches the next one."""
        for listener in self.listeners:
            listener.close()
        for connection in list(self._open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _manner(self, ending: str | None) -> Callable[[socket.socket], None]:
        if ending == "reset":
            return web.reset
        return web.hold if ending == "mute" else lambda connection: web.converse(connection, self)

    def _run(self, act: Callable[[socket.socket], None], connection: socket.socket, handle: socket.socket) -> None:
        with handle:
            act(connection)
            self._open.discard(handle)


def listen(address: str, port: int) -> socket.socket:
    """Return a listener on an address that need not be an interface's own; `::` takes IPv4 too."""
    version = ipaddress.ip_address(address).version
    listener = socket.socket(socket.AF_INET if version == 4 else socket.AF_INET6)
    listener.settimeout(0)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    level, option = (socket.IPPROTO_IP, _IP_FREEBIND) if version == 4 else (socket.IPPROTO_IPV6, _IPV6_FREEBIND)
    listener.setsockopt(level, option, 1)
    if address == "::":
        listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    listener.bind((address, port))
    listener.listen(128)
    return listener


def _drop_all(listener: socket.socket) -> None:
    """Make the kernel drop every packet for a listener, so that a SYN is never answered."""
    instructions = ctypes.create_string_buffer(_DROP_ALL)
    program = struct.pack("HL", 1, ctypes.addressof(instructions))
    listener.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, program)
