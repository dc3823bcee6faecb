"""Lets the signals that ask a process to end begin the daemon's ordinary end."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from blitzweb.rpc.stopping import StopReason, StopSignal


@contextmanager
def ending_by_signals(stop: StopSignal, *, by_interrupt: bool) -> Iterator[None]:
    """Stop on SIGTERM and SIGHUP inside the block; on SIGINT too, or ignore it.

    A terminal sends Ctrl-C to a host and its children alike, and a host uses it to cancel a call: only where a person
    started the daemon itself is it meant for us.
    """
    if threading.current_thread() is not threading.main_thread():  # the interpreter takes handlers from there only
        yield
        return

    def end(_number: int, _frame: Any) -> None:
        stop.stop(StopReason.SIGNAL)

    actions = {signal.SIGTERM: end, signal.SIGHUP: end, signal.SIGINT: end if by_interrupt else signal.SIG_IGN}
    previous = {number: signal.signal(number, action) for number, action in actions.items()}
    try:
        yield
    finally:
        for number, action in previous.items():
            signal.signal(number, action)
