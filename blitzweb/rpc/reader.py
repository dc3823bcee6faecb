"""Reads the host's bytes in the main thread and hands on what each line means; it never writes and never blocks.

It also notices at once that the host has closed our stdout: nothing else would before the next answer. Ids: WIRE-15,
WIRE-23.
"""

from __future__ import annotations

import os
import select
from collections.abc import Callable

from blitzweb.errors import ParseFailed
from blitzweb.limits import KIB
from blitzweb.rpc.stopping import StopReason, StopSignal
from blitzweb.wire.lines import LineSplitter
from blitzweb.wire.messages import Batch, Malformed, Message, read_message

_READ_BYTES = 64 * KIB  # the size of a pipe

Receiver = Callable[[Message | Batch, int], None]


class Reader:
    """Runs until there is a reason to stop. `receive` gets each message with the length of its line."""

    def __init__(self, stdin: int, stdout: int, stop: StopSignal, receive: Receiver) -> None:
        self._stdin = stdin
        self._stdout = stdout
        self._stop = stop
        self._receive = receive
        self._splitter = LineSplitter()
        self._poller = select.poll()
        self._poller.register(stdin, select.POLLIN)
        self._poller.register(stop.fd, select.POLLIN)
        self._poller.register(stdout, 0)  # no events asked for: errors are always told

    def run(self) -> None:
        """Read until the end of input or until somebody stops the daemon."""
        while self._stop.reason is None:
            ready = dict(self._poller.poll())
            if self._stdin in ready:
                self._read()
            elif self._stdout in ready:
                self._stop.stop(StopReason.OUTPUT_CLOSED)

    def _read(self) -> None:
        try:
            chunk = os.read(self._stdin, _READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        self._hand_on(self._splitter.feed(chunk) if chunk else self._splitter.close())
        if not chunk:
            self._stop.stop(StopReason.END_OF_INPUT)

    def _hand_on(self, lines: list[bytes | ParseFailed]) -> None:
        for line in lines:
            if self._stop.reason is not None:
                return
            if isinstance(line, ParseFailed):
                self._receive(Malformed(None, line), 0)
            else:
                self._receive(read_message(line), len(line))
