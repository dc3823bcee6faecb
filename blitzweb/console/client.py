"""A host's side of the protocol: one call at a time, the daemon's questions answered while it waits.

It knows ids and who answers whom, not what the methods mean. No thread of its own. Ids: WIRE-12, APPROVAL-10.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable
from typing import Any, Final

from blitzweb.console.link import DaemonFailed, Interrupted, Link
from blitzweb.errors import BlitzwebError, CallCancelled, MethodNotFound

Ask = Callable[[dict[str, Any]], dict[str, Any]]
Hear = Callable[[str, Any], None]

_SHUTDOWN_SECONDS: Final = 2.0


class RpcFailed(BlitzwebError):
    """Raised when the daemon answered a call with a JSON-RPC error; `error` is the whole of it."""

    def __init__(self, error: dict[str, Any]) -> None:
        data = error.get("data")
        told = data if isinstance(data, dict) else {}
        advice = str(told.get("advice", "")) + (" (--log shows it)" if "log_id" in told else "")
        super().__init__(f"error {error.get('code')}: {error.get('message')}", advice=advice)
        self.error = error


class Client:
    """Calls a daemon over a link.

    Args:
        link: the daemon; the client closes it.
        ask: answers `approval/request`; a KeyboardInterrupt out of it cancels the running call.
        hear: is told every notification.
    """

    def __init__(self, link: Link, *, ask: Ask, hear: Hear) -> None:
        self._link = link
        self._ask = ask
        self._hear = hear
        self._ids = itertools.count(1)

    def call(self, method: str, params: dict[str, Any] | None = None, *, seconds: float | None = None) -> Any:
        """Return the result of a call. The first interrupt cancels it, and its answer is still waited for.

        Args:
            method: its name.
            params: left out if `None`.
            seconds: for each message at most; questions to a person do not count.

        Raises:
            RpcFailed: the daemon answered with an error.
            DaemonFailed: it is gone.
            TimeoutError: nothing came for so long.
        """
        identity = next(self._ids)
        self._link.send({"jsonrpc": "2.0", "id": identity} | _content(method, params))
        while True:
            try:
                message = self._link.receive(seconds)
            except Interrupted:
                self._cancel(identity)
                continue
            if _answers(message, identity):
                return _result(message)
            self._take(message, identity)

    def notify(self, method: str, params: dict[str, Any] | None = None) -> None:
        """Send a notification."""
        self._link.send({"jsonrpc": "2.0"} | _content(method, params))

    def interrupt(self) -> None:
        """Cancel the running call; safe in a signal handler."""
        self._link.interrupt()

    def hear_waiting(self) -> None:
        """Handle what has come between calls."""
        with contextlib.suppress(TimeoutError, Interrupted):
            while True:
                self._take(self._link.receive(0), None)

    def close(self) -> int:
        """Say goodbye as a host should, and end the daemon however it takes it; return its exit code."""
        with contextlib.suppress(RpcFailed, DaemonFailed, TimeoutError):
            self.call("shutdown", seconds=_SHUTDOWN_SECONDS)
        self.notify("exit")
        with contextlib.suppress(DaemonFailed, TimeoutError, Interrupted):
            while True:
                self._link.receive(_SHUTDOWN_SECONDS)
        return self._link.close()

    def _take(self, message: Any, running: int | None) -> None:
        """Handle a message that is not the awaited answer; an answer to nothing is a late one, and is dropped."""
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            return
        if "id" in message:
            self._link.send({"jsonrpc": "2.0", "id": message["id"]} | self._answer(message, running))
        else:
            self._hear(message["method"], message.get("params"))

    def _answer(self, request: dict[str, Any], running: int | None) -> dict[str, Any]:
        if request["method"] != "approval/request":
            return {"error": MethodNotFound(f'a host has no method "{request["method"]}"').to_object()}
        try:
            return {"result": self._ask(request.get("params") or {})}
        except KeyboardInterrupt:
            self._cancel(running)
            return {"error": CallCancelled("the call was cancelled").to_object()}

    def _cancel(self, identity: int | None) -> None:
        if identity is not None:
            self.notify("$/cancelRequest", {"id": identity})


def _content(method: str, params: dict[str, Any] | None) -> dict[str, Any]:
    return {"method": method} if params is None else {"method": method, "params": params}


def _answers(message: Any, identity: int) -> bool:
    """Tell whether a message ends a call: its answer, or an error that says our line could not be read (id null)."""
    if not isinstance(message, dict) or "method" in message:
        return False
    return message.get("id") == identity or ("error" in message and message.get("id") is None)


def _result(message: dict[str, Any]) -> Any:
    error = message.get("error")
    if error is None:
        return message.get("result")
    raise RpcFailed(error if isinstance(error, dict) else {"code": None, "message": repr(error)})
