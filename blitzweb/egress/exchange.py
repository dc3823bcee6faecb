"""One request in plain HTTP and its answer, taken apart and written anew by h11 in both directions (EGRESS-05).

Nothing that either side framed oddly reaches the other, since no byte of framing is passed on. No I/O: bytes in, bytes
out. What the origin must not say to a browser's proxy (407, a switch of protocols) is a `BadAnswer`.
"""

from __future__ import annotations

from typing import Final

import h11

from blitzweb.egress.head import BadRequest, Head
from blitzweb.egress.headers import RawHeaders, connection_options, for_client, for_origin
from blitzweb.egress.target import Target
from blitzweb.limits import MAX_HEADER_BYTES, MAX_INTERIM_RESPONSES

_PROXY_AUTHENTICATION: Final = 407
_NO_BODY: Final = frozenset({204, 304})


class BadAnswer(Exception):
    """Raised for an answer that cannot be passed on; the text says what is wrong with it."""


class Exchange:
    """Takes bytes from one side and gives those for the other. The head must have passed `read_head`."""

    def __init__(self, head: Head, target: Target) -> None:
        self._client = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_HEADER_BYTES)
        self._origin = h11.Connection(h11.CLIENT, max_incomplete_event_size=MAX_HEADER_BYTES)
        self._head = head
        self._target = target
        self._interim = 0
        self._closes = False  # the origin's connection serves no other request

    @property
    def asked(self) -> bool:
        """Whether the request is whole."""
        return self._origin.our_state not in {h11.IDLE, h11.SEND_BODY}

    @property
    def answering(self) -> bool:
        """Whether the client has got a part of the answer."""
        return self._client.our_state not in {h11.IDLE, h11.SEND_RESPONSE}

    @property
    def answered(self) -> bool:
        """Whether the client has got the whole answer."""
        return self.answering and self._client.our_state is not h11.SEND_BODY

    @property
    def reusable(self) -> bool:
        """Whether both connections may serve another request."""
        states = {self._client.our_state, self._client.their_state, self._origin.our_state, self._origin.their_state}
        return states == {h11.DONE} and not self._closes and not self._origin.trailing_data[0]

    @property
    def rest(self) -> bytes:
        """What the client sent after its request."""
        return self._client.trailing_data[0]

    def from_client(self, data: bytes) -> bytes:
        """Return what the origin gets for some bytes of the client's; the head comes first.

        Raises:
            BadRequest: the request is not what HTTP allows.
        """
        try:
            self._client.receive_data(data)
            return b"".join(iter(self._next_of_request, None))
        except h11.RemoteProtocolError as error:
            raise BadRequest(f"the request is not what HTTP allows: {error}") from None

    def from_origin(self, data: bytes) -> bytes:
        """Return what the client gets for some bytes of the origin's; none at all are its end.

        Raises:
            BadAnswer: the answer is not what HTTP allows, or not for a client of a proxy.
        """
        try:
            self._origin.receive_data(data)
            return b"".join(iter(self._next_of_answer, None))
        except h11.ProtocolError as error:
            raise BadAnswer(f"the answer is not what HTTP allows: {error}") from None

    def _next_of_request(self) -> bytes | None:
        event = self._client.next_event()
        if isinstance(event, h11.Request):
            headers = for_origin(event.headers.raw_items(), self._target.authority)
            return self._origin.send(h11.Request(method=event.method, target=self._target.path, headers=headers))
        if isinstance(event, h11.Data):
            return self._origin.send(h11.Data(data=event.data))
        return self._origin.send(h11.EndOfMessage()) if isinstance(event, h11.EndOfMessage) else None

    def _next_of_answer(self) -> bytes | None:
        event = self._origin.next_event()
        if isinstance(event, h11.Response):
            return self._client.send(self._pass_on(event))
        if isinstance(event, h11.InformationalResponse):
            return self._pass_interim(event)
        if isinstance(event, h11.Data):
            return self._client.send(h11.Data(data=event.data))
        if isinstance(event, h11.EndOfMessage):
            return self._client.send(h11.EndOfMessage())
        if isinstance(event, h11.ConnectionClosed) and not self.answered:
            raise BadAnswer("the server closed the connection before it answered")
        return None

    def _pass_on(self, answer: h11.Response) -> h11.Response:
        if answer.status_code == _PROXY_AUTHENTICATION:
            raise BadAnswer("the server answered 407, which only a proxy may; a browser would show it our token")
        headers = answer.headers.raw_items()
        self._closes = _closes(answer, headers, self._head.method)
        kept = for_client(headers) + ([(b"Connection", b"close")] if self._closes else [])
        return h11.Response(status_code=answer.status_code, reason=answer.reason, headers=kept)

    def _pass_interim(self, answer: h11.InformationalResponse) -> bytes:
        self._interim += 1
        if answer.status_code not in {100, 103} or self._interim > MAX_INTERIM_RESPONSES:
            raise BadAnswer(f"an interim answer of status {answer.status_code} came unasked")
        headers = for_client(answer.headers.raw_items())
        interim = h11.InformationalResponse(status_code=answer.status_code, reason=answer.reason, headers=headers)
        return self._client.send(interim) if self._head.minor else b""


def _closes(answer: h11.Response, headers: RawHeaders, method: str) -> bool:
    """Tell whether an answer ends the origin's connection.

    Raises:
        BadAnswer: its body may be framed in two ways.
    """
    framing = {name.lower() for name, _ in headers} & {b"content-length", b"transfer-encoding"}
    if len(framing) > 1:
        raise BadAnswer("the answer has a length and chunks at once")
    options = connection_options(headers)
    kept = b"close" not in options and (answer.http_version >= b"1.1" or b"keep-alive" in options)
    return not kept or not (framing or method == "HEAD" or answer.status_code in _NO_BODY)
