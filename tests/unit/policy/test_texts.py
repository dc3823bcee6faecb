"""Values inside refusals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.limits import MAX_QUOTED_CHARS, MAX_REFUSED_CHARS
from blitzweb.policy.texts import quoted, quoted_url, without_credentials
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
        ("https://a.example/@x", '"https://a.example/…@x"'),
        ("https://a.example:8080/u:p@x", '"https://a.example:8080/…@x"'),
        ("https://u:p/a?s#s@a.example/", '"https://…@a.example/"'),
        ("https://u:p@s/s@a.example/", '"https://…@a.example/"'),
        ("https://u:p%40a.example/", '"https://…@a.example/"'),
        ("https://u%3Ap%252540a.example/", '"https://…@a.example/"'),
        ("https://u:p\uff20a.example/", '"https://…@a.example/"'),
        ("https://u:p&commat;a.example/", '"https://…@a.example/"'),
        ("https://u:p/", '"https://u:…"'),
        ("https:/u:p@a.example/", '"https:/…@a.example/"'),
        ("https:u:p@a.example/", '"https:…@a.example/"'),
        ("HTTPS:\\\\u:p@a.example/", '"HTTPS:\\\\…@a.example/"'),
        ("ftp://u:p@a.example/", '"ftp://…@a.example/"'),
        ("//u:p@a.example/", '"//…@a.example/"'),
        ("https://a.example/?u=https://u:p@b/", '"https://a.example/?u=https://…@b/"'),
        ("file:///etc/passwd", '"file:///etc/passwd"'),
        ("u:p@a", '"…@a"'),
        ("https://a.example/?a=u@b", '"https://a.example/?…@b"'),
        ("plain", '"plain"'),
        ("https://u:p@q@a.example", '"https://…@a.example"'),
    ],
)
def test_quoted_url_leaves_out_what_may_be_a_password(text: str, shown: str) -> None:
    assert quoted_url(text) == shown


@pytest.mark.parametrize("sign", ["@", "%40", "%2540", "\uff20", "\ufe6b", "&commat;"])
@given(st.text("aB0:/?#\\%.[@ \t", max_size=12), st.text("aB0:/?#\\.[ ", max_size=12))
def test_nothing_of_a_password_is_left_whatever_signs_are_in_it(sign: str, before: str, after: str) -> None:
    shown = without_credentials(f"https://user:S3{before}cr3t{after}{sign}host")
    assert "cr3t" not in shown


def test_a_refused_url_is_clipped() -> None:
    assert len(without_credentials("https://a.example/" + "x" * 10_000_000)) <= MAX_REFUSED_CHARS + 2
