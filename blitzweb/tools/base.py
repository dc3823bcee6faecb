"""The port that every tool fills: what the model reads about it, its shapes, and how it runs."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol

from blitzweb.tools.call import Call, ToolResult


class Tool(Protocol):
    """One tool of the model.

    `arguments` and `output` are contract dataclasses; the registry decodes the arguments before `run` sees them.
    `annotations` are hints for the host: does it only read, does it reach the open world, may it ask a person.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    description: ClassVar[str]
    group: ClassVar[str]
    arguments: ClassVar[type[Any]]
    output: ClassVar[type[Any]]
    read_only: ClassVar[bool]
    open_world: ClassVar[bool]
    may_ask: ClassVar[bool]

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
