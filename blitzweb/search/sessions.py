"""`search/session`: a literal, case-insensitive search of the transcript that the host hands over.

Pure: the transcript comes in, matches and the prompt of a read-only turn go out. Ids: WEB-21.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from blitzweb.contract.searches import SearchSessionResult, TranscriptMatch, TranscriptMessage
from blitzweb.errors import InvalidParams
from blitzweb.limits import EXCERPT_CHARS, MAX_SESSION_MATCHES

_OWN_COMMAND = "/search "  # what the user typed to search before is not what the user looks for
_PHRASE = re.compile(r'"([^"]*)"')


class _Hit(NamedTuple):
    """A message that matches: where it stands, how many distinct terms it holds, where the earliest of them is."""

    place: int
    terms: int
    start: int
    end: int


def search_session(terms: str, messages: Sequence[TranscriptMessage]) -> SearchSessionResult:
    """Return the messages that hold most of the terms, the later ones first among equals, told oldest first.

    Raises:
        InvalidParams: there is no term to look for.
    """
    wanted = split_terms(terms)
    if not wanted:
        raise InvalidParams("terms holds no word to look for", advice='give words, or phrases in "double quotes"')
    patterns = [re.compile(re.escape(term), re.IGNORECASE) for term in wanted]
    searched = [place for place, message in enumerate(messages) if not message.text.startswith(_OWN_COMMAND)]
    hits = [hit for place in searched if (hit := _find(patterns, place, messages[place].text))]
    best = sorted(hits, key=lambda hit: (hit.terms, hit.place), reverse=True)[:MAX_SESSION_MATCHES]
    matches = tuple(_match(messages[hit.place], hit) for hit in sorted(best))
    return SearchSessionResult(
        matches=matches,
        matching=len(hits),
        searched=len(searched),
        prompt=_prompt(wanted, matches, len(hits)),
    )


def split_terms(text: str) -> list[str]:
    """Return phrases in double quotes first, then words, each once without regard to case.

    A quote that is never closed belongs to its word.
    """
    phrases = [phrase.strip() for phrase in _PHRASE.findall(text)]
    words = _PHRASE.sub(" ", text).split()
    unique: dict[str, str] = {}
    for term in filter(None, [*phrases, *words]):
        unique.setdefault(term.casefold(), term)
    return list(unique.values())


def _find(patterns: Sequence[re.Pattern[str]], place: int, text: str) -> _Hit | None:
    found = [hit.span() for pattern in patterns if (hit := pattern.search(text))]
    if not found:
        return None
    start, end = min(found)
    return _Hit(place, len(found), start, end)


def _match(message: TranscriptMessage, hit: _Hit) -> TranscriptMatch:
    excerpt = _excerpt(message.text, hit.start, hit.end)
    return TranscriptMatch(number=message.number, role=message.role, excerpt=excerpt, time=message.time)


def _excerpt(text: str, start: int, end: int) -> str:
    """Return the hit with what stands round it; the sign for a cut counts as one of the characters."""
    before, after = text[:start], text[end:]
    if len(before) > EXCERPT_CHARS:
        before = "…" + before[1 - EXCERPT_CHARS :]
    if len(after) > EXCERPT_CHARS:
        after = after[: EXCERPT_CHARS - 1] + "…"
    return before + text[start:end] + after


def _prompt(terms: Sequence[str], matches: Sequence[TranscriptMatch], matching: int) -> str:
    named = ", ".join(f'"{term}"' for term in terms)
    head = f"The user searched this conversation for {named}."
    if not matches:
        return f"{head} No earlier message holds any of it. Answer from memory, without tools."
    parts = [
        f"{head} {len(matches)} of {matching} matching messages follow, oldest first, cut to what surrounds the hit.",
        "Answer from them, and name the messages by their numbers.",
        *(f"{_heading(match)}\n{match.excerpt}" for match in matches),
    ]
    return "\n\n".join(parts)


def _heading(match: TranscriptMatch) -> str:
    return f"[{match.number}] {match.role}" + (f", {match.time}" if match.time else "")
