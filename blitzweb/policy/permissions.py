"""Permission rules: `web(pattern)`, `search(provider)`, `browser(script|upload|download)`, or the bare name of a tool.

Which list a rule stands in gives it its weight: `deny` and `ask` need one target that fits, `allow` needs every target
covered. In which order the lists are asked is not decided here (POLICY-04, POLICY-05, POLICY-06).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final, NamedTuple, Protocol

from blitzweb.errors import SettingsError
from blitzweb.policy.globs import Glob, PatternRefused
from blitzweb.policy.hosts import HostPattern
from blitzweb.policy.texts import quoted

BROWSER_USES: Final = ("script", "upload", "download")
FORMS: Final = "web(PATTERN), search(PROVIDER), browser(script), browser(upload), browser(download)"

_CALLED = re.compile(r"\s*([a-z]+)\s*\(\s*(.*?)\s*\)\s*", re.DOTALL)


class Use(NamedTuple):
    """What is about to be done: by which tool, of which kind (`web`, `search`, `browser`), to which targets."""

    tool: str
    kind: str
    targets: tuple[str, ...]


class Pattern(Protocol):
    """What a rule holds its targets against."""

    def matches(self, host: str, /) -> bool:
        """Tell whether one target fits."""
        ...


class Rule(NamedTuple):
    """One rule; without a pattern, `kind` is the name of a tool."""

    text: str
    kind: str
    pattern: Pattern | None

    def fits(self, use: Use, target: str) -> bool:
        """Tell whether the rule speaks of this target of this use."""
        if self.pattern is None:
            return use.tool == self.kind
        return use.kind == self.kind and self.pattern.matches(target)


def parse_rule(text: str, tools: Collection[str]) -> Rule:
    """Read one rule; `tools` are the names of all tools.

    Raises:
        PatternRefused: it is no rule; the text says what is allowed.
    """
    called = _CALLED.fullmatch(text)
    if called:
        return _parse_called(text, *called.groups())
    name = text.strip()
    if name in tools:
        return Rule(text, name, None)
    raise PatternRefused(f"{quoted(text)} is no rule; allowed are {FORMS}, or a tool: {', '.join(sorted(tools))}")


def _parse_called(text: str, kind: str, argument: str) -> Rule:
    if kind == "web":
        return Rule(text, kind, HostPattern.compile(argument))
    if kind == "search" or (kind == "browser" and argument.lower() in BROWSER_USES):
        return Rule(text, kind, Glob.compile(argument))
    raise PatternRefused(f"{quoted(text)} is no rule; allowed are {FORMS}, or the bare name of a tool")


class Rules:
    """The three lists of `[permissions]`, compiled."""

    __slots__ = ("_allow", "_ask", "_deny")

    def __init__(self, *, allow: Iterable[Rule] = (), ask: Iterable[Rule] = (), deny: Iterable[Rule] = ()) -> None:
        self._allow = tuple(allow)
        self._ask = tuple(ask)
        self._deny = tuple(deny)

    @classmethod
    def compile(
        cls, *, allow: Iterable[str] = (), ask: Iterable[str] = (), deny: Iterable[str] = (), tools: Collection[str]
    ) -> Rules:
        """Read the lists; `tools` are the names of all tools.

        Raises:
            SettingsError: one of the texts is no rule; names its list.
        """
        return cls(
            allow=_compile("permissions.allow", allow, tools),
            ask=_compile("permissions.ask", ask, tools),
            deny=_compile("permissions.deny", deny, tools),
        )

    def denies(self, use: Use) -> Rule | None:
        """Return the first `deny` rule that speaks of any target."""
        return _first(self._deny, use)

    def asks(self, use: Use) -> Rule | None:
        """Return the first `ask` rule that speaks of any target."""
        return _first(self._ask, use)

    def allows(self, use: Use) -> Rule | None:
        """Return an `allow` rule if every target is covered by one."""
        covering = [next((rule for rule in self._allow if rule.fits(use, target)), None) for target in use.targets]
        return covering[0] if covering and all(covering) else None


def _compile(key: str, texts: Iterable[str], tools: Collection[str]) -> list[Rule]:
    try:
        return [parse_rule(text, tools) for text in texts]
    except PatternRefused as refused:
        raise SettingsError(f"{key}: {refused.text}") from None


def _first(rules: Iterable[Rule], use: Use) -> Rule | None:
    return next((rule for rule in rules if any(rule.fits(use, target) for target in use.targets)), None)
