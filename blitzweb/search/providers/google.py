"""Google: Gemini's answer grounded by Google Search; the results are the pages that it cites (WEB-10, WEB-11, WEB-15).

Chunks link to redirects of Google's, which `engine.py` looks into; offsets of segments are not used, their texts are.
"""

from __future__ import annotations

import json
import time
from typing import ClassVar, Final

from blitzweb.search.answers import Answer, read_answer, read_error
from blitzweb.search.endpoints import with_path
from blitzweb.search.failures import (
    OTHER_PROVIDER,
    RateLimited,
    SearchFailed,
    authentication_failed,
    judge_status,
    malformed,
)
from blitzweb.search.provider import Findings, Hit, Reply, Request
from blitzweb.search.waits import find_wait, read_duration

BASE: Final = "https://generativelanguage.googleapis.com"
DEFAULT_MODEL: Final = "gemini-2.5-flash"

_KEY_ADVICE: Final = f"check web.search_api_key, [llm.gemini] api_key or GEMINI_API_KEY, {OTHER_PROVIDER}"
_BAD_REQUEST, _TOO_MANY = 400, 429
_BETWEEN_SEGMENTS: Final = " … "


class Google:
    """One key of the Gemini API and one model."""

    name: ClassVar[str] = "google"
    bills: ClassVar[bool] = True
    redirects: ClassVar[bool] = True
    retries: ClassVar[bool] = True
    max_chars: ClassVar[int] = 512
    max_words: ClassVar[int | None] = None

    def __init__(self, *, key: str, model: str = "", url: str = "") -> None:
        self._key = key
        name = (model or DEFAULT_MODEL).removeprefix("models/")
        self._endpoint = with_path(url or BASE, f"/v1beta/models/{name}:generateContent")

    def request(self, query: str, count: int) -> Request:
        """Return what to send; how many pages are cited is the model's affair."""
        del count
        asked = {"contents": [{"role": "user", "parts": [{"text": query}]}], "tools": [{"google_search": {}}]}
        headers = {"Accept": "application/json", "Content-Type": "application/json", "x-goog-api-key": self._key}
        return Request(self._endpoint, headers, json.dumps(asked).encode())

    def read(self, reply: Reply) -> Findings:
        """Return what an answer says: the first candidate's text, and what it stands on."""
        if reply.status in {_BAD_REQUEST, _TOO_MANY}:
            self._judge_details(reply)
        judge_status(self.name, reply, key_advice=_KEY_ADVICE, now=time.time())
        answer = read_answer(self.name, reply)
        candidates = answer.objects("candidates")
        if not candidates:
            raise self._blocked(answer)
        grounding = candidates[0].object("groundingMetadata")
        parts = candidates[0].object("content").objects("parts")
        text = "".join(part.text("text") for part in parts if not part.flag("thought"))
        return Findings(_hits(grounding), text.strip(), len(grounding.texts("webSearchQueries")))

    def _judge_details(self, reply: Reply) -> None:
        """Raise what the details of an error say and its status does not."""
        details = read_error(self.name, reply).object("error").objects("details")
        if reply.status == _BAD_REQUEST:
            if any(detail.text("reason") == "API_KEY_INVALID" for detail in details):
                raise authentication_failed(self.name, reply.status, _KEY_ADVICE)
            return
        waits = [read_duration(detail.text("retryDelay")) for detail in details]
        stated = next((wait for wait in waits if wait is not None), None)
        raise RateLimited(self.name, find_wait(reply.headers, time.time()) if stated is None else stated)

    def _blocked(self, answer: Answer) -> SearchFailed:
        reason = answer.object("promptFeedback").text("blockReason")
        if reason:
            return SearchFailed(f"google refused the query ({reason[:40]})", advice="word the query differently")
        return malformed(self.name, 'has no "candidates"')


def _hits(grounding: Answer) -> tuple[Hit, ...]:
    """Return the cited pages, each with the parts of the answer that it supports."""
    chunks = grounding.objects("groundingChunks")
    supported: list[list[str]] = [[] for _ in chunks]
    for support in grounding.objects("groundingSupports"):
        segment = support.object("segment").text("text")
        for place in support.numbers("groundingChunkIndices"):
            if 0 <= place < len(chunks) and segment:
                supported[place].append(segment)
    pages = [chunk.object("web") for chunk in chunks]
    return tuple(
        Hit(page.text("title"), page.text("uri"), _BETWEEN_SEGMENTS.join(segments))
        for page, segments in zip(pages, supported, strict=True)
    )
