"""The port that the dialects speak to: what the program can do, without any protocol's words for it.

`app.py` fills it; tests fill it with little. Imported at start, so nothing here loads the contract.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from blitzweb.dialects.handshake import Hello
from blitzweb.rpc.running import HostLink, Report, Running

if TYPE_CHECKING:
    from blitzweb.approval.person import Person
    from blitzweb.contract.searches import SearchWebResult
    from blitzweb.contract.toolset import ToolShape
    from blitzweb.contract.upkeep import DoctorCheck
    from blitzweb.policy.context import CallContext
    from blitzweb.tools.call import ToolResult


class Offer(NamedTuple):
    """What holds from now on: the names of the tools on offer, every setting with its origin, and what was ignored."""

    tools: Sequence[str]
    settings: Mapping[str, Any]
    warnings: Sequence[str]


class Figures(NamedTuple):
    """What `$/status` tells beside the load of the connection; `browsers` as its result has them."""

    browsers: Sequence[Mapping[str, Any]]
    references: int
    memory_bytes: int
    uptime_s: float


class Core(Protocol):
    """Everything that a dialect may ask for. Safe to call from any thread, except `initialize`, which comes first."""

    def initialize(self, hello: Hello, connection: HostLink) -> Offer:
        """Take the host's settings and capabilities; must not block.

        Raises:
            SettingsError: a setting is wrong.
            StateError: a file of ours is damaged.
        """
        ...

    def update_settings(self, settings: Mapping[str, Any]) -> Offer:
        """Replace the host's layer of settings; must not block.

        Raises:
            SettingsError: a setting is wrong; nothing has changed then.
        """
        ...

    def tools(self, context: CallContext) -> Sequence[ToolShape]:
        """Return the tools on offer for a call with this context, in stable order."""
        ...

    def seconds(self, tool: str) -> float:
        """Return the deadline of a call for which the host gives none; any name is taken, and it must not block."""
        ...

    def call_tool(
        self,
        name: str,
        arguments: Mapping[str, Any],
        *,
        context: CallContext,
        running: Running,
        report: Report,
        person: Person,
    ) -> ToolResult:
        """Run a tool; `person` answers its questions. What a model can act on comes back as a result with `is_error`.

        Raises:
            AskedLater: `person` raised it.
            UnknownTool: there is no such tool, or it is not on offer for this context.
        """
        ...

    def search_web(self, terms: str, *, context: CallContext, running: Running) -> SearchWebResult:
        """Make the user's own search; what went wrong is in the result."""
        ...

    def end_session(self, session: str) -> None:
        """Forget what was remembered for a session; must not block."""
        ...

    def close_browser(self, workspace: str) -> None:
        """Close the browser of a workspace, if there is one; a call that runs there ends with an error."""
        ...

    def doctor(self, *, online: bool) -> Sequence[DoctorCheck]:
        """Check this machine and the settings; with `online` also what sends requests."""
        ...

    def figures(self) -> Figures:
        """Return figures for `$/status`; also before `initialize`, and must not block."""
        ...
