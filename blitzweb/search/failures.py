"""What a search that fails says: a closed list of kinds, each with the remedy where one is known (WEB-13)."""

from __future__ import annotations

from typing import Final

from blitzweb.errors import ToolFailure
from blitzweb.limits import MAX_ERROR_BODY_BYTES, MAX_SEARCH_BODY_BYTES, MIB
from blitzweb.search.provider import Reply
from blitzweb.search.waits import find_wait

PREFIX: Final = "web search: "
OTHER_PROVIDER: Final = "or choose another web.search_provider"

_AUTHENTICATION: Final = frozenset({401, 403})
_TOO_MANY: Final = 429
_REDIRECTS: Final = range(300, 400)


class SearchFailed(ToolFailure):
    """Raised for a search that came to nothing. The text is for the model, and masked before it goes out."""

    def __init__(self, text: str, *, advice: str = "") -> None:
        super().__init__(PREFIX + text, advice=advice)


class RateLimited(SearchFailed):
    """Raised where the provider wants fewer requests; `wait` are the seconds that it names, if it does."""

    def __init__(self, provider: str, wait: float | None) -> None:
        when = "" if wait is None else f"; it may be asked again in {_seconds(wait)}"
        super().__init__(f"rate limited by {provider}{when}", advice=f"wait before searching again, {OTHER_PROVIDER}")
        self.wait = wait


def judge_status(provider: str, reply: Reply, *, key_advice: str, now: float) -> None:
    """Raise what an answer's status means; 200 passes."""
    if reply.status == 200:  # noqa: PLR2004
        return
    if reply.status in _AUTHENTICATION:
        raise authentication_failed(provider, reply.status, key_advice)
    if reply.status == _TOO_MANY:
        raise RateLimited(provider, find_wait(reply.headers, now))
    if reply.status in _REDIRECTS:
        raise _redirected(reply)
    raise http_failure(reply)


def authentication_failed(provider: str, status: int, advice: str) -> SearchFailed:
    """Return the failure of a key that is missing, wrong, or not enough."""
    return SearchFailed(f"authentication failed: {provider} answers HTTP {status}", advice=advice)


def http_failure(reply: Reply) -> SearchFailed:
    """Return the failure of any other status, with the beginning of what came with it."""
    begin = reply.body[:MAX_ERROR_BODY_BYTES].decode("utf-8", "ignore")
    said = " ".join("".join(char if char.isprintable() else " " for char in begin).split())
    return SearchFailed(f"HTTP {reply.status}: {said or 'no text came with it'}")


def malformed(provider: str, how: str) -> SearchFailed:
    """Return the failure of an answer that cannot be understood; `how` says why."""
    return SearchFailed(f"the answer of {provider} {how}", advice=f"try again, {OTHER_PROVIDER}")


def too_long(provider: str) -> SearchFailed:
    """Return the failure of an answer over the limit."""
    return malformed(provider, f"is longer than {MAX_SEARCH_BODY_BYTES // MIB} MiB")


def _redirected(reply: Reply) -> SearchFailed:
    from blitzweb.policy.texts import quoted_url

    target = reply.headers.get("location", "")
    return SearchFailed(
        f"HTTP {reply.status}: the endpoint redirects to {quoted_url(target) if target else 'nowhere'}, "
        "and searches follow no redirects",
        advice="set web.search_url to the address that answers by itself",
    )


def _seconds(wait: float) -> str:
    return f"{wait:.0f} s" if wait >= 1 else "1 s"
