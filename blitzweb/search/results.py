"""The one filter for results of every provider: what may be gone to, each once, as plain text (WEB-13, SEARCH-04)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from html import unescape
from typing import NamedTuple

from blitzweb.content.clip import ellipsize
from blitzweb.content.invisible import replace_unwritable, strip_invisible
from blitzweb.limits import MAX_HIT_TITLE_CHARS, MAX_MARKUP_CHARS, MAX_SNIPPET_CHARS
from blitzweb.policy.urls import Url, UrlRefused, parse_url
from blitzweb.search.provider import Hit

_TAG = re.compile(r"<!--.*?(?:-->|\Z)|</?[A-Za-z][^<>]*>", re.DOTALL)
_UNTITLED = "(untitled)"


class Result(NamedTuple):
    """One result, fit to be shown; `url` is canonical."""

    title: str
    url: str
    snippet: str


def filter_hits(hits: Iterable[Hit], *, is_denied: Callable[[Url], bool], limit: int) -> list[Result]:
    """Return the first `limit` results that pass; of equal URLs the first wins."""
    results: dict[str, Result] = {}
    for hit in hits:
        url = _read_url(hit.url)
        if url is None or url.without_fragment in results or is_denied(url):
            continue
        title = ellipsize(plain_text(hit.title), MAX_HIT_TITLE_CHARS) or _UNTITLED
        snippet = ellipsize(plain_text(hit.snippet), MAX_SNIPPET_CHARS)
        results[url.without_fragment] = Result(title, url.without_fragment, snippet)
        if len(results) == limit:
            break
    return list(results.values())


def plain_text(markup: str) -> str:
    """Return text on one line: tags stripped, entities decoded once, blanks collapsed, nothing invisible."""
    text = unescape(_TAG.sub("", markup[:MAX_MARKUP_CHARS]))
    seen, _ = strip_invisible(" ".join(text.split()))
    return replace_unwritable(" ".join(seen.split()))


def _read_url(text: str) -> Url | None:
    """Return a URL that passes the strict grammar, which takes http and https without credentials alone."""
    try:
        return parse_url(text)
    except UrlRefused:
        return None
