"""CDP over a pair of pipes: messages end with a NUL byte, and no other process can attach (BROWSER-11)."""

from __future__ import annotations

import contextlib
import os
import threading
from collections import deque

from blitzweb.browser.transport import TransportClosed
from blitzweb.limits import CDP_READ_BYTES, MAX_CDP_MESSAGE_BYTES


class PipeTransport:
    """Owns both descriptors: `reading` is what Chrome writes to, `writing` what it reads from."""

    def __init__(self, reading: int, writing: int) -> None:
        self._reading = reading
        self._writing = writing
        self._rest = bytearray()
        self._messages: deque[bytes] = deque()
        self._lock = threading.Lock()
        self._sending = threading.Lock()
        self._closed = False
        self._stop_reading, self._stop = os.pipe()  # a read of a pipe is not woken by closing it

    def send(self, message: bytes) -> None:
        """Send one message."""
        view = memoryview(message + b"\0")
        try:
            with self._sending:
                while view:
                    view = view[os.write(self._writing, view) :]
        except OSError as error:
            raise TransportClosed(error.strerror or str(error)) from None

    def receive(self) -> bytes:
        """Return the next message."""
        while not self._messages:
            self._read_some()
        return self._messages.popleft()

    def close(self) -> None:
        """Wake the reader. The descriptors go back when the reader has seen it, or now if nobody reads."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        for descriptor in (self._stop, self._writing):
            with contextlib.suppress(OSError):
                os.close(descriptor)

    def _read_some(self) -> None:
        import select

        poller = select.poll()
        poller.register(self._reading, select.POLLIN)
        poller.register(self._stop_reading, select.POLLIN)
        ready = {descriptor for descriptor, _ in poller.poll()}
        data = b"" if self._stop_reading in ready else os.read(self._reading, CDP_READ_BYTES)
        if not data or len(self._rest) > MAX_CDP_MESSAGE_BYTES:
            for descriptor in (self._reading, self._stop_reading):
                with contextlib.suppress(OSError):
                    os.close(descriptor)
            raise TransportClosed("it closed the pipe")
        *whole, rest = data.split(b"\0")
        if whole:
            whole[0] = bytes(self._rest) + whole[0]
            self._rest.clear()
            self._messages.extend(whole)
        self._rest += rest
