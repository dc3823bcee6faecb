"""Patterns of hosts, as `allow_domains`, `deny_domains`, `web(…)` rules and `[egress] domains` have them.

A pattern is brought to the same canonical spelling as a host: lower case, one trailing dot dropped, international
labels as A-labels, IPv6 addresses as the URL has them. `*.x` also matches `x`, except where told not to (WEB-02,
POLICY-04). `ada_url` is only loaded for a pattern that needs it: settings are checked before the first reply.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from blitzweb.errors import SettingsError
from blitzweb.policy.globs import Glob, PatternRefused
from blitzweb.policy.texts import quoted, quoted_url

_PLAIN = re.compile(r"[a-z0-9_.*?-]+")
_WILD = re.compile(r"[*?]")


class HostPattern:
    """A compiled pattern of hosts; `text` is what the settings say."""

    __slots__ = ("_bare", "_glob", "text")

    def __init__(self, text: str, canonical: str) -> None:
        self.text = text
        self._glob = Glob.compile(canonical)
        self._bare = Glob.compile(canonical[2:]) if canonical.startswith("*.") and canonical[2:] else None

    @classmethod
    def compile(cls, text: str) -> HostPattern:
        """Read a pattern.

        Raises:
            PatternRefused: it is no pattern of hosts; the text says what is allowed.
        """
        return cls(text, _canonical(text.strip()))

    def matches(self, host: str, *, bare_domain: bool = True) -> bool:
        """Tell whether a canonical host fits; `bare_domain=False` keeps `*.x` from matching `x`."""
        return self._glob.matches(host) or (bare_domain and self._bare is not None and self._bare.matches(host))


class HostList:
    """Patterns of hosts in the order of the settings."""

    __slots__ = ("_patterns",)

    def __init__(self, patterns: Iterable[HostPattern] = ()) -> None:
        self._patterns = tuple(patterns)

    @classmethod
    def compile(cls, key: str, texts: Iterable[str]) -> HostList:
        """Read the patterns of the setting `key`.

        Raises:
            SettingsError: one of them is no pattern of hosts.
        """
        try:
            return cls([HostPattern.compile(text) for text in texts])
        except PatternRefused as refused:
            raise SettingsError(f"{key}: {refused.text}") from None

    def __iter__(self) -> Iterator[HostPattern]:
        return iter(self._patterns)

    def find(self, host: str, *, bare_domain: bool = True) -> HostPattern | None:
        """Return the first pattern that a canonical host fits."""
        return next((pattern for pattern in self if pattern.matches(host, bare_domain=bare_domain)), None)


def _canonical(text: str) -> str:
    """Return a pattern as canonical hosts are spelled."""
    lowered = text.lower().removesuffix(".")
    if _PLAIN.fullmatch(lowered):
        return lowered
    if "[" in lowered or not lowered:
        Glob.compile(lowered)  # says what is wrong with it
    if lowered.count(":") > 1:
        return _canonical_address(lowered)
    if lowered.isascii():
        raise PatternRefused(
            f"the pattern {quoted_url(text)} is no host; write the host alone, without scheme, port, path or blanks, "
            "* for any run of characters, ? for one"
        )
    return ".".join(_canonical_label(label) for label in re.split("[.。．｡]", lowered))


def _canonical_address(text: str) -> str:
    from blitzweb.policy.names import NameRefused, canonical_ipv6

    try:
        return canonical_ipv6(text)
    except NameRefused:
        raise PatternRefused(f"the pattern {quoted(text)} is no IPv6 address; an address is written whole") from None


def _canonical_label(label: str) -> str:
    from blitzweb.policy.names import NameRefused, canonical_name

    if label.isascii():
        return label
    if _WILD.search(label):
        raise PatternRefused(f"{quoted(label)} mixes a wildcard with letters that are not ASCII; write its xn-- form")
    try:
        return canonical_name(label)
    except NameRefused as refused:
        raise PatternRefused(refused.text) from None
