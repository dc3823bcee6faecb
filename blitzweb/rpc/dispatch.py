"""Decides what happens to each request: refused by state, load or shape, answered on the spot, or scheduled.

Ids: WIRE-04, WIRE-05, WIRE-06, WIRE-18, WIRE-21, WIRE-39.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from blitzweb.errors import InvalidParams, Overloaded
from blitzweb.limits import RETRY_AFTER_MS
from blitzweb.rpc.faults import to_protocol_error
from blitzweb.rpc.lanes import Job
from blitzweb.rpc.lifecycle import Lifecycle
from blitzweb.rpc.log import Log
from blitzweb.rpc.methods import Kind, Method, Params, longest
from blitzweb.rpc.outbox import Outbox
from blitzweb.rpc.running import Answer, Connection, Reply, Running
from blitzweb.rpc.scheduler import Scheduler
from blitzweb.timing import CancelToken, Deadline
from blitzweb.wire.messages import Request

_OWN = frozenset({"ping", "shutdown"})  # answered here, in those dialects that admit them

# Answered also while the host does not read: small, and what one wants to know or do then.
_WHILE_FULL = frozenset({"ping", "shutdown", "$/status"})


class Dispatch:
    """Owned by the connection; used by the reader thread alone, and never blocks."""

    def __init__(
        self,
        methods: Mapping[str, Method],
        *,
        lifecycle: Lifecycle,
        scheduler: Scheduler,
        outbox: Outbox,
        connection: Connection,
        shut_down: Callable[[Reply], None],
        log: Log,
    ) -> None:
        self._methods = methods
        self._lifecycle = lifecycle
        self._scheduler = scheduler
        self._outbox = outbox
        self._connection = connection
        self._shut_down = shut_down
        self._log = log

    def start(self, request: Request, size: int, reply: Reply) -> None:
        """Begin a request; whatever goes wrong is its answer."""
        try:
            self._lifecycle.admit(request)
            self._begin(request, size, reply)
            self._lifecycle.passed(request)
        except BaseException as error:
            reply.error(to_protocol_error(error, self._log, f"answering {request.method}"))

    def _begin(self, request: Request, size: int, reply: Reply) -> None:
        params = self._check(request)
        if request.method == "ping":
            reply.result(self._lifecycle.pong)
        elif request.method == "shutdown":
            self._shut_down(reply)
        else:
            self._run(self._methods[request.method], request, params, size, reply)

    def _check(self, request: Request) -> Params:
        """Return the params of a request that may run now."""
        if request.method not in self._methods and request.method not in _OWN:
            raise self._lifecycle.missing(request.method)
        if not self._outbox.admitting and request.method not in _WHILE_FULL:
            raise Overloaded(
                f"{self._outbox.waiting_bytes} bytes of answers wait to be read, and no more work is taken",
                advice="read answers, then send it again",
                retry_after_ms=RETRY_AFTER_MS,
            )
        if isinstance(request.params, list):
            text = f"the params of {request.method} must be an object with named members, not an array"
            raise InvalidParams(text)
        return request.params

    def _run(self, method: Method, request: Request, params: Params, size: int, reply: Reply) -> None:
        quick = method.kind is Kind.QUICK
        seconds = longest(params) if quick else method.deadline(params)
        answer = Answer(reply)
        deadline = Deadline(seconds)
        running = Running(request.id, self._connection, answer, deadline=deadline, cancel=CancelToken())
        if quick:
            reply.result(method.handler(params, running))
            return
        job = Job(
            lambda own: method.handler(params, own),
            running,
            method=request.method,
            lane=method.lane(params),
            size=size,
            late=method.late,
        )
        self._scheduler.submit(job)
