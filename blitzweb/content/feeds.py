"""RSS and Atom as a list: what the feed is, then its entries with link, date and what they say (CONTENT-09).

Read by expat as a stream of events; a document type or an entity of its own ends the reading, so that nothing in a feed
can grow. A feed that is no XML is no feed: the caller shows it as it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final
from xml.parsers import expat

from blitzweb.limits import MAX_FEED_ENTRIES

_ENTRIES: Final = frozenset({"item", "entry"})
_FIELDS: Final = {
    "title": "title",
    "link": "link",
    "guid": "guid",
    "id": "guid",
    "pubdate": "date",
    "updated": "date",
    "published": "date",
    "date": "date",
    "description": "summary",
    "summary": "summary",
    "subtitle": "summary",
    "encoded": "summary",
    "content": "summary",
    "author": "author",
    "creator": "author",
    "name": "author",
}
_FIRST_WINS: Final = frozenset({"title", "link", "date", "author", "guid"})


class NoFeed(Exception):
    """Raised for what is no feed, or declares entities."""


@dataclass(slots=True)
class Entry:
    """The feed itself or one of its entries: field → text, as markup where the feed has markup."""

    fields: dict[str, str] = field(default_factory=dict)

    def get(self, name: str) -> str:
        """Return a field, empty where it is missing."""
        return self.fields.get(name, "").strip()


@dataclass(slots=True)
class Feed:
    """A feed: its own fields, its first entries, and how many there are in all."""

    about: Entry = field(default_factory=Entry)
    entries: list[Entry] = field(default_factory=list)
    total: int = 0


def parse_feed(text: str) -> Feed:
    """Return the feed in a text.

    Raises:
        NoFeed: it is no XML, or more than plain XML.
    """
    reader = _Reader()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    parser.EntityDeclHandler = _refuse
    try:
        # The text is decoded already: what the document says about its encoding is over.
        parser.Parse(text.encode("utf-8", "replace") if not text.startswith("<?xml") else _undeclared(text), True)  # noqa: FBT003
    except expat.ExpatError as error:
        if not reader.feed.entries:
            raise NoFeed(str(error)) from None
    return reader.feed


def _undeclared(text: str) -> bytes:
    return text[text.find("?>") + 2 :].lstrip().encode("utf-8", "replace")


def _refuse(*_: Any) -> None:
    raise NoFeed("the feed declares entities")


class _Reader:
    """Collects fields from events; of nested elements of one entry, those directly in it (or in its author)."""

    def __init__(self) -> None:
        self.feed = Feed()
        self._entry = self.feed.about
        self._path: list[str] = []
        self._name: str | None = None
        self._parts: list[str] = []
        self._depth = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        local = tag.rpartition(":")[2].lower()
        self._path.append(local)
        if local in _ENTRIES:
            self.feed.total += 1
            self._entry = Entry()
            self._name = None
            if len(self.feed.entries) < MAX_FEED_ENTRIES:
                self.feed.entries.append(self._entry)
        elif self._name is None and local in _FIELDS and "image" not in self._path[-2:-1]:
            self._name, self._depth, self._parts = _FIELDS[local], len(self._path), []
            if local == "link" and "href" in attributes:
                self._take_link(attributes)

    def _take_link(self, attributes: dict[str, str]) -> None:
        if attributes.get("rel", "alternate") == "alternate":
            self._entry.fields.setdefault("link", attributes["href"])
        self._name = None

    def text(self, data: str) -> None:
        if self._name is not None:
            self._parts.append(data)

    def end(self, _tag: str) -> None:
        if self._name is not None and len(self._path) == self._depth:
            self._keep(self._name, "".join(self._parts))
            self._name = None
        if self._path.pop() in _ENTRIES:
            self._entry = self.feed.about

    def _keep(self, name: str, value: str) -> None:
        fields = self._entry.fields
        if value.strip() and not (name in _FIRST_WINS and name in fields) and len(value) > len(fields.get(name, "")):
            fields[name] = value
