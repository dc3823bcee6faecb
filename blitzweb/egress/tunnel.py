"""A tunnel: two pumps between a client and its host, once the client has shown that it speaks TLS or HTTP (EGRESS-05).

Until then nothing of the host's goes back, so that no other protocol gets through, whoever speaks first in it.
"""

from __future__ import annotations

import re
import socket
from typing import Final

from blitzweb.egress.answers import CONNECTED
from blitzweb.egress.loop import READ, WRITE, Flow, Loop
from blitzweb.egress.pump import Pipes, Pump
from blitzweb.egress.sending import reset_on_close
from blitzweb.limits import COPY_BYTES, MAX_GREETING_BYTES, PROXY_HEAD_SECONDS, TUNNEL_IDLE_SECONDS

_TLS: Final = re.compile(rb"\x16\x03[\x00-\x04]..\x01", re.DOTALL)  # a handshake record that holds a ClientHello
_TLS_BYTES: Final = 6
_REQUEST_LINE: Final = re.compile(rb"[A-Z]{3,20} [\x21-\x7e]+ HTTP/1\.[01]\r?\n")
_REQUEST_LINE_BEGUN: Final = re.compile(rb"[A-Z]{1,20}(?: (?:[\x21-\x7e]+(?: [HTP/1.0]{0,8}\r?)?)?)?")


def judge_greeting(data: bytes) -> bool | None:
    """Tell whether the first bytes of a tunnel are TLS or an HTTP request; `None` while they may become either."""
    if data[:1] == b"\x16":
        return _TLS.match(data) is not None if len(data) >= _TLS_BYTES else None
    if _REQUEST_LINE.match(data):
        return True
    undecided = not data or (_REQUEST_LINE_BEGUN.fullmatch(data) and len(data) < MAX_GREETING_BYTES)
    return None if undecided else False


class Tunnel(Flow):
    """Moves bytes both ways until both ends have ended, one has failed, or nothing has moved for long."""

    __slots__ = ("_back", "_client", "_greeting", "_host", "_loop", "_out")

    def __init__(self, loop: Loop, pipes: Pipes, client: socket.socket, host: socket.socket) -> None:
        super().__init__()
        self._loop = loop
        self._client = client
        self._host = host
        self._out = Pump(client, host, pipes)
        self._back = Pump(host, client, pipes)
        self._greeting: bytes | None = b""

    def begin(self, early: bytes) -> None:
        """Tell the client that its host is there; `early` is what it has sent already."""
        self._loop.add(self, PROXY_HEAD_SECONDS)
        self._loop.guard(self, lambda: self._begin(early))

    def ready(self, side: socket.socket, events: int) -> None:
        """Move what can be moved."""
        if self._greeting is not None:
            self._back.flush()
            if side is self._client and events & READ:
                self._greet(self._client.recv(COPY_BYTES) or b"\0")  # an end so early is no greeting either
        else:
            self.expires = self._loop.now + TUNNEL_IDLE_SECONDS
            for pump in (self._out, self._back):
                if (side is pump.source and events & READ) or (side is pump.sink and events & WRITE):
                    pump.move()
        self._watch()

    def close(self) -> None:
        """End both ends; whoever was still being sent something is told that there was more."""
        self._loop.remove(self)
        for pump in (self._out, self._back):
            if not pump.finished:
                reset_on_close(pump.sink)
            pump.close()
        self._loop.drop(self._client)
        self._loop.drop(self._host)

    def _begin(self, early: bytes) -> None:
        self._back.put(CONNECTED)
        self._back.flush()
        self._greet(early)
        self._watch()

    def _greet(self, data: bytes) -> None:
        greeting = (self._greeting or b"") + data
        verdict = judge_greeting(greeting)
        self._greeting = greeting if verdict is None else None
        if verdict is False:
            self.close()
        elif verdict:
            self.expires = self._loop.now + TUNNEL_IDLE_SECONDS
            self._out.put(greeting)
            self._out.move()

    def _watch(self) -> None:
        """Watch each side for what its two pumps wait for."""
        if self._out.finished and self._back.finished:
            self.close()
        if self._client.fileno() < 0:
            return
        greeted = self._greeting is None
        self._loop.watch(self._client, _wanted(self._out, self._back, reading=True), self)
        self._loop.watch(self._host, _wanted(self._back, self._out, reading=greeted), self)


def _wanted(source_of: Pump, sink_of: Pump, *, reading: bool) -> int:
    reads = READ if reading and not source_of.blocked and not source_of.ended else 0
    return reads | (WRITE if sink_of.blocked else 0)
