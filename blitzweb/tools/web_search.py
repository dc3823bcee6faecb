"""`web_search`: one search with the chosen provider, whose results can be opened by reference (WEB-12, PAGE-01).

Nothing is sent before the decision; what was found is stored only if the session still stands then.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from blitzweb.contract.toolset import WEB_SEARCH, ToolShape
from blitzweb.contract.web_search import SearchHit, WebSearchArguments, WebSearchOutput
from blitzweb.pages.entries import Source
from blitzweb.pages.store import Cleared, PageStore, Revoked, Visit
from blitzweb.policy.decide import Policy
from blitzweb.policy.searches import decide_search
from blitzweb.search.engine import Caller, Found, Search
from blitzweb.search.failures import SearchFailed
from blitzweb.search.query import clean_query
from blitzweb.search.text import render_results
from blitzweb.settings.tables import Web
from blitzweb.tools.call import Call, ToolResult


class WebSearch:
    """Searches. Holds no state of its own: references are the store's, answers the approver's."""

    shape: ClassVar[ToolShape] = WEB_SEARCH
    misfit: ClassVar[str] = "web search: invalid query"

    def __init__(self, search: Search, policy: Policy, store: PageStore, web: Web) -> None:
        self._search = search
        self._policy = policy
        self._store = store
        self._web = web

    @property
    def seconds(self) -> float:
        """The deadline of a call for which the host gives none."""
        return self._web.timeout_seconds

    def run(self, arguments: WebSearchArguments, call: Call) -> ToolResult:
        """Search."""
        provider = self._search.provider.name
        try:
            visit = self._store.begin(call.context.session, call.context.workspace)
            query = clean_query(arguments.query, self._search.provider)
            verdict = decide_search(self._policy, provider, self._search.host, query, call.context)
            go = call.approver.settle(verdict, call, target=provider, detail=f"{provider}: {query}")
            caller = Caller(call.context, call.deadline, call.cancel, call.enter)
            found = self._search.find(query, arguments.max_results or self._web.search_max_results, caller)
            refs = self._keep(visit, found)
        except Revoked:
            raise SearchFailed("unavailable in this session") from None
        text = render_results(provider, found, refs, [go.note] if go.note else [])
        return ToolResult(_output(query, provider, found, refs), text)

    def _keep(self, visit: Visit, found: Found) -> Sequence[str | None]:
        """Store the results as sources; a session that was cleared meanwhile gets none."""
        try:
            return self._store.add(visit, [Source(result.url, result.title) for result in found.results])
        except Cleared:
            return [None] * len(found.results)


def _output(query: str, provider: str, found: Found, refs: Sequence[str | None]) -> WebSearchOutput:
    hits = (SearchHit(**result._asdict(), ref=ref) for result, ref in zip(found.results, refs, strict=True))
    return WebSearchOutput(query=query, provider=provider, results=tuple(hits), answer=found.answer or None)
