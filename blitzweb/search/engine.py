"""One search from query to results: send, retry where that is right, read, resolve, bill, filter (WEB-10 to WEB-15).

What may be sent at all has been decided before. Details of the transport go to the log; a text for the model has none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from blitzweb.content.clip import ellipsize
from blitzweb.contract.codec import encode
from blitzweb.contract.events import UsageSearchParams
from blitzweb.errors import DeadlinePassed, FetchFailed, FetchTimedOut, Refused
from blitzweb.limits import (
    MAX_ANSWER_CHARS,
    MAX_RETRY_WAIT_SECONDS,
    MAX_SEARCH_BODY_BYTES,
    SEARCH_USER_AGENT,
)
from blitzweb.net.dialer import AddressRule
from blitzweb.net.failures import Phase, describe
from blitzweb.net.fetch import Fetcher, Plan, Response
from blitzweb.policy.context import CallContext
from blitzweb.policy.decide import Policy
from blitzweb.policy.urls import Url, parse_url
from blitzweb.search.failures import RateLimited, SearchFailed, too_long
from blitzweb.search.pricing import find_usage
from blitzweb.search.provider import Findings, Hit, Provider, Reply, Request
from blitzweb.search.resolve import resolve_hits
from blitzweb.search.results import Result, filter_hits, plain_text
from blitzweb.timing import CancelToken, Deadline

_LEFT_FOR_ANSWER_SECONDS: Final = 0.5  # of a call's time, when links are still being looked into


class Surroundings(NamedTuple):
    """What a search uses of the rest: `tell_usage` gets the params of `usage/search`, `log` what failed and where."""

    fetcher: Fetcher
    policy: Policy
    mask: Callable[[str], str]
    log: Callable[[str], object]
    tell_usage: Callable[[Mapping[str, Any]], object]


class Caller(NamedTuple):
    """The call that a search belongs to."""

    context: CallContext
    deadline: Deadline
    cancel: CancelToken
    enter: Callable[[str], object]


class Found(NamedTuple):
    """What a search came to; `answer` is the provider's own summary."""

    results: list[Result]
    answer: str


class Search:
    """Asks one provider. Holds no state; safe from any thread.

    `rule` says which addresses the provider's host may have, `seconds` is the limit of one request.
    """

    def __init__(
        self, provider: Provider, around: Surroundings, *, rule: AddressRule, seconds: float, price: float
    ) -> None:
        self.provider = provider
        self._around = around
        self._rule = rule
        self._seconds = seconds
        self._price = price
        self.host = parse_url(provider.request("x", 1).url).host

    def find(self, query: str, count: int, caller: Caller) -> Found:
        """Search.

        Raises:
            SearchFailed: the provider, or the way to it, failed; the text is masked.
            DeadlinePassed: the host's deadline came before ours.
            CallCancelled: the call was cancelled meanwhile.
        """
        try:
            findings = self._ask(self.provider.request(query, count), caller)
        except SearchFailed as failed:
            failed.message = self._around.mask(failed.message)
            raise
        self._bill(findings, caller)
        hits = self._resolve(findings.hits, caller) if self.provider.redirects else findings.hits
        results = filter_hits(hits, is_denied=self._around.policy.denies, limit=count)
        return Found(results, ellipsize(plain_text(findings.answer), MAX_ANSWER_CHARS))

    def _ask(self, request: Request, caller: Caller) -> Findings:
        """Send the request, once more if the provider wants a short pause and takes that well (SEARCH-02)."""
        deadline = caller.deadline.sooner(self._seconds)
        try:
            return self.provider.read(self._send(request, caller, deadline))
        except RateLimited as limited:
            wait = limited.wait
            if not self.provider.retries or wait is None or wait > min(MAX_RETRY_WAIT_SECONDS, deadline.remaining()):
                raise
        caller.enter(f"waiting for {self.provider.name}")
        caller.cancel.wait(wait)
        caller.cancel.check()
        return self.provider.read(self._send(request, caller, deadline))

    def _send(self, request: Request, caller: Caller, deadline: Deadline) -> Reply:
        def enter(phase: Phase) -> None:
            caller.enter(f"{describe(phase)} ({phase}) of {self.host}")

        try:
            response = self._around.fetcher.fetch(
                parse_url(request.url),
                self._plan(request),
                deadline=deadline,
                cancel=caller.cancel,
                decide_hop=_follow_nothing,
                enter=enter,
            )
        except (Refused, FetchFailed) as error:
            self._around.log(f"{self.provider.name}: {error.message}")
            raise self._explain(error, caller) from None
        return self._whole(response)

    def _plan(self, request: Request) -> Plan:
        return Plan(
            max_bytes=MAX_SEARCH_BODY_BYTES,
            headers={"User-Agent": SEARCH_USER_AGENT, **request.headers},
            rule=self._rule,
            method="GET" if request.body is None else "POST",
            body=request.body,
            follow=False,
            keep_alive=request.body is None,  # a POST on a connection that has just been closed may not be repeated
        )

    def _explain(self, error: Refused | FetchFailed, caller: Caller) -> SearchFailed | DeadlinePassed:
        """Return what a failed request is for the model: without addresses, proxies and other detail."""
        if isinstance(error, Refused):
            return SearchFailed(
                f"request failed: {self.host} has an address that may not be reached",
                advice="`blitzweb doctor --online` says more",
            )
        doing = describe(Phase(error.phase))
        if not isinstance(error, FetchTimedOut):
            advice = "try again later; `blitzweb doctor --online` says more"
            return SearchFailed(f"request failed while {doing} ({self.host})", advice=advice)
        if caller.deadline.expired:
            return DeadlinePassed(f"the deadline passed while {doing} ({self.host})", phase=error.phase)
        text = f"timed out after {self._seconds:.3g} s while {doing} ({self.host})"
        return SearchFailed(text, advice="try again later, or raise web.timeout_seconds")

    def _whole(self, response: Response) -> Reply:
        if response.truncated:
            raise too_long(self.provider.name)
        return Reply(response.status, response.headers, response.body)

    def _resolve(self, hits: tuple[Hit, ...], caller: Caller) -> tuple[Hit, ...]:
        """Look into redirects, and stop in time for an answer with those that did not resolve."""
        caller.enter("resolving links")
        return resolve_hits(
            hits,
            fetcher=self._around.fetcher,
            may_reach=lambda host: self._around.policy.egress.refusal(host) is None,
            deadline=caller.deadline.sooner(max(0.0, caller.deadline.remaining() - _LEFT_FOR_ANSWER_SECONDS)),
            cancel=caller.cancel,
            log=self._around.log,
        )

    def _bill(self, findings: Findings, caller: Caller) -> None:
        """Tell the host what was billed, whether or not any result survives."""
        usage = find_usage(self.provider, findings.queries, self._price)
        if usage is not None:
            whose = replace(caller.context, grants=(), tools=None)  # what the host itself knows need not come back
            self._around.tell_usage(encode(UsageSearchParams(**usage._asdict(), context=whose)))


def _follow_nothing(_approved: Url, _target: Url) -> None:
    raise AssertionError("redirects are not followed")
