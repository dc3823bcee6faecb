"""SearXNG: `GET /search` with `format=json` on an instance of the user's choice (WEB-10)."""

from __future__ import annotations

import time
from typing import ClassVar, Final

from blitzweb.search.answers import Answer, read_answer
from blitzweb.search.endpoints import with_path, with_query
from blitzweb.search.failures import OTHER_PROVIDER, SearchFailed, judge_status
from blitzweb.search.provider import Findings, Hit, Reply, Request

_PATH: Final = "/search"
_ACCESS_ADVICE: Final = f"use an instance that needs no password, {OTHER_PROVIDER}"
_FORBIDDEN: Final = 403  # what an instance answers to a format that it does not list


class SearXNG:
    """One instance."""

    name: ClassVar[str] = "searxng"
    bills: ClassVar[bool] = False
    redirects: ClassVar[bool] = False
    retries: ClassVar[bool] = True
    max_chars: ClassVar[int] = 512
    max_words: ClassVar[int | None] = None

    def __init__(self, *, url: str) -> None:
        self._endpoint = with_path(url, _PATH)

    def request(self, query: str, count: int) -> Request:
        """Return what to send; how many results come is the instance's affair."""
        del count
        return Request(with_query(self._endpoint, {"q": query, "format": "json"}), {"Accept": "application/json"})

    def read(self, reply: Reply) -> Findings:
        """Return what an answer says."""
        if reply.status == _FORBIDDEN:
            raise SearchFailed(
                "authentication failed: searxng answers HTTP 403: the JSON format is not enabled there",
                advice=f'add "json" to search.formats in the settings of the instance, {OTHER_PROVIDER}',
            )
        judge_status(self.name, reply, key_advice=_ACCESS_ADVICE, now=time.time())
        answer = read_answer(self.name, reply)
        hits = (Hit(each.text("title"), each.text("url"), each.text("content")) for each in answer.objects("results"))
        return Findings(tuple(hits), _first_answer(answer))


def _first_answer(answer: Answer) -> str:
    """Return the first direct answer: an object in current versions, a text in old ones."""
    for each in answer.objects_or_texts("answers"):
        text = each if isinstance(each, str) else each.text("answer")
        if text:
            return text
    return ""
