"""The references of every session: bounded, in memory alone, and gone as soon as the session or the selector is.

A visit is one call's view of its session. What it would store after the session was cleared, or the selector taken
away, is not stored (PAGE-19, PAGE-20, PAGE-39, PAGE-40). Ids count up by one per session and are never used again,
whatever is cleared.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

from blitzweb.limits import MAX_ENTRIES, MAX_REF_BYTES, MAX_STORE_BYTES
from blitzweb.pages.entries import Entry

_REF = re.compile(r"web-[0-9]+")


class Revoked(Exception):
    """Raised where the selector has been taken away, or was while the call ran."""


class Cleared(Exception):
    """Raised where the session's references were cleared while the call ran."""


class TooLarge(Exception):
    """Raised for an entry that alone is over the bound; nothing was evicted for it."""


class Visit(NamedTuple):
    """One call's view of its session; `term` and `generation` are those at its start."""

    session: str
    term: int
    generation: int


class _Session:
    """The entries of one session, the least recently used first."""

    def __init__(self) -> None:
        self.entries: OrderedDict[int, Entry] = OrderedDict()
        self.weight = 0
        self.last_id = 0
        self.generation = 0
        self.workspace: str | None = None

    def clear(self) -> None:
        self.entries.clear()
        self.weight = 0
        self.generation += 1

    def put(self, entries: Sequence[Entry]) -> list[int | None]:
        """Give ids in order, the first entry being the most recently used; `None` for what was evicted at once."""
        first = self.last_id + 1
        self.last_id += len(entries)
        for number, entry in reversed(list(enumerate(entries, start=first))):
            self.entries[number] = entry
            self.weight += entry.weight
        while len(self.entries) > MAX_ENTRIES or self.weight > MAX_STORE_BYTES:
            _, evicted = self.entries.popitem(last=False)
            self.weight -= evicted.weight
        return [number if number in self.entries else None for number in range(first, self.last_id + 1)]


class PageStore:
    """Owned by the program; safe from any thread. The lock guards everything and is never held over I/O.

    What remains of a session that has ended is its name and a number, so that its ids are never used again.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sessions: dict[str, _Session] = {}
        self._open = True
        self._term = 0

    def allow(self, *, allowed: bool) -> None:
        """Open the store, or take the selector away: then everything is forgotten, running calls included."""
        with self._lock:
            if self._open and not allowed:
                self._term += 1
                for session in self._sessions.values():
                    session.clear()
            self._open = allowed

    def end(self, name: str) -> None:
        """Forget a session."""
        with self._lock:
            if name in self._sessions:
                self._sessions[name].clear()
                self._sessions[name].workspace = None

    def begin(self, name: str, workspace: str) -> Visit:
        """Begin a call. Another workspace than the session's last one empties the session.

        Raises:
            Revoked: the selector has been taken away.
        """
        with self._lock:
            if not self._open:
                raise Revoked
            session = self._sessions.setdefault(name, _Session())
            if session.workspace not in {None, workspace}:
                session.clear()
            session.workspace = workspace
            return Visit(name, self._term, session.generation)

    def find(self, visit: Visit, ref: str) -> Entry | None:
        """Return what stands under a reference, which then is the most recently used.

        Raises:
            Revoked: the selector has been taken away.
        """
        number = _read_ref(ref)
        with self._lock:
            session = self._look_up(visit)
            if number not in session.entries:
                return None
            session.entries.move_to_end(number)
            return session.entries[number]

    def add(self, visit: Visit, entries: Sequence[Entry]) -> list[str | None]:
        """Store entries and return their references; `None` for those that the others left no room for.

        Raises:
            Revoked, Cleared: nothing was stored, since it would outlive what it came from.
            TooLarge: one of them is over the bound; nothing was stored.
        """
        if any(entry.weight > MAX_STORE_BYTES for entry in entries):
            raise TooLarge
        with self._lock:
            numbers = self._look_up(visit).put(entries)
        return [f"web-{number}" if number is not None else None for number in numbers]

    def count(self) -> int:
        """Return how many references are held, for `$/status`."""
        with self._lock:
            return sum(len(session.entries) for session in self._sessions.values())

    def _look_up(self, visit: Visit) -> _Session:
        if not self._open or visit.term != self._term:
            raise Revoked
        session = self._sessions[visit.session]
        if session.generation != visit.generation:
            raise Cleared
        return session


def is_ref(text: str) -> bool:
    """Tell whether a text has the form of a reference."""
    return _REF.fullmatch(text) is not None and len(text) <= MAX_REF_BYTES


def _read_ref(ref: str) -> int:
    """Return the number of a reference; 0, which no entry has, for a text that is none."""
    return int(ref.removeprefix("web-")) if is_ref(ref) else 0
