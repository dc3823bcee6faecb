"""A client and one origin in plain HTTP: one exchange after the other, as long as both keep their connections.

A request for another origin ends the connection, so that no origin can slip an answer to another's request; clients
try again on a new one. Every request shows the token and is decided on anew (EGRESS-05).
"""

from __future__ import annotations

import socket
from collections.abc import Callable

from blitzweb.egress.answers import Answer, Failure, bad_request
from blitzweb.egress.exchange import Exchange
from blitzweb.egress.head import Head, HeadReader, Malformed, read_head
from blitzweb.egress.loop import READ, WRITE, Flow
from blitzweb.egress.parts import Parts, judge_head
from blitzweb.egress.sending import Farewell, Sending, reset_on_close
from blitzweb.egress.target import Target
from blitzweb.limits import COPY_BYTES, MAX_EARLY_BYTES, PROXY_HEAD_SECONDS, TUNNEL_IDLE_SECONDS
from blitzweb.net.failures import Phase


class Relay(Flow):
    """One client connection and the one of its origin."""

    __slots__ = (
        "_client",
        "_exchange",
        "_first",
        "_origin",
        "_parts",
        "_reader",
        "_target",
        "_to_client",
        "_to_origin",
    )

    def __init__(self, parts: Parts, client: socket.socket, origin: socket.socket, target: Target) -> None:
        super().__init__()
        self._parts = parts
        self._client = client
        self._origin = origin
        self._target = target
        self._to_client = Sending(client)
        self._to_origin = Sending(origin)
        self._exchange: Exchange | None = None
        self._reader = HeadReader(read_head)
        self._first = True  # the origin's connection is new: that it ends is no accident of keeping it

    def begin(self, head: Head, early: bytes) -> None:
        """Pass the first request on."""
        self._parts.loop.add(self, TUNNEL_IDLE_SECONDS)
        self._parts.loop.guard(self, lambda: self._ask(head, self._target, early))

    def ready(self, side: socket.socket, events: int) -> None:
        """Pass on what can be passed on."""
        if events & WRITE:
            (self._to_client if side is self._client else self._to_origin).flush()
        if events & READ:
            data = side.recv(COPY_BYTES)
            if side is self._origin:
                self._from_origin(data)
            elif data:
                self._from_client(data)
            else:
                self.close()
        self._watch()

    def close(self) -> None:
        """End both connections; a client in the middle of an answer is told that there was more."""
        if self._to_client.blocked or (self._exchange is not None and self._exchange.answering):
            reset_on_close(self._client)
        self._leave()
        self._client.close()

    def _ask(self, head: Head, target: Target, rest: bytes) -> None:
        self._exchange = Exchange(head, target)
        self._pass_request(self._exchange.begin, rest)
        self._watch()

    def _from_client(self, data: bytes) -> None:
        if self._exchange is not None:
            self._pass_request(self._exchange.from_client, data)
        else:
            self._next_request(data)

    def _pass_request(self, translate: Callable[[bytes], bytes], data: bytes) -> None:
        self.expires = self._parts.loop.now + TUNNEL_IDLE_SECONDS
        try:
            self._to_origin.put(translate(data))
        except Malformed as error:
            self._give_up(bad_request(f"the request is no HTTP: {error}"))

    def _next_request(self, data: bytes) -> None:
        try:
            whole = self._reader.feed(data)
        except Malformed as error:
            self._say(bad_request(f"the request is no HTTP: {error}"))
            return
        if whole is not None:
            self._judge_next(*whole)

    def _judge_next(self, head: Head, rest: bytes) -> None:
        judged = judge_head(head, self._parts.token)
        if isinstance(judged, Target) and not judged.same_origin(self._target):
            self._part()
            return
        answer = judged if isinstance(judged, Answer) else self._parts.connector.check_again(judged)
        if answer is not None:
            self._say(answer, head_only=head.method == "HEAD")
        elif isinstance(judged, Target):
            self._first = False
            self._ask(head, judged, rest)

    def _from_origin(self, data: bytes) -> None:
        """Pass an answer on; a connection that ends between two requests, or talks unasked, is of no more use."""
        if self._exchange is None:
            self.close()
            return
        self.expires = self._parts.loop.now + TUNNEL_IDLE_SECONDS
        try:
            self._to_client.put(self._exchange.from_origin(data))
        except Malformed as error:
            self._fail(f"the answer is no HTTP: {error}", ended=not data)
            return
        if self._exchange.answered:
            self._end_exchange(self._exchange)

    def _end_exchange(self, ended: Exchange) -> None:
        self._exchange = None
        if not ended.reusable:
            self._part()
            return
        self._parts.loop.add(self, PROXY_HEAD_SECONDS)
        if ended.rest:
            self._next_request(ended.rest)

    def _fail(self, text: str, *, ended: bool) -> None:
        if ended and not self._first:
            self.close()  # without a word, so that the client tries again on a new connection
            return
        failure = Failure(self._target.host, self._target.port, Phase.HEADERS, f"{self._target.host}: {text}")
        self._give_up(self._parts.connector.fail(failure))

    def _give_up(self, answer: Answer) -> None:
        """End with an answer of ours, or, where the client has a part of another, without."""
        if self._exchange is not None and self._exchange.answering:
            self.close()
        else:
            self._say(answer)

    def _say(self, answer: Answer, *, head_only: bool = False) -> None:
        self._part(answer.encode(head_only=head_only))

    def _part(self, last: bytes = b"") -> None:
        """End both connections once the client has got everything, perhaps a last answer of ours."""
        self._leave()
        Farewell.finish(self._parts.loop, self._client, self._to_client, last)

    def _leave(self) -> None:
        """Give the client up to whoever goes on with it, and end the origin's connection."""
        self._parts.loop.remove(self)
        self._parts.loop.release(self._client)
        self._parts.loop.drop(self._origin)

    def _watch(self) -> None:
        """Read each side only while what it sent before has been passed on."""
        if self._origin.fileno() < 0:
            return
        early = len(self._exchange.rest) if self._exchange is not None and self._exchange.asked else 0
        reads_client = READ if not self._to_origin.blocked and early < MAX_EARLY_BYTES else 0
        reads_origin = READ if not self._to_client.blocked else 0
        writes_client = WRITE if self._to_client.blocked else 0
        writes_origin = WRITE if self._to_origin.blocked else 0
        self._parts.loop.watch(self._client, reads_client | writes_client, self)
        self._parts.loop.watch(self._origin, reads_origin | writes_origin, self)
