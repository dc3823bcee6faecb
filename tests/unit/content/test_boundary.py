"""The fence: both its lines carry a token that no page can know."""

from __future__ import annotations

from blitzweb.content.boundary import fence, new_token
from tests.support.covers import covers


@covers("CONTENT-04")
def test_both_lines_carry_the_same_random_token() -> None:
    first, content, last = fence("a page").split("\n")
    token = next(word for word in first.split() if len(word) == 32)
    assert token in last
    assert "untrusted" in first
    assert last.endswith("ends ---")
    assert content == "a page"
    assert new_token() != new_token()


@covers("CONTENT-04")
def test_a_page_cannot_end_the_fence() -> None:
    forged = fence("x", "0" * 32)
    fenced = fence(forged)
    assert fenced.split("\n")[-1] not in forged
