"""The parts that fit one set of settings: policy, approvals, fetcher, tools. Made by `app.py`, which closes it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from blitzweb.approval.approvals import Approvals, SessionRules
from blitzweb.approval.person import Person
from blitzweb.approval.saved import SavedRules
from blitzweb.audit import Audit
from blitzweb.checks import TOOL_NAMES
from blitzweb.contract.toolset import ToolShape
from blitzweb.masking import Masker
from blitzweb.net.fetch import Fetcher
from blitzweb.net.tls import TlsContext
from blitzweb.policy.decide import Policy
from blitzweb.policy.egress import Egress
from blitzweb.policy.hosts import HostList
from blitzweb.policy.permissions import Rules
from blitzweb.rpc.log import Log
from blitzweb.rpc.running import HostCalls
from blitzweb.settings import Settings
from blitzweb.tools.base import Tool
from blitzweb.tools.web_fetch import WebFetch


class World:
    """Immutable but for what its parts keep (session rules, connections kept alive)."""

    def __init__(
        self,
        settings: Settings,
        *,
        state_dir: str,
        environ: Mapping[str, str],
        log: Log,
        host: HostCalls | None,
        can_ask: bool,
        session_rules: SessionRules,
        wants_audit: bool,
    ) -> None:
        audit = Audit(
            folder=os.path.join(state_dir, "audit") if settings.audit.file else "",
            tell=(lambda event: host.notify("audit/event", event)) if host and wants_audit else None,
            masker=Masker(settings.secrets, environ),
            complain=log.warning,
        )
        self.approvals = Approvals(
            person=Person(host if can_ask else None),
            saved=SavedRules(state_dir),
            audit=audit,
            session_rules=session_rules,
        )
        self._fetcher = Fetcher(tls=TlsContext(settings.network.ca_file), environ=environ)
        tools: list[Tool] = []
        if settings.web.enabled:
            tools.append(WebFetch(policy_of(settings), self._fetcher, settings.web))
        self._tools = {tool.shape.name: tool for tool in tools}

    @property
    def shapes(self) -> Sequence[ToolShape]:
        """The shapes of the tools that the settings offer, in stable order."""
        return [tool.shape for tool in self._tools.values()]

    def tool(self, name: str) -> Tool:
        """Return a tool on offer."""
        return self._tools[name]

    def close(self) -> None:
        """Close the connections that are kept alive."""
        self._fetcher.close()


def policy_of(settings: Settings) -> Policy:
    """Return the settings, compiled."""
    rules = settings.permissions
    return Policy(
        allow_network=settings.sandbox.allow_network,
        allow_private=settings.web.allow_private,
        allow_domains=HostList.compile("web.allow_domains", settings.web.allow_domains),
        deny_domains=HostList.compile("web.deny_domains", settings.web.deny_domains),
        rules=Rules.compile(allow=rules.allow, ask=rules.ask, deny=rules.deny, tools=TOOL_NAMES),
        egress=Egress.compile(settings.egress.mode, settings.egress.domains),
    )
