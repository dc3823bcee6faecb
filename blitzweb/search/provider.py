"""The port of a search provider: values in, values out. Who sends what a provider asks for is `engine.py`.

A provider knows one public interface: what to send, what its answers and its errors mean. It opens nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, NamedTuple, Protocol


class Request(NamedTuple):
    """The one request of a search; with a body it is a POST."""

    url: str
    headers: Mapping[str, str]
    body: bytes | None = None


class Reply(NamedTuple):
    """What came back, whole; header names in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Hit(NamedTuple):
    """One result as the provider gave it; title and snippet may hold HTML."""

    title: str
    url: str
    snippet: str = ""


class Findings(NamedTuple):
    """What an answer says. `queries` are those that the search cost, `answer` the provider's own summary."""

    hits: tuple[Hit, ...]
    answer: str = ""
    queries: int = 1


class Provider(Protocol):
    """One provider, configured."""

    name: ClassVar[str]
    bills: ClassVar[bool]  # asks money for queries, whatever price the settings name
    redirects: ClassVar[bool]  # results are links that have to be looked into for where they lead (WEB-11)
    retries: ClassVar[bool]  # may be asked again at once after a short wait (SEARCH-02)
    max_chars: ClassVar[int]  # of a query
    max_words: ClassVar[int | None]

    def request(self, query: str, count: int) -> Request:
        """Return what to send to get `count` results."""
        ...

    def read(self, reply: Reply) -> Findings:
        """Return what an answer says.

        Raises:
            SearchFailed: it is an error, or cannot be understood.
        """
        ...
