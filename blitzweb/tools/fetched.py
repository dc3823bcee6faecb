"""Pages that were just read, kept for a short while: paging goes on without fetching again (FETCH-14).

Memory only, bounded in entries and in text, separate for each session. What is kept was allowed to this session; a
refusal that came since still holds, which the caller sees to.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from blitzweb.content.document import Document
from blitzweb.limits import MAX_KEPT_PAGES, MAX_KEPT_TEXT_BYTES, PAGE_KEPT_SECONDS


class Fetched(NamedTuple):
    """What a page said, and what the server said of it; without the raw body."""

    final_url: str
    status: int
    content_type: str
    body_bytes: int
    truncated: bool
    refresh: str | None
    document: Document


class Key(NamedTuple):
    """What a page is kept under."""

    session: str
    url: str
    format: str
    pages: str | None
    rendered: bool = False


class FetchedPages:
    """Owned by web_fetch. Safe from any thread; the lock is never held over work."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: OrderedDict[Key, tuple[float, Fetched]] = OrderedDict()  # the longest unused first
        self._bytes = 0
        self._ended = 0

    @property
    def ended(self) -> int:
        """How many sessions have ended; taken before a page is fetched, and given with it."""
        return self._ended

    def find(self, key: Key, max_age: float) -> Fetched | None:
        """Return a page that is no older than `max_age` seconds."""
        with self._lock:
            since, fetched = self._kept.get(key, (0.0, None))
            if fetched is None or self._clock() - since > min(max_age, PAGE_KEPT_SECONDS):
                return None
            self._kept.move_to_end(key)
            return fetched

    def keep(self, key: Key, fetched: Fetched, *, ended: int) -> None:
        """Keep a page, and let go of the longest unused beyond the bounds.

        One that is too large is not kept, nor one during whose fetch a session ended: it may have been its own.
        """
        if _weigh(fetched) > MAX_KEPT_TEXT_BYTES:
            return
        with self._lock:
            if ended != self._ended:
                return
            self._drop(key)
            self._kept[key] = (self._clock(), fetched)
            self._bytes += _weigh(fetched)
            while len(self._kept) > MAX_KEPT_PAGES or self._bytes > MAX_KEPT_TEXT_BYTES:
                self._drop(next(iter(self._kept)))

    def end_session(self, session: str) -> None:
        """Forget the pages of a session."""
        with self._lock:
            self._ended += 1
            for key in [key for key in self._kept if key.session == session]:
                self._drop(key)

    def _drop(self, key: Key) -> None:
        kept = self._kept.pop(key, None)
        if kept is not None:
            self._bytes -= _weigh(kept[1])


def _weigh(fetched: Fetched) -> int:
    """Return the bytes that a text takes in memory at most: four for each character."""
    return 4 * len(fetched.document.content)
