"""`search/web` and `search/session`: the user's own searches (WEB-20, WEB-21)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from blitzweb.contract.shapes import Length
from blitzweb.limits import MAX_TERMS_CHARS
from blitzweb.policy.context import CallContext


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchWebParams:
    """What the user typed after `/search web`."""

    terms: Annotated[str, Length(1, MAX_TERMS_CHARS), "the query"]
    context: Annotated[CallContext, "whose search it is"] = field(default_factory=CallContext)


@dataclass(frozen=True, slots=True, kw_only=True)
class UserSearchHit:
    """One page that the turn may read."""

    title: str
    url: str
    snippet: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchWebResult:
    """What a read-only turn starts from; without `prompt` no turn is run."""

    mode: Literal["read_only"] = "read_only"
    results: Annotated[tuple[UserSearchHit, ...], "at most five"] = ()
    grants: Annotated[tuple[str, ...], "the URLs for context.grants of this turn"] = ()
    provider: Annotated[str | None, "who searched"] = None
    answer: Annotated[str | None, "the provider's own summary, unverified"] = None
    prompt: Annotated[str | None, "for the model; the transcript records the command instead"] = None
    error: Annotated[str | None, "what went wrong, and what to do"] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptMessage:
    """One message of the session."""

    number: Annotated[int, "its place in the transcript"]
    role: Annotated[str, "who wrote it"]
    text: str
    time: Annotated[str | None, "when, as the host writes it"] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSessionParams:
    """What the user typed after `/search session`, and what is searched."""

    terms: Annotated[str, Length(1, MAX_TERMS_CHARS), 'words, or phrases in "double quotes"']
    messages: Annotated[tuple[TranscriptMessage, ...], "oldest first"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptMatch:
    """One message that matched."""

    number: int
    role: str
    excerpt: Annotated[str, "about 300 characters each side of the first hit"]
    time: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSessionResult:
    """What a read-only turn starts from."""

    matches: Annotated[tuple[TranscriptMatch, ...], "at most twelve, oldest first"]
    matching: Annotated[int, "messages that match"]
    searched: Annotated[int, "messages looked at"]
    prompt: Annotated[str, "for the model; the transcript records the command instead"]
    mode: Literal["read_only"] = "read_only"
