"""CDP over a websocket: the Sans-I/O half of `websockets`, without extensions, on a blocking socket of ours (WEB-30).

The only module that knows `websockets`. Its import takes a while: callers import this one while Chrome starts.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections import deque

from websockets.client import ClientProtocol
from websockets.exceptions import WebSocketException
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.uri import parse_uri

from blitzweb.browser.transport import TransportClosed
from blitzweb.limits import CDP_READ_BYTES, MAX_CDP_MESSAGE_BYTES


class WebSocketTransport:
    """Owns the socket, which was dialled by the caller; `open` makes the handshake."""

    def __init__(self, connected: socket.socket, url: str) -> None:
        self._socket = connected
        self._protocol = ClientProtocol(parse_uri(url), max_size=MAX_CDP_MESSAGE_BYTES)
        self._parts: list[bytes] = []  # of a message that comes in fragments
        self._messages: deque[bytes] = deque()
        self._lock = threading.Lock()  # guards the protocol's state, and keeps what is sent in order

    def open(self) -> None:
        """Make the handshake; the socket's own timeout bounds it.

        Raises:
            TransportClosed: the other end does not speak the websocket protocol, or refused.
        """
        with self._lock:
            self._protocol.send_request(self._protocol.connect())
            self._flush()
        while self._protocol.state is State.CONNECTING:
            self._read_some()
        if self._protocol.handshake_exc is not None:
            raise TransportClosed(str(self._protocol.handshake_exc))
        self._socket.settimeout(None)

    def send(self, message: bytes) -> None:
        """Send one message."""
        with self._lock:
            try:
                self._protocol.send_text(message)
            except WebSocketException as error:
                raise TransportClosed(str(error)) from None
            self._flush()

    def receive(self) -> bytes:
        """Return the next message."""
        while not self._messages:
            self._read_some()
        return self._messages.popleft()

    def close(self) -> None:
        """Shut the socket down, which wakes the reader, and close it."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _read_some(self) -> None:
        try:
            data = self._socket.recv(CDP_READ_BYTES)
        except OSError as error:
            raise TransportClosed(error.strerror or str(error)) from None
        if not data:
            raise TransportClosed("it closed the connection")
        with self._lock:
            self._protocol.receive_data(data)
            self._flush()  # pongs
            events = self._protocol.events_received()
        for event in events:
            if isinstance(event, Frame):
                self._take(event)
        if self._protocol.parser_exc is not None:
            raise TransportClosed(str(self._protocol.parser_exc))

    def _take(self, frame: Frame) -> None:
        if frame.opcode in {Opcode.TEXT, Opcode.BINARY, Opcode.CONT}:
            self._parts.append(bytes(frame.data))
            if frame.fin:
                self._messages.append(self._parts[0] if len(self._parts) == 1 else b"".join(self._parts))
                self._parts = []

    def _flush(self) -> None:
        try:
            for data in self._protocol.data_to_send():
                if data:
                    self._socket.sendall(data)
        except OSError as error:
            raise TransportClosed(error.strerror or str(error)) from None
