"""Tavily: `POST /search` with a bearer token (WEB-10)."""

from __future__ import annotations

import json
import time
from typing import ClassVar, Final

from blitzweb.search.answers import read_answer, read_error
from blitzweb.search.failures import OTHER_PROVIDER, SearchFailed, judge_status
from blitzweb.search.provider import Findings, Hit, Reply, Request

ENDPOINT: Final = "https://api.tavily.com/search"

_KEY_ADVICE: Final = f"check web.search_api_key or TAVILY_API_KEY, {OTHER_PROVIDER}"
_USED_UP: Final = {432: "the limit of the plan is used up", 433: "the pay-as-you-go limit is used up"}


class Tavily:
    """One key."""

    name: ClassVar[str] = "tavily"
    bills: ClassVar[bool] = True
    redirects: ClassVar[bool] = False
    retries: ClassVar[bool] = True
    max_chars: ClassVar[int] = 512
    max_words: ClassVar[int | None] = None

    def __init__(self, *, key: str, url: str = "") -> None:
        self._key = key
        self._endpoint = url or ENDPOINT

    def request(self, query: str, count: int) -> Request:
        """Return what to send."""
        asked = {"query": query, "max_results": count, "search_depth": "basic", "include_answer": True}
        headers = {
            "Accept": "application/json",
            "Authorization": f"Bearer {self._key}",
            "Content-Type": "application/json",
        }
        return Request(self._endpoint, headers, json.dumps(asked).encode())

    def read(self, reply: Reply) -> Findings:
        """Return what an answer says."""
        if reply.status in _USED_UP:
            text = f"HTTP {reply.status}: {_USED_UP[reply.status]}{self._said(reply)}"
            raise SearchFailed(text, advice=f"raise the limit at Tavily, {OTHER_PROVIDER}")
        judge_status(self.name, reply, key_advice=_KEY_ADVICE, now=time.time())
        answer = read_answer(self.name, reply)
        hits = (Hit(each.text("title"), each.text("url"), each.text("content")) for each in answer.objects("results"))
        return Findings(tuple(hits), answer.text("answer"))

    def _said(self, reply: Reply) -> str:
        said = " ".join(read_error(self.name, reply).object("detail").text("error").split())[:200]
        return f" ({said})" if said else ""
