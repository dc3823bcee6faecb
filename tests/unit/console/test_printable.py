from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.console.printable import one_line, printable, printable_json

BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ✓ 日本語 👩‍🚀", "plain ✓ 日本語 👩‍🚀"),
        ("a\tb\nc", "a\tb\nc"),
        ("\x1b[2Jx", "\\x1b[2Jx"),
        ("\x9b31m", "\\x9b31m"),
        ("a\rb\x00\x7f", "a\\x0db\\x00\\x7f"),
        ("gpj\u202e.exe", "gpj\\u202e.exe"),
        ("a\u2028b", "a\\u2028b"),
    ],
)
def test_controls_are_written_out(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(st.text())
def test_no_control_reaches_a_terminal(text: str) -> None:
    shown = printable(text)
    assert not [char for char in shown if char not in "\n\t" and (unicodedata.category(char) == "Cc" or char in BIDI)]
    assert "\n" not in one_line(text)


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=8,
    )
)
def test_json_keeps_its_meaning(value: object) -> None:
    shown = printable_json(json.dumps(value, ensure_ascii=False))
    assert json.loads(shown) == value
    assert shown == printable(shown)
