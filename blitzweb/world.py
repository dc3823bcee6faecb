"""The parts that fit one set of settings: policy, approvals, fetcher, tools. Made by `app.py`, which closes it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from blitzweb.approval.approvals import Approvals, SessionRules
from blitzweb.approval.saved import SavedRules
from blitzweb.audit import Audit
from blitzweb.browsers import Browsers
from blitzweb.checks import TOOL_NAMES
from blitzweb.contract.toolset import ToolShape
from blitzweb.masking import Masker
from blitzweb.net.fetch import Fetcher
from blitzweb.net.tls import TlsContext
from blitzweb.policy.decide import Policy
from blitzweb.policy.egress import Egress
from blitzweb.policy.hosts import HostList
from blitzweb.policy.output_guard import OutputGuards
from blitzweb.policy.permissions import Rules
from blitzweb.rpc.log import Log
from blitzweb.rpc.running import HostCalls
from blitzweb.search.usable import is_offered, why_unusable
from blitzweb.settings import Settings
from blitzweb.tools.base import Tool
from blitzweb.tools.web_fetch import WebFetch
from blitzweb.workers.conversion import Converter

if TYPE_CHECKING:  # what one of the tools takes is imported with it: a first call waits for all that is up here
    from blitzweb.contract.searches import SearchWebResult
    from blitzweb.pages.store import PageStore
    from blitzweb.search.engine import Caller, Search


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
        session_rules: SessionRules,
        pages: PageStore,
        converter: Converter,
        browsers: Browsers,
        wants_audit: bool,
    ) -> None:
        masker = Masker(settings.secrets, environ)
        self._audit = audit = Audit(
            folder=os.path.join(state_dir, "audit") if settings.audit.file else "",
            tell=(lambda event: host.notify("audit/event", event)) if host and wants_audit else None,
            masker=masker,
            complain=log.warning,
        )
        self.approvals = Approvals(
            saved=SavedRules(state_dir),
            audit=audit,
            session_rules=session_rules,
        )
        self._fetcher = Fetcher(tls=TlsContext(settings.network.ca_file), environ=environ)
        self._settings, self._environ, self._log = settings, environ, log
        self._policy = policy_of(settings)
        self.guards = OutputGuards.compile(settings.guard.deny_output)
        driving, renderer = browsers.make_tools(
            settings, browser_policy(self._policy, settings), audit, converter, state_dir
        )
        self._reader = WebFetch(self._policy, self._fetcher, converter, settings.web, renderer)
        tools: list[Tool] = [self._reader] if settings.web.enabled else []
        self._unusable = why_unusable(settings, environ)
        self._search = self._make_search(masker, host) if self._unusable is None else None
        if self._search is not None and is_offered(settings, environ):
            tools += self._make_selected(self._search, pages, converter)
        tools += driving
        self._tools = {tool.shape.name: tool for tool in tools}

    @property
    def shapes(self) -> Sequence[ToolShape]:
        """The shapes of the tools that the settings offer, in stable order."""
        return [tool.shape for tool in self._tools.values()]

    def tool(self, name: str) -> Tool:
        """Return a tool on offer."""
        return self._tools[name]

    def end_session(self, session: str) -> None:
        """Forget the pages that web_fetch keeps for a session."""
        self._reader.end_session(session)

    def search_for_user(self, terms: str, caller: Caller, *, may_fetch: bool) -> SearchWebResult:
        """Make the user's own search; `may_fetch` tells whether web_fetch is on offer, without which it is no use."""
        from blitzweb.search.user import UserSearch, answer_error, answer_unusable

        if not may_fetch:
            return answer_error("web_fetch is not on offer, and no page that is found could be read")
        if self._search is None:
            assert self._unusable is not None, "there is a search unless the provider is unusable"  # noqa: S101
            return answer_unusable(self._unusable)
        return UserSearch(self._search, self._policy, self._audit).run(terms, caller)

    def _make_search(self, masker: Masker, host: HostCalls | None) -> Search:
        from blitzweb.search.engine import Surroundings
        from blitzweb.search.making import make_search

        around = Surroundings(
            fetcher=self._fetcher,
            policy=self._policy,
            mask=masker.mask,
            log=self._log.info,
            tell_usage=lambda usage: host.notify("usage/search", usage) if host else None,
        )
        return make_search(self._settings, around)

    def _make_selected(self, search: Search, pages: PageStore, converter: Converter) -> list[Tool]:
        """Return the four tools that the selector turns on together (PAGE-05)."""
        from blitzweb.tools.web_pages import Walker, WebClick, WebFind, WebOpen
        from blitzweb.tools.web_search import WebSearch

        walker = Walker(
            self._policy,
            self._fetcher,
            pages,
            converter,
            asks=self._settings.pages.approval == "ask",
            parser="html5lib" if self._settings.web.html_parser == "html5lib" else "auto",
            log=self._log.info,
        )
        searching = WebSearch(search, self._policy, pages, self._settings.web)
        return [searching, WebOpen(walker), WebFind(walker), WebClick(walker)]

    def close(self) -> None:
        """Close the connections that are kept alive; those of calls that still run close with them."""
        self._fetcher.close()


def browser_policy(policy: Policy, settings: Settings) -> Policy:
    """Return the policy of pages in the browser: what is local is opened by a setting of its own."""
    return replace(policy, opens_local=settings.browser.allow_local, local_setting="browser.allow_local")


def policy_of(settings: Settings) -> Policy:
    """Return the settings, compiled."""
    rules = settings.permissions
    return Policy(
        allow_network=settings.sandbox.allow_network,
        opens_local=settings.web.allow_private,
        allow_domains=HostList.compile("web.allow_domains", settings.web.allow_domains),
        deny_domains=HostList.compile("web.deny_domains", settings.web.deny_domains),
        rules=Rules.compile(allow=rules.allow, ask=rules.ask, deny=rules.deny, tools=TOOL_NAMES),
        egress=Egress.compile(settings.egress.mode, settings.egress.domains),
    )
