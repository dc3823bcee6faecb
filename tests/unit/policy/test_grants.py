"""The turn's fetch grants."""

from __future__ import annotations

import pytest

from blitzweb.policy.grants import is_granted
from blitzweb.policy.urls import parse_url
from tests.support.covers import covers


@covers("WEB-03", "POLICY-15")
@pytest.mark.parametrize(
    ("grant", "url", "granted"),
    [
        ("https://a.example/x?q", "https://a.example/x?q", True),
        ("https://a.example/x#one", "https://a.example/x#two", True),
        ("https://A.example:443/y/../x", "https://a.example./x", True),
        ("https://a.example", "https://a.example/", True),
        ("https://bücher.example/", "https://xn--bcher-kva.example/", True),
        ("https://a.example/x", "https://a.example/X", False),
        ("https://a.example/x", "https://a.example/x/", False),
        ("https://a.example/x", "https://a.example/x?", False),
        ("https://a.example/x", "http://a.example/x", False),
        ("https://a.example/x", "https://a.example:8443/x", False),
        ("https://a.example/", "https://b.example/", False),
        ("https://a.example/*", "https://a.example/x", False),
        ("a.example", "https://a.example/", False),
        ("https://u:p@a.example/", "https://a.example/", False),
        ("", "https://a.example/", False),
    ],
)
def test_a_grant_is_for_one_url(grant: str, url: str, *, granted: bool) -> None:
    assert is_granted(parse_url(url), ("https://other.example/", grant)) is granted


def test_no_grants() -> None:
    assert not is_granted(parse_url("https://a.example/"), ())
