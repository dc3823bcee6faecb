"""What a model reads of a fetched page: a header of ours, then the content inside its fence (FETCH-10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from blitzweb.content.boundary import fence
from blitzweb.content.document import Document
from blitzweb.content.pagination import Window
from blitzweb.net.fetch import Response
from blitzweb.policy.urls import Url

_OK = 200


def render(url: Url, response: Response, document: Document, part: Window, *, notes: Iterable[str]) -> str:
    """Return the whole text of a result."""
    return "\n".join([*_header(url, response, document, part), *notes, "", fence(part.content)])


def _header(url: Url, response: Response, document: Document, part: Window) -> Iterator[str]:
    final = response.url.href
    yield f"URL: {final}" if url.href == final else f"URL: {final} (redirected from {url.href})"
    if document.title:
        yield f"Title: {document.title}"
    if response.status != _OK:
        yield f"Status: {response.status}"
    if part.next_offset is not None or part.offset:
        shown = f"Characters {part.offset} to {part.offset + len(part.content)} of {part.total_chars}"
        yield shown if part.next_offset is None else f"{shown}; go on with offset {part.next_offset}"
    if response.truncated:
        yield f"The page was cut off after {len(response.body)} bytes (web.max_bytes)."
    if document.hidden_dropped:
        yield f"{document.hidden_dropped} characters of hidden text, which a person cannot see, were left out."
    if document.refresh:
        yield f"The page wants to go on to {document.refresh}; fetch it directly if it is needed."
    if document.needs_javascript:
        yield "The page seems to need JavaScript to show its content."
