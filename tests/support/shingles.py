"""The measure of the public article-extraction benchmark: shingles of four words, averaged over pages."""

from __future__ import annotations

import re
from collections import Counter

_WORD = re.compile(r"\w+")
_TARGET = re.compile(r"(!?)\[((?:[^\[\]\\]|\\.)*)\]\((?:<[^>]*>|[^()\s]*)\)")
LENGTH = 4

Counts = tuple[int, int, int]  # true positives, false positives, false negatives


def strip_targets(markdown: str) -> str:
    """Return markdown with the texts of its links alone, and without images."""
    return _TARGET.sub(lambda found: "" if found[1] else found[2], markdown)


def compare(expected: str, found: str) -> Counts:
    """Count the shingles of two texts."""
    wanted, given = _shingles(expected), _shingles(found)
    return (wanted & given).total(), (given - wanted).total(), (wanted - given).total()


def f1(pages: list[Counts]) -> float:
    """Return F1 of the mean precision and the mean recall."""
    precision = sum(_share(right, wrong) for right, wrong, _ in pages) / len(pages)
    recall = sum(_share(right, missing) for right, _, missing in pages) / len(pages)
    return 2 * precision * recall / (precision + recall)


def _share(right: int, others: int) -> float:
    return right / (right + others) if right + others else 1.0


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(text)
    return Counter(tuple(words[at : at + LENGTH]) for at in range(max(1, len(words) - LENGTH + 1)))
