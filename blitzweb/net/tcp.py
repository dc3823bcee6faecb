"""One TCP connection to one address that has been judged, and what stands on such a connection.

Only the dialer connects; nothing here judges an address.
"""

from __future__ import annotations

import errno
import os
import socket
from contextlib import suppress
from typing import Any, Protocol

from urllib3.util import wait_for_write
from urllib3.util.ssltransport import SSLTransport

from blitzweb.timing import CancelToken

Stream = socket.socket | SSLTransport  # plain, TLS, or TLS inside the TLS of a proxy


class Connect(Protocol):
    """Opens a TCP connection to one address that has been judged; a seam for tests."""

    def __call__(self, address: str, port: int, seconds: float, cancel: CancelToken) -> socket.socket:
        """Return the connected socket, or raise OSError."""
        ...


def connect_tcp(address: str, port: int, seconds: float, cancel: CancelToken) -> socket.socket:
    """Open a TCP connection. A cancel wakes it by shutting the socket down."""
    opened = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)
    try:
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        opened.settimeout(0)
        # Begun before a cancel can shut it down: a socket that has not begun to connect cannot be.
        code = opened.connect_ex((address, port))
        _finish(opened, code, seconds, cancel)
    except BaseException:
        opened.close()
        raise
    return opened


def peer_address(connected: socket.socket) -> str:
    """Return the address at the other end without its scope, or "" where there is none any more."""
    with suppress(OSError):
        return str(connected.getpeername()[0]).partition("%")[0]
    return ""


def shut_down(stream: Any) -> None:
    """Wake whoever is blocked on a stream; for another thread to call. The owner still closes it.

    It is the `shutdown` of the plain socket below: TLS sockets have one of their own, after which a reader would take
    what is encrypted for what is not.
    """
    while not isinstance(stream, socket.socket):
        stream = stream.socket
    with suppress(OSError):
        socket.socket.shutdown(stream, socket.SHUT_RDWR)


def _finish(opened: socket.socket, code: int, seconds: float, cancel: CancelToken) -> None:
    """Wait until a connection stands, or raise why it does not."""
    if code == errno.EINPROGRESS:
        with cancel.stopping(lambda: shut_down(opened)):
            connected = wait_for_write(opened, seconds)
        cancel.check()
        code = opened.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) if connected else errno.ETIMEDOUT
    if code:
        raise OSError(code, os.strerror(code))
