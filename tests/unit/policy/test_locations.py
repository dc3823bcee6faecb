"""Where redirects lead: locations.tsv documents it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.limits import MAX_LOCATION_BYTES
from blitzweb.policy import locations
from blitzweb.policy.locations import resolve_location
from blitzweb.policy.urls import Url, UrlRefused, parse_url
from blitzweb.policy.verdicts import Reason
from tests.support.covers import covers
from tests.support.tables import read_table

BASE = parse_url("https://a.example:8443/dir/page?q#f")
TABLE = read_table(Path(__file__).with_name("locations.tsv"))


def resolve(location: str) -> Url | UrlRefused:
    try:
        return resolve_location(BASE, location)
    except UrlRefused as refused:
        return refused


@covers("POLICY-01", "WEB-05")
@pytest.mark.parametrize("row", TABLE, ids=lambda row: ascii(row["location"]))
def test_the_table(row: dict[str, str]) -> None:
    url = resolve(row["location"])
    if row["url"].startswith("refused: "):
        assert isinstance(url, UrlRefused), url
        assert url.reason is Reason.REDIRECT_TARGET
        assert row["url"].removeprefix("refused: ") in url.text
        assert "a.example" in url.text
    else:
        assert isinstance(url, Url), url
        assert url.href == row["url"]


@covers("POLICY-01")
def test_length_is_counted_in_bytes() -> None:
    assert isinstance(resolve("/" + "x" * (MAX_LOCATION_BYTES - 1)), Url)
    for location in ("/" + "x" * MAX_LOCATION_BYTES, "/" + "\xc3\xbc" * (MAX_LOCATION_BYTES // 2)):
        refused = resolve(location)
        assert isinstance(refused, UrlRefused)
        assert "bytes" in refused.text


@covers("POLICY-02")
@given(st.text(st.characters(max_codepoint=0xFF), max_size=30))
def test_any_location_is_a_url_or_refused_and_a_relative_one_stays(location: str) -> None:
    url = resolve(location)
    if isinstance(url, Url) and ":" not in location and "//" not in location:
        assert url.origin == BASE.origin


@covers("POLICY-02")
def test_a_relative_location_never_leaves_the_origin(monkeypatch: pytest.MonkeyPatch) -> None:
    def join(_location: str, _base: str) -> Any:
        return SimpleNamespace(origin="https://evil.example", href="https://evil.example/")

    monkeypatch.setattr(locations.ada_url, "URL", join)
    refused = resolve("/x")
    assert isinstance(refused, UrlRefused)
    assert "another host" in refused.text
