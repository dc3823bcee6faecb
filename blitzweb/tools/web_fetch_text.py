"""What a model reads of a fetched page: a header of ours, then the content inside its fence (FETCH-10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from blitzweb.content.boundary import fence
from blitzweb.content.document import Document
from blitzweb.content.pagination import Window
from blitzweb.tools.fetched import Fetched

_OK = 200


def render(url: str, fetched: Fetched, part: Window, *, notes: Iterable[str]) -> str:
    """Return the whole text of a result."""
    return "\n".join([*_header(url, fetched, part), *notes, "", fence(part.content)])


def _header(url: str, fetched: Fetched, part: Window) -> Iterator[str]:
    final = fetched.final_url
    yield f"URL: {final}" if url == final else f"URL: {final} (redirected from {url})"
    yield from _signature(fetched.document)
    if fetched.status != _OK:
        yield f"Status: {fetched.status}"
    yield from _what_was_cut(fetched, part)
    if fetched.refresh:
        yield f"The page wants to go on to {fetched.refresh}; fetch it directly if it is needed."
    if fetched.document.needs_javascript:
        yield "The page seems to need JavaScript to show its content; the browser tool can run it."


def _signature(document: Document) -> Iterator[str]:
    """Yield what is known of a page beside its text."""
    named = {"Title": document.title, "By": document.byline, "Date": document.date, "Language": document.language}
    if document.format != "article":
        named = {"Title": document.title}
    yield from (f"{name}: {value}" for name, value in named.items() if value)
    if document.pages is not None:
        yield f"Pages: {document.pages}"


def _what_was_cut(fetched: Fetched, part: Window) -> Iterator[str]:
    if part.next_offset is not None or part.offset:
        shown = f"Characters {part.offset} to {part.offset + len(part.content)} of {part.total_chars}"
        yield shown if part.next_offset is None else f"{shown}; go on with offset {part.next_offset}"
    if fetched.truncated:
        yield f"The page was cut off after {fetched.body_bytes} bytes (web.max_bytes)."
    elif fetched.document.truncated:
        yield "The page was cut off: it is larger than what can be read of one page."
    if fetched.document.hidden_dropped:
        count = fetched.document.hidden_dropped
        yield f"{count} characters of hidden text, which a person cannot see, were left out."
