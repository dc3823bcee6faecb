"""A query made fit to be sent: cleaned of what nobody sees, and within what the provider takes (SEARCH-01, WEB-14)."""

from __future__ import annotations

import re

from blitzweb.content.invisible import strip_invisible
from blitzweb.limits import MAX_QUERY_CHARS
from blitzweb.search.failures import SearchFailed
from blitzweb.search.provider import Provider

# Control sequences of terminals (CSI, OSC, two-character ones), then what is left of controls.
_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]*[0-~]"
)
_BREAKS = re.compile("[\t\n\v\f\r\x85\u2028\u2029]+")
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def clean_query(text: str, provider: Provider) -> str:
    """Return the query as it is sent, shown to the person, and told.

    Raises:
        SearchFailed: nothing is left of it, or it is longer than the provider takes.
    """
    plain = _CONTROLS.sub("", _BREAKS.sub(" ", _ESCAPES.sub("", text)))
    query = strip_invisible(plain)[0].strip()
    if not query:
        raise SearchFailed("invalid query: it is empty", advice="say what to look for")
    limit = min(MAX_QUERY_CHARS, provider.max_chars)
    if len(query) > limit:
        raise SearchFailed(f"invalid query: it has {len(query)} characters, and {provider.name} takes {limit}")
    words = len(query.split())
    if provider.max_words is not None and words > provider.max_words:
        raise SearchFailed(f"invalid query: it has {words} words, and {provider.name} takes {provider.max_words}")
    return query
