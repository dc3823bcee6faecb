"""What a client goes through before it has its tunnel or its answer: head, token, target, and the wait for its host.

The order is the guard: the token is compared before anything of the target is read, and nothing is looked up, dialled
or given a thread before that (EGRESS-05).
"""

from __future__ import annotations

import socket
from contextlib import suppress

from blitzweb.egress.answers import Answer, bad_request
from blitzweb.egress.connector import Outcome
from blitzweb.egress.head import Head, HeadReader, Malformed, read_head
from blitzweb.egress.loop import READ, Flow
from blitzweb.egress.parts import Parts, judge_head
from blitzweb.egress.relay import Relay
from blitzweb.egress.sending import Farewell
from blitzweb.egress.target import Target
from blitzweb.egress.tunnel import Tunnel
from blitzweb.limits import COPY_BYTES, MAX_EARLY_BYTES, PROXY_HEAD_SECONDS
from blitzweb.timing import CancelToken


class Arrival(Flow):
    """A client that has not yet said what it wants."""

    __slots__ = ("_client", "_gone_on", "_parts", "_reader")

    def __init__(self, parts: Parts, client: socket.socket) -> None:
        super().__init__()
        self._parts = parts
        self._client = client
        self._reader = HeadReader(read_head)
        self._gone_on = False

    def begin(self) -> None:
        """Wait for the head."""
        self._parts.loop.add(self, PROXY_HEAD_SECONDS)
        self._parts.loop.watch(self._client, READ, self)

    def ready(self, side: socket.socket, _events: int) -> None:
        """Take bytes of the head in."""
        data = side.recv(COPY_BYTES)
        if not data:
            self.close()
            return
        try:
            whole = self._reader.feed(data)
        except Malformed as error:
            self._hand_over()
            Farewell.say(self._parts.loop, self._client, bad_request(f"the request is no HTTP: {error}").encode())
            return
        if whole is not None:
            self._hand_over()
            admit_request(self._parts, self._client, *whole)

    def close(self) -> None:
        """End the connection."""
        self._hand_over()
        self._client.close()

    def give_way(self) -> None:
        """End the connection unless it has gone on."""
        if not self._gone_on:
            self.close()

    def _hand_over(self) -> None:
        self._gone_on = True
        self._parts.loop.remove(self)
        self._parts.loop.release(self._client)


def admit_request(parts: Parts, client: socket.socket, head: Head, early: bytes) -> None:
    """Go on with a client that nothing watches and whose head has come; `early` is what followed it."""
    judged = judge_head(head, parts.token)
    if isinstance(judged, Answer):
        Farewell.say(parts.loop, client, judged.encode(head_only=head.method == "HEAD"))
    else:
        Waiting(parts, client, head, judged, early).begin()


class Waiting(Flow):
    """A client whose host is being dialled; if it leaves meanwhile, so does the dialling."""

    __slots__ = ("_cancel", "_client", "_early", "_head", "_parts", "_target")

    def __init__(self, parts: Parts, client: socket.socket, head: Head, target: Target, early: bytes) -> None:
        super().__init__()
        self._parts = parts
        self._client = client
        self._head = head
        self._target = target
        self._early = early
        self._cancel = CancelToken()

    def begin(self) -> None:
        """Have the host dialled."""
        self._parts.loop.add(self, PROXY_HEAD_SECONDS)
        self._parts.loop.watch(self._client, READ, self)
        self._parts.connector.connect(self._target, self._cancel, self._go_on)

    def ready(self, side: socket.socket, _events: int) -> None:
        """Keep what comes early, as long as there is room."""
        data = side.recv(COPY_BYTES)
        self._early += data
        if not data:
            self.close()
        elif len(self._early) >= MAX_EARLY_BYTES:
            self._parts.loop.watch(side, 0, self)

    def close(self) -> None:
        """End the connection, and the dialling."""
        self._cancel.cancel()
        self._parts.loop.remove(self)
        self._parts.loop.drop(self._client)

    def _go_on(self, outcome: Outcome) -> None:
        """Give the client what its request led to."""
        if self._client.fileno() < 0 or outcome is None:
            if isinstance(outcome, socket.socket):
                outcome.close()
            self.close()
            return
        parts = self._parts
        parts.loop.remove(self)
        parts.loop.release(self._client)
        if isinstance(outcome, Answer):
            Farewell.say(parts.loop, self._client, outcome.encode(head_only=self._head.method == "HEAD"))
            return
        outcome.settimeout(0)
        with suppress(OSError):
            self._client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._target.tunnel:
            Tunnel(parts.loop, parts.pipes, self._client, outcome).begin(self._early)
        else:
            Relay(parts, self._client, outcome, self._target).begin(self._head, self._early)
