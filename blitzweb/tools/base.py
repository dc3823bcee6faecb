"""The port that every tool fills: its shape in the contract, its deadline, and how it runs."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol

from blitzweb.contract.toolset import ToolShape
from blitzweb.tools.call import Call, ToolResult


class Tool(Protocol):
    """One tool of the model; `invoke` has decoded its arguments before `run` sees them."""

    shape: ClassVar[ToolShape]
    misfit: ClassVar[str]  # how an error about its arguments begins

    @property
    def seconds(self) -> float:
        """The deadline of a call for which the host gives none."""
        ...

    def run(self, arguments: Any, call: Call) -> ToolResult:
        """Do it.

        Raises:
            ToolFailure: becomes a result with `is_error`, which a model can act on.
            ProtocolError: becomes a JSON-RPC error, which is for the host.
        """
        ...
