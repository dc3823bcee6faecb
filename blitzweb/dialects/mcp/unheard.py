"""What the core tells its host beside answers: an MCP client knows none of it, so that it goes to the log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from blitzweb.errors import HostFailed, MethodNotFound
from blitzweb.rpc.log import Log
from blitzweb.rpc.running import HostCalls
from blitzweb.timing import CancelToken
from blitzweb.wire.encoding import encode


class Unheard:
    """Fills `HostLink` and `HostCalls`."""

    def __init__(self, log: Log) -> None:
        self._log = log

    @property
    def host(self) -> HostCalls:
        """Return this."""
        return self

    def request(self, method: str, _params: Mapping[str, Any], *, cancel: CancelToken) -> Any:
        """Refuse: the person is asked for the call at hand, by the dialect."""
        cancel.check()
        raise HostFailed(f"an MCP client is not asked for {method}", code=MethodNotFound.code)

    def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """Write it to the log, unless it comes from there."""
        if method == "log/message":
            return
        self._log.info(f"{method} {encode(params).decode()}")
