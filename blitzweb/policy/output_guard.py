"""What may not leave a tool, `[guard] deny_output`: patterns that block a result, or redact in it (GUARD-01).

All patterns are matched together by RE2, in linear time, so that no page can stall us with what it says (GUARD-03).
Blocks come first, on the original; the text of a block names the pattern and never what it matched (GUARD-02).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from blitzweb.errors import SettingsError
from blitzweb.policy.globs import Glob, PatternRefused

REPLACEMENT: Final = "[BLOCKED BY POLICY]"
_MEMORY_BYTES: Final = 64 * 1024 * 1024  # of the automaton of all patterns together; RE2's own limit is for one


class Pattern(NamedTuple):
    """One entry of `deny_output`."""

    name: str
    compiled: Any  # RE2's
    blocks: bool
    tools: tuple[Glob, ...]  # none: every tool

    def concerns(self, tool: str) -> bool:
        """Tell whether a tool's results are looked at."""
        return not self.tools or any(glob.matches(tool) for glob in self.tools)


class Blocked(Exception):
    """Raised for a text that may not leave; `name` is the pattern's."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class OutputGuard:
    """The patterns that concern one tool, compiled; safe from any thread."""

    def __init__(self, patterns: Iterable[Pattern] = ()) -> None:
        self._patterns = tuple(patterns)
        self._set: Any = None
        if self._patterns:
            import re2  # only with patterns: most have none

            options = re2.Options()
            options.max_mem = _MEMORY_BYTES
            options.log_errors = False
            self._set = re2.Set.SearchSet(options)
            for pattern in self._patterns:
                self._set.Add(pattern.compiled.pattern)
            self._set.Compile()

    @property
    def active(self) -> bool:
        """Tell whether there is anything to look for."""
        return self._set is not None

    def apply(self, text: str) -> str:
        """Return a text without what is to be redacted.

        Raises:
            Blocked: it may not leave at all.
        """
        if self._set is None or not text:
            return text
        found = [self._patterns[index] for index in sorted(self._set.Match(text) or ())]
        for pattern in found:
            if pattern.blocks:
                raise Blocked(pattern.name)
        for pattern in found:
            text = pattern.compiled.sub(REPLACEMENT, text)
        return text


class OutputGuards:
    """All patterns, and the guard of each tool, made when it is first asked for."""

    def __init__(self, patterns: Iterable[Pattern] = ()) -> None:
        self._patterns = tuple(patterns)
        self._guards: dict[str, OutputGuard] = {}

    @classmethod
    def compile(cls, entries: Iterable[Mapping[str, Any]]) -> OutputGuards:
        """Read the setting `guard.deny_output`; of two entries with the same pattern the first counts.

        Raises:
            SettingsError: a pattern does not compile.
        """
        patterns: dict[str, Pattern] = {}
        for number, entry in enumerate(entries, 1):
            text = str(entry["pattern"])
            if text in patterns:
                continue
            where = f"guard.deny_output[{number - 1}]"
            tools = tuple(_read_tool(where, name) for name in entry.get("tools") or ())
            name = str(entry.get("name") or f"pattern {number}")
            patterns[text] = Pattern(name, _compile(where, text), entry["action"] == "block", tools)
        return cls(patterns.values())

    def of(self, tool: str) -> OutputGuard:
        """Return the guard of a tool's results."""
        if tool not in self._guards:
            self._guards[tool] = OutputGuard(one for one in self._patterns if one.concerns(tool))
        return self._guards[tool]


def _compile(where: str, text: str) -> Any:
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(text, options)
    except re2.error as error:
        why = error.args[0].decode("utf-8", "replace") if isinstance(error.args[0], bytes) else str(error)
        raise SettingsError(
            f"{where}.pattern does not compile ({why}): {text[:80]}",
            advice="patterns are RE2's: no look-around, no back-references",
        ) from None


def _read_tool(where: str, text: str) -> Glob:
    try:
        return Glob.compile(text)
    except PatternRefused as refused:
        raise SettingsError(f"{where}.tools: {refused.text}") from None
