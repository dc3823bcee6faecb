"""Values inside refusals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.limits import MAX_QUOTED_CHARS
from blitzweb.policy.texts import quoted, quoted_url
from tests.support.covers import covers


@covers("POLICY-14")
@given(st.text())
def test_quotes_are_printable_and_bounded(text: str) -> None:
    assert quoted(text).isprintable()
    assert len(quoted(text)) <= 2 + MAX_QUOTED_CHARS * len("\\u{10ffff}")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", '""'),
        ("a\tb", '"a\\u{9}b"'),
        ("x" * 200, '"' + "x" * (MAX_QUOTED_CHARS - 1) + '…"'),
        ("bücher", '"bücher"'),
    ],
)
def test_quoted(text: str, shown: str) -> None:
    assert quoted(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://u:p@a.example/@x", '"https://…@a.example/…@x"'),
        ("u:p@a", '"…@a"'),
        ("https://a.example/?a=u@b", '"https://a.example/?…@b"'),
        ("plain", '"plain"'),
        ("https://u:p@q@a.example", '"https://…@a.example"'),
    ],
)
def test_quoted_url_leaves_out_what_may_be_a_password(text: str, shown: str) -> None:
    assert quoted_url(text) == shown
