"""The one matcher of patterns: `*` is any run of characters, `?` is one, nothing else is special (POLICY-04).

No regular expressions: each mismatch goes back to the last `*` only, so that the work is bounded by the product of two
short lengths whatever a pattern or a text holds. A `[` is refused, because people mean a set of characters by it.
"""

from __future__ import annotations

from blitzweb.policy.texts import quoted


class PatternRefused(Exception):
    """Raised for a pattern that does not compile; `text` says why, and what is allowed."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class Glob:
    """A compiled pattern; it matches whole texts, without regard to case."""

    __slots__ = ("_pattern", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._pattern = text.lower()

    @classmethod
    def compile(cls, text: str) -> Glob:
        """Read a pattern.

        Raises:
            PatternRefused: it is empty or holds a `[`.
        """
        if not text:
            raise PatternRefused("a pattern is not empty; * stands for everything")
        if "[" in text:
            raise PatternRefused(f"the pattern {quoted(text)} has a [; use * for any run of characters, ? for one")
        return cls(text)

    def matches(self, text: str) -> bool:
        """Tell whether the whole of `text` fits."""
        return _fits(self._pattern, text.lower())


def _fits(pattern: str, text: str) -> bool:
    at = read = 0
    star, resume = -1, 0  # the last `*` met, and where the text goes on if it swallows one character more
    while read < len(text):
        sign = pattern[at : at + 1]
        if sign == "*":
            star, resume, at = at, read, at + 1
        elif sign and sign in ("?", text[read]):
            at, read = at + 1, read + 1
        elif star >= 0:
            resume += 1
            at, read = star + 1, resume
        else:
            return False
    return not pattern[at:].strip("*")
