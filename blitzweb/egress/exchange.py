"""One request in plain HTTP and its answer, taken apart and written anew in both directions (EGRESS-05).

Nothing that either side framed oddly reaches the other, since no byte of framing is passed on. No I/O: bytes in, bytes
out. What the origin must not say to a browser's proxy (407, a switch of protocols) is malformed too.
"""

from __future__ import annotations

from typing import Final

from blitzweb.egress.bodies import LAST_CHUNK, Body, Counted, answer_body, chunk, request_body
from blitzweb.egress.head import AnswerHead, Head, HeadReader, Malformed, read_answer_head
from blitzweb.egress.headers import asks_to_close, write_answer, write_request
from blitzweb.egress.target import Target
from blitzweb.limits import MAX_INTERIM_RESPONSES

_PROXY_AUTHENTICATION: Final = 407
_INTERIM: Final = frozenset({100, 103})
_FINAL: Final = 200  # the first status that is an answer
_NO_BODY: Final = frozenset({204, 304})


class Exchange:
    """Takes bytes from one side and gives those for the other."""

    __slots__ = ("_answer", "_chunks_answer", "_closes", "_head", "_interim", "_reader", "_request", "_target")

    def __init__(self, head: Head, target: Target) -> None:
        self._head = head
        self._target = target
        self._request = request_body(head.framing)
        self._reader = HeadReader(read_answer_head)
        self._answer: Body | None = None  # once its head has come
        self._chunks_answer = False
        self._interim = 0
        self._closes = asks_to_close(head.headers, head.minor)

    @property
    def asked(self) -> bool:
        """Whether the request is whole."""
        return self._request.done

    @property
    def answering(self) -> bool:
        """Whether the client has got a part of the answer."""
        return self._answer is not None

    @property
    def answered(self) -> bool:
        """Whether the client has got the whole answer."""
        return self._answer is not None and self._answer.done

    @property
    def reusable(self) -> bool:
        """Whether both connections may serve another request; an origin that talks unasked may not."""
        return self.asked and self.answered and not self._closes and not (self._answer and self._answer.rest)

    @property
    def rest(self) -> bytes:
        """What the client sent after its request."""
        return self._request.rest

    def begin(self, early: bytes) -> bytes:
        """Return what the origin gets first; `early` is what followed the head."""
        return write_request(self._head, self._target.path, self._target.authority) + self.from_client(early)

    def from_client(self, data: bytes) -> bytes:
        """Return what the origin gets for some bytes of the client's.

        Raises:
            Malformed: the request is not what HTTP allows.
        """
        over = self._request.done
        body = self._request.feed(data)
        if not self._head.framing.chunked:
            return body
        return chunk(body) + (LAST_CHUNK if self._request.done and not over else b"")

    def from_origin(self, data: bytes) -> bytes:
        """Return what the client gets for some bytes of the origin's; none at all are its end.

        Raises:
            Malformed: the answer is not what HTTP allows, or not for a client of a proxy.
        """
        written = b""
        while self._answer is None:
            whole = self._reader.feed(data)
            if whole is None:
                if not data:
                    raise Malformed("the server closed the connection before it answered")
                return written
            head, data = whole
            written += self._begin_answer(head)
            if not data and self._answer is None:
                return written
        return written + self._pass_body(self._answer, data, ended=not (data or written))

    def _begin_answer(self, head: AnswerHead) -> bytes:
        if head.status < _FINAL:
            return self._pass_interim(head)
        if head.status == _PROXY_AUTHENTICATION:
            raise Malformed("the server answered 407, which only a proxy may")
        bare = self._head.method == "HEAD" or head.status in _NO_BODY
        self._answer = Counted(0) if bare else answer_body(head.framing)
        unbounded = not bare and head.framing.length is None
        self._chunks_answer = unbounded and self._head.minor == 1
        ends = unbounded and not (head.framing.chunked and self._chunks_answer)
        self._closes = self._closes or ends or asks_to_close(head.headers, head.minor)
        return write_answer(head, chunked=self._chunks_answer, closes=self._closes)

    def _pass_interim(self, head: AnswerHead) -> bytes:
        self._interim += 1
        if head.status not in _INTERIM or self._interim > MAX_INTERIM_RESPONSES:
            raise Malformed(f"an interim answer of status {head.status} came unasked")
        return write_answer(head) if self._head.minor else b""

    def _pass_body(self, answer: Body, data: bytes, *, ended: bool) -> bytes:
        over = answer.done
        body = answer.feed(data)
        if ended and not over:
            answer.end()
        if not self._chunks_answer:
            return body
        return chunk(body) + (LAST_CHUNK if answer.done and not over else b"")
