"""The guard round `pylsp_jsonrpc.endpoint.Endpoint`, which correlates requests and answers in both directions.

The only module that knows the library. What it must be kept from (1.1.2), and how:

- it splices a result that has a key `error` or `result` into the envelope: every result is wrapped, {"result": …}, and
  errors take the same way, {"error": …}, since a raised one would keep the call's frames and params alive in a cycle
- it never answers a cancelled call, and forgets a running one: cancels never reach it; its futures are only completed
- it sends unexpected exceptions with their traceback as −32602: its futures never fail
- it dies on messages that are no object or have no method: it gets what wire/messages.py has read, and nothing else
- it raises on an answer that comes late: a request of ours is given up by answering it ourselves, so that a late answer
  is one to an unknown id, and is ignored
- it logs params and tracebacks: its logger is off
- its queue is unbounded and NaN is written: what it sends goes through rpc/answers.py and rpc/outbox.py

(The folded method names are those of its `MethodDispatcher`, the broken pipes those of its streams; neither is used.)
Ids: WIRE-05, WIRE-12, WIRE-13.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from itertools import count
from typing import Any

from pylsp_jsonrpc.endpoint import Endpoint
from pylsp_jsonrpc.exceptions import JsonRpcException

from blitzweb.errors import CallCancelled, HostFailed, Overloaded, ProtocolError
from blitzweb.limits import OUTBOX_ANSWER_BYTES, OUTBOX_FULL_BYTES, RETRY_AFTER_MS
from blitzweb.rpc.answers import UNANSWERED, Answers
from blitzweb.rpc.lifecycle import Cancelled, Lifecycle
from blitzweb.rpc.outbox import Outbox
from blitzweb.rpc.running import Reply
from blitzweb.timing import CancelToken
from blitzweb.wire.encoding import encode
from blitzweb.wire.messages import JSONRPC, Request, Response

logging.getLogger("pylsp_jsonrpc.endpoint").disabled = True

Begin = Callable[[Reply], None]


class FutureReply:
    """Completes the future that `Endpoint` waits for."""

    def __init__(self, cancelled: Cancelled) -> None:
        self.future: Future[Any] = Future()
        self._cancelled = cancelled

    def result(self, value: Any) -> None:
        """Answer with a result."""
        self.future.set_result({"result": value})

    def error(self, error: ProtocolError) -> None:
        """Answer with an error; see `Reply.error`."""
        silent = isinstance(error, CallCancelled) and self._cancelled is Cancelled.SILENT
        self.future.set_result({"result": UNANSWERED} if silent else {"error": error.to_object()})


class Guard:
    """Owned by the connection. Requests are received by the reader thread alone; the rest is safe from any."""

    def __init__(self, answers: Answers, outbox: Outbox, lifecycle: Lifecycle) -> None:
        self._answers = answers
        self._lifecycle = lifecycle
        self._outbox = outbox
        self._begin: Begin = _refuse_to_begin  # how the request begins that `receive_request` is handing over
        self._ids = count(1)
        self._asking = threading.Lock()  # owns what follows: the requests of ours that the host has not answered
        self._asked: set[str] = set()
        self._last_id = ""
        self._closed = False
        self.dropped = 0
        self._endpoint = Endpoint(_AnyMethod(self._handle), self._send, id_generator=self._next_id, max_workers=1)

    def receive_request(self, request: Request, begin: Begin) -> None:
        """Note a request and let it begin; `begin` sees to it that its reply is called once, now or later."""
        self._begin = begin
        self._endpoint.consume({"jsonrpc": JSONRPC, "id": request.id, "method": request.method})

    def receive_response(self, response: Response) -> None:
        """Hand over the host's answer to a request of ours; one to an unknown id is ignored."""
        answer: dict[str, Any] = {"jsonrpc": JSONRPC, "id": response.id}
        if response.error is None:
            answer["result"] = response.result
        else:  # the library takes 0 and "" for missing, and fails
            code, message = response.error["code"] or -1, response.error["message"] or "(no message)"
            answer["error"] = {"code": code, "message": message, "data": response.error["data"]}
        self._endpoint.consume(answer)

    def request(self, method: str, params: Mapping[str, Any], *, cancel: CancelToken) -> Any:
        """Ask the host; see `HostCalls.request`."""
        cancel.check()
        identity, future = self._ask(method, params)
        try:
            with cancel.stopping(lambda: self._give_up(identity)):
                return future.result()
        except JsonRpcException as error:
            if cancel.cancelled:
                self._tell_given_up(identity)
            cancel.check()
            if self._closed:
                raise CallCancelled("the connection to the host has ended") from None
            raise HostFailed(f"the host answered {method} with an error: {error.message}", code=error.code) from None
        finally:
            del future  # it holds the error, whose traceback holds this frame and all below it
            with self._asking:
                self._asked.discard(identity)

    def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """Tell the host; see `HostCalls.notify`."""
        self._endpoint.notify(method, params)

    def close(self) -> None:
        """Give up every request to the host that is under way, and take no more."""
        with self._asking:
            self._closed = True
            asked = list(self._asked)
        for identity in asked:
            self._give_up(identity)
        self._endpoint.shutdown()

    def _handle(self, _params: Any) -> Future[Any]:
        """Begin the request at hand, as the library's handler of every method."""
        begin, self._begin = self._begin, _refuse_to_begin
        reply = FutureReply(self._lifecycle.cancelled)
        begin(reply)
        return reply.future

    def _ask(self, method: str, params: Mapping[str, Any]) -> tuple[str, Future[Any]]:
        with self._asking:  # the id of a request is known only from the generator's last turn
            if self._closed:
                raise CallCancelled("the connection to the host has ended")
            try:
                future = self._endpoint.request(method, params)
            except Overloaded:
                self._give_up(self._last_id)
                raise
            self._asked.add(self._last_id)
            return self._last_id, future

    def _next_id(self) -> str:
        self._last_id = f"blitzweb-{next(self._ids)}"
        return self._last_id

    def _give_up(self, identity: str) -> None:
        error = {"code": CallCancelled.code, "message": "given up"}
        self._endpoint.consume({"jsonrpc": JSONRPC, "id": identity, "error": error})

    def _tell_given_up(self, identity: str) -> None:
        notice = self._lifecycle.given_up(identity)
        if notice is not None:
            self.notify(*notice)

    def _send(self, message: Mapping[str, Any]) -> None:
        """Queue what the library wants to send: an answer, a request, or a notification."""
        if "method" not in message:
            self._answers.give(message)
        elif "id" not in message:
            self.dropped += not self._outbox.put(encode(message), OUTBOX_ANSWER_BYTES)
        elif not self._outbox.put(encode(message), OUTBOX_FULL_BYTES):
            text = "the host does not read, so that it cannot be asked"
            raise Overloaded(text, advice="read answers while sending", retry_after_ms=RETRY_AFTER_MS)


def _refuse_to_begin(_reply: Reply) -> None:
    raise RuntimeError("no request is being received")


class _AnyMethod:
    """The library's table of methods: whatever the name, the guard decides (`Endpoint` only ever subscripts it)."""

    def __init__(self, handle: Callable[[Any], Future[Any]]) -> None:
        self._handle = handle

    def __getitem__(self, _method: str) -> Callable[[Any], Future[Any]]:
        return self._handle
