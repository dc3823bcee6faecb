"""`search/web`: the user's own search, which asks nobody and grants its turn exactly the pages handed over (WEB-20).

It is audited before it is sent. Where it comes to nothing there is an error or an empty list, and no prompt: the host
runs no turn then (SEARCH-06).
"""

from __future__ import annotations

from blitzweb.audit import Audit, AuditRecord
from blitzweb.contract.searches import SearchWebResult, UserSearchHit
from blitzweb.errors import ToolFailure
from blitzweb.limits import ASKED_FOR_USER
from blitzweb.policy.decide import Policy
from blitzweb.policy.keys import search_key
from blitzweb.policy.searches import USER_SEARCH, refuse_user_search
from blitzweb.policy.verdicts import Decision, Refuse
from blitzweb.search.engine import Caller, Found, Search
from blitzweb.search.prompt import write_prompt
from blitzweb.search.query import clean_query
from blitzweb.search.usable import Unusable
from blitzweb.search.viable import choose_viable


def answer_error(error: str, advice: str = "", provider: str | None = None) -> SearchWebResult:
    """Return what a search that was not made, or failed, answers."""
    return SearchWebResult(error=f"{error}; {advice}" if advice else error, provider=provider)


def answer_unusable(unusable: Unusable) -> SearchWebResult:
    """Return what a search without a provider answers."""
    return answer_error(unusable.problem, unusable.advice)


class UserSearch:
    """Makes the user's searches with the chosen provider."""

    def __init__(self, search: Search, policy: Policy, audit: Audit) -> None:
        self._search = search
        self._policy = policy
        self._audit = audit

    def run(self, terms: str, caller: Caller) -> SearchWebResult:
        """Search, and write the prompt for the pages that were found."""
        provider = self._search.provider.name
        try:
            query = clean_query(terms, self._search.provider)
            refusal = refuse_user_search(self._policy, provider, self._search.host, caller.context)
            self._record(refusal, query, caller)
            if refusal is not None:
                return answer_error(refusal.text, provider=provider)
            return self._answer(query, self._search.find(query, ASKED_FOR_USER, caller))
        except ToolFailure as failure:
            return answer_error(failure.message, failure.advice, provider)

    def _answer(self, query: str, found: Found) -> SearchWebResult:
        provider = self._search.provider.name
        chosen = choose_viable(found.results)
        return SearchWebResult(
            results=tuple(UserSearchHit(**result._asdict()) for result in chosen),
            grants=tuple(result.url for result in chosen),
            provider=provider,
            answer=found.answer or None,
            prompt=write_prompt(query, provider, chosen, found.answer) if chosen else None,
        )

    def _record(self, refusal: Refuse | None, query: str, caller: Caller) -> None:
        """Audit the search before it is sent."""
        provider = self._search.provider.name
        record = AuditRecord(
            kind="user_search" if refusal is None else "denial",
            tool=USER_SEARCH,
            target=provider,
            detail=f"{provider}: {query}",
            decision=(Decision.USER_SELECTED if refusal is None else refusal.decision).value,
            session=caller.context.session,
            key=search_key(provider),
            rule=refusal.rule if refusal is not None else "",
        )
        self._audit.write(record)
