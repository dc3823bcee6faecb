"""Brave Search: `GET /res/v1/web/search` with a subscription token (WEB-10)."""

from __future__ import annotations

import time
from typing import ClassVar, Final

from blitzweb.search.answers import Answer, read_answer, read_error
from blitzweb.search.endpoints import with_query
from blitzweb.search.failures import OTHER_PROVIDER, SearchFailed, authentication_failed, judge_status
from blitzweb.search.provider import Findings, Hit, Reply, Request

ENDPOINT: Final = "https://api.search.brave.com/res/v1/web/search"

_KEY_ADVICE: Final = f"check web.search_api_key or BRAVE_API_KEY, {OTHER_PROVIDER}"
_UNPROCESSABLE: Final = 422  # what Brave answers to a wrong key as well as to wrong parameters
_KEY_HEADER: Final = "x-subscription-token"


class Brave:
    """One subscription."""

    name: ClassVar[str] = "brave"
    bills: ClassVar[bool] = True
    redirects: ClassVar[bool] = False
    retries: ClassVar[bool] = True
    max_chars: ClassVar[int] = 400
    max_words: ClassVar[int | None] = 50

    def __init__(self, *, key: str, url: str = "") -> None:
        self._key = key
        self._endpoint = url or ENDPOINT

    def request(self, query: str, count: int) -> Request:
        """Return what to send."""
        url = with_query(self._endpoint, {"q": query, "count": str(count)})
        return Request(url, {"Accept": "application/json", "X-Subscription-Token": self._key})

    def read(self, reply: Reply) -> Findings:
        """Return what an answer says; `web` is missing where nothing matches."""
        if reply.status == _UNPROCESSABLE:
            raise self._read_unprocessable(reply)
        judge_status(self.name, reply, key_advice=_KEY_ADVICE, now=time.time())
        results = read_answer(self.name, reply).object("web").objects("results")
        return Findings(tuple(Hit(each.text("title"), each.text("url"), each.text("description")) for each in results))

    def _read_unprocessable(self, reply: Reply) -> SearchFailed:
        answer = read_error(self.name, reply)
        for error in [answer.object("error"), *answer.objects("errors")]:
            if error.text("code") == "SUBSCRIPTION_TOKEN_INVALID" or _names_the_key(error):
                return authentication_failed(self.name, reply.status, _KEY_ADVICE)
        details = [error.text("detail") for error in [answer.object("error"), *answer.objects("errors")]]
        why = " ".join(detail for detail in details if detail) or "the parameters were refused"
        return SearchFailed(f"HTTP {reply.status}: {' '.join(why.split())[:200]}")


def _names_the_key(error: Answer) -> bool:
    """Tell whether an error of validation is about the header that holds the key."""
    faults = error.object("meta").objects("errors")
    return any(part.lower() == _KEY_HEADER for fault in faults for part in _texts(fault))


def _texts(fault: Answer) -> list[str]:
    return [part for part in fault.objects_or_texts("loc") if isinstance(part, str)]
