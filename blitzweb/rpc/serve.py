"""Puts the parts of a connection together, serves it until there is a reason to end, and ends it in order.

Threads: the reader is the caller's; writer, watchdog, calls, deadlines and shutdown belong to their modules; all are
joined here, in the order that lets each say what it still has to say. Ids: WIRE-14, WIRE-15, WIRE-21, WIRE-22, WIRE-23.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterable, Mapping

from blitzweb.limits import STOP_SECONDS
from blitzweb.rpc.answers import Answers
from blitzweb.rpc.closing import Closing
from blitzweb.rpc.connection import HostConnection
from blitzweb.rpc.dispatch import Dispatch
from blitzweb.rpc.endpoint import Guard
from blitzweb.rpc.inbox import Inbox
from blitzweb.rpc.lifecycle import Lifecycle
from blitzweb.rpc.log import Log, forward_logging
from blitzweb.rpc.methods import Method
from blitzweb.rpc.outbox import Outbox
from blitzweb.rpc.reader import Reader
from blitzweb.rpc.scheduler import Scheduler
from blitzweb.rpc.signals import ending_by_signals
from blitzweb.rpc.stdio import Stdio, take_stdio
from blitzweb.rpc.stopping import StopReason, StopSignal
from blitzweb.rpc.watchdog import Watchdog
from blitzweb.rpc.writer import Writer

_SWITCH_SECONDS = 0.0005  # a thread that parses a page lets `ping` through ten times as often as by default
_FLUSH_SECONDS = STOP_SECONDS / 8  # for a host that still reads
_JOIN_SECONDS = STOP_SECONDS / 8  # for work that cancelling has not brought back


def serve(
    methods: Mapping[str, Method],
    *,
    lifecycle: Lifecycle,
    log: Log,
    on_stop: Iterable[Callable[[], object]] = (),
    stdio: Stdio | None = None,
    hard_exit: Callable[[int], object] = os._exit,
) -> int:
    """Serve one host on stdin and stdout until it ends; return the exit code.

    `ping` and `shutdown` are answered here where `lifecycle` admits them, everything else by `methods`.
    `on_stop` runs once, after all calls were cancelled. If the end takes more than 2 s, `hard_exit` is called.
    """
    stdio = stdio or take_stdio()
    forward_logging(log)
    sys.setswitchinterval(_SWITCH_SECONDS)
    if stdio.stdin is None or stdio.stdout is None:
        log.error("stdin or stdout is closed: there is no host to serve")
        return 0
    server = Server(
        methods,
        lifecycle=lifecycle,
        stdin=stdio.stdin,
        stdout=stdio.stdout,
        log=log,
        on_stop=on_stop,
        hard_exit=hard_exit,
    )
    return server.run(by_interrupt=os.isatty(stdio.stdin))


class Server:
    """Owns every part of one connection; each part says what it is for."""

    def __init__(
        self,
        methods: Mapping[str, Method],
        *,
        lifecycle: Lifecycle,
        stdin: int,
        stdout: int,
        log: Log,
        on_stop: Iterable[Callable[[], object]],
        hard_exit: Callable[[int], object],
    ) -> None:
        self._log = log
        self._lifecycle = lifecycle
        self._stop = stop = StopSignal()
        self._outbox = outbox = Outbox()
        self._writer = Writer(stdout, outbox, stop, log)
        self._watchdog = Watchdog(stop, log, lambda: hard_exit(self._exit_code()))
        answers = Answers(outbox, log)
        self._guard = guard = Guard(answers, outbox, lifecycle)
        self._scheduler = scheduler = Scheduler(log)
        self._closing = Closing(scheduler, on_stop, log)
        dispatch = Dispatch(
            methods,
            lifecycle=lifecycle,
            scheduler=scheduler,
            outbox=outbox,
            connection=HostConnection(
                guard=guard, answers=answers, outbox=outbox, scheduler=scheduler, watchdog=self._watchdog
            ),
            shut_down=self._closing.answer_shutdown,
            log=log,
        )
        inbox = Inbox(
            lifecycle=lifecycle,
            answers=answers,
            guard=guard,
            dispatch=dispatch,
            scheduler=scheduler,
            stop=stop,
            log=log,
        )
        self._reader = Reader(stdin, stdout, stop, inbox.receive)

    def run(self, *, by_interrupt: bool) -> int:
        """Serve until there is a reason to end; return the exit code."""
        with ending_by_signals(self._stop, by_interrupt=by_interrupt):
            self._writer.start()
            self._watchdog.start()
            gc.freeze()  # what was imported stays, so that the collector need not look at it again
            try:
                self._reader.run()
            finally:
                self._end()
        return self._exit_code()

    def _exit_code(self) -> int:
        return self._lifecycle.exit_code(self._stop.reason or StopReason.END_OF_INPUT)

    def _end(self) -> None:
        """End everything: first the work, then what carries its answers, last who watches over the end."""
        self._stop.stop(StopReason.END_OF_INPUT)  # unless there was a reason before
        self._log.debug(f"ending: {self._stop.reason}")
        self._guard.close()
        self._closing.run()
        self._closing.finish()
        self._scheduler.finish(_JOIN_SECONDS)
        self._outbox.close()
        self._writer.finish(_FLUSH_SECONDS)
        self._watchdog.finish()
        self._stop.close()
