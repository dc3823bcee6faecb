"""The one thread that moves bytes: a selector over every socket of the proxy, and the time that each flow may take.

A `Flow` owns its sockets and is only ever called here, so that flows need no locks. Other threads hand in what is to be
done with `call`. The thread ends when `close` is called; it then closes every flow.
"""

from __future__ import annotations

import math
import selectors
import socket
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final

READ: Final = selectors.EVENT_READ
WRITE: Final = selectors.EVENT_WRITE
_CLOSE_SECONDS: Final = 1.0  # for the thread to end; nothing in it blocks

Complain = Callable[[str], object]


class Flow(ABC):
    """What stands on one or two sockets; it ends by its own `close`, which the loop calls where need be."""

    __slots__ = ("expires",)

    def __init__(self) -> None:
        self.expires = math.inf  # the loop sets it

    @abstractmethod
    def ready(self, side: socket.socket, events: int) -> None:
        """Go on: a socket that is watched can be read or written, or has failed."""

    @abstractmethod
    def close(self) -> None:
        """Close the sockets; the loop does not watch them any more after `Loop.drop`."""

    def expire(self) -> None:
        """Do what is due at `expires`: end, unless a flow knows better."""
        self.close()


class Loop:
    """Watches, waits and calls. Owned by the proxy, which starts and closes it."""

    def __init__(self, complain: Complain, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._complain = complain
        self._selector = selectors.DefaultSelector()
        self._watched: dict[int, tuple[int, Flow]] = {}
        self._flows: set[Flow] = set()
        self._lock = threading.Lock()  # over the calls and the end, which other threads see
        self._calls: deque[Callable[[], object]] = deque()
        self._ended = False
        self._waker, self._wakened = socket.socketpair()
        self._waker.settimeout(0)
        self._wakened.settimeout(0)
        self._selector.register(self._wakened, READ, None)
        self._closing = False
        self._next_sweep = math.inf
        self._thread = threading.Thread(target=self._run, name="blitzweb-egress", daemon=True)
        self.now = clock()

    # --- for other threads ------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def call(self, act: Callable[[], object]) -> bool:
        """Have something done by the loop's thread; tell whether it will be: once the loop has ended, nothing is."""
        with self._lock:
            if self._ended:
                return False
            self._calls.append(act)
            with suppress(BlockingIOError):  # a full buffer wakes it too
                self._waker.send(b"\0")
            return True

    def close(self) -> None:
        """End the thread and close every flow; one that never started has none."""
        self._closing = True
        if self._thread.ident is None:
            self._end()
        elif self.call(lambda: None):
            self._thread.join(_CLOSE_SECONDS)

    # --- for flows --------------------------------------------------------------------------------------------------

    def add(self, flow: Flow, seconds: float) -> None:
        """Take a flow in, and let it expire so many seconds from now unless it is given more time."""
        self._flows.add(flow)
        flow.expires = self.now + seconds
        self._next_sweep = min(self._next_sweep, flow.expires)

    def remove(self, flow: Flow) -> None:
        """Let a flow go, which has dropped its sockets or handed them on."""
        self._flows.discard(flow)

    def watch(self, side: socket.socket, events: int, flow: Flow) -> None:
        """Call the flow when a socket is ready for any of some events; for none, leave the socket alone."""
        number = side.fileno()
        before, owner = self._watched.get(number, (0, flow))
        if before == events and owner is flow:
            return
        if not events:
            self._selector.unregister(side)
            del self._watched[number]
            return
        self._watched[number] = (events, flow)
        if before:
            self._selector.modify(side, events, flow)
        else:
            self._selector.register(side, events, flow)

    def release(self, side: socket.socket) -> None:
        """Stop watching a socket that somebody else goes on with."""
        if self._watched.pop(side.fileno(), None):
            self._selector.unregister(side)

    def drop(self, side: socket.socket) -> None:
        """Stop watching a socket, and close it."""
        if side.fileno() >= 0:
            self.release(side)
            side.close()

    def guard(self, flow: Flow, act: Callable[[], object]) -> None:
        """Let no flow's end be another's: what the network raises closes the flow, and so does a fault of ours."""
        try:
            act()
        except OSError:
            self._close(flow)
        except Exception as error:
            self._complain(f"the egress proxy met a fault of its own: {error!r}")
            self._close(flow)

    # --- the thread -------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._closing:
            wait = None if self._next_sweep == math.inf else max(0.0, self._next_sweep - self._clock())
            events = self._selector.select(wait)
            self.now = self._clock()
            for key, ready in events:
                self._dispatch(key, ready)
            self._run_calls()
            if self.now >= self._next_sweep:
                self._sweep()
        self._end()

    def _dispatch(self, key: selectors.SelectorKey, ready: int) -> None:
        flow: Flow | None = key.data
        side = key.fileobj
        assert isinstance(side, socket.socket), "nothing else is ever watched"  # noqa: S101
        if flow is None:
            with suppress(BlockingIOError):
                side.recv(4096)
        elif self._watched.get(key.fd, (0, None))[1] is flow:  # else an earlier event of this round ended it
            self.guard(flow, lambda: flow.ready(side, ready))

    def _run_calls(self) -> None:
        for _ in range(len(self._calls)):
            act = self._calls.popleft()
            try:
                act()
            except Exception as error:
                self._complain(f"the egress proxy met a fault of its own: {error!r}")

    def _close(self, flow: Flow) -> None:
        try:
            flow.close()
        except Exception as error:
            self._flows.discard(flow)
            self._complain(f"the egress proxy could not close a connection: {error!r}")

    def _sweep(self) -> None:
        """End what has expired. `add` sees to earlier ends, so that the soonest that is left is when to look again."""
        for flow in [flow for flow in self._flows if flow.expires <= self.now]:
            self.guard(flow, flow.expire)
        self._next_sweep = min((flow.expires for flow in self._flows), default=math.inf)

    def _end(self) -> None:
        with self._lock:
            self._ended = True
            self._waker.close()
        self._run_calls()  # what was handed in last owns sockets
        for flow in list(self._flows):
            self.guard(flow, flow.close)
        self._selector.close()
        self._wakened.close()
