"""Patterns over what a tool returns."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.errors import SettingsError
from blitzweb.policy.output_guard import Blocked, OutputGuards
from blitzweb.settings.tables import Guard
from tests.support.covers import covers

DEFAULTS = OutputGuards.compile(Guard.deny_output)


@covers("GUARD-04")
@pytest.mark.parametrize("kind", ["CERTIFICATE", "RSA PRIVATE KEY", "EC PRIVATE KEY", "PRIVATE KEY"])
def test_private_keys_are_blocked_by_default(kind):
    with pytest.raises(Blocked) as caught:
        DEFAULTS.of("browser_extract").apply(f"before -----BEGIN {kind}----- MIIE")
    assert caught.value.name == "private key"


@covers("GUARD-04", "GUARD-02")
@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("api_key: abcdefgh12 and more", "[BLOCKED BY POLICY] and more"),
        ("API-KEY=abcdefgh", "[BLOCKED BY POLICY]"),
        ("a secret : 12345678!", "a [BLOCKED BY POLICY]"),
        ("password = short", "password = short"),
        ("nothing here", "nothing here"),
        ("", ""),
    ],
)
def test_credentials_are_redacted_by_default(text, redacted):
    assert DEFAULTS.of("browser_state").apply(text) == redacted


@covers("GUARD-04")
def test_the_defaults_are_for_the_browsers_tools():
    for tool in ("web_fetch", "browser"):
        assert not DEFAULTS.of(tool).active
        assert DEFAULTS.of(tool).apply("-----BEGIN PRIVATE KEY-----") == "-----BEGIN PRIVATE KEY-----"


@covers("GUARD-01")
def test_blocks_come_first_on_the_original():
    entries = [
        {"pattern": "key-[0-9]+", "action": "redact"},
        {"pattern": "key-13", "action": "block", "name": "unlucky"},
    ]
    guard = OutputGuards.compile(entries).of("web_fetch")
    assert guard.apply("key-12 key-14") == "[BLOCKED BY POLICY] [BLOCKED BY POLICY]"
    with pytest.raises(Blocked, match="unlucky"):
        guard.apply("key-13")


@covers("GUARD-01")
def test_the_first_of_two_equal_patterns_counts_and_names_are_made():
    entries = [{"pattern": "x+", "action": "block"}, {"pattern": "x+", "action": "redact", "name": "second"}]
    with pytest.raises(Blocked, match="pattern 1"):
        OutputGuards.compile(entries).of("any").apply("xx")


@covers("GUARD-03")
@pytest.mark.parametrize("pattern", ["(a", "(?=look)", r"(a)\1", "["])
def test_what_is_no_pattern_is_said(pattern):
    with pytest.raises(SettingsError, match=r"guard\.deny_output\[0\]\.pattern"):
        OutputGuards.compile([{"pattern": pattern, "action": "block"}])


@covers("GUARD-03")
def test_no_pattern_stalls():
    entries = [{"pattern": "(a+)+$", "action": "block"}, {"pattern": "(x|xx)*y", "action": "block"}]
    guard = OutputGuards.compile(entries).of("any")
    begin = time.monotonic()
    guard.apply("a" * 100_000 + "b" + "x" * 100_000)
    assert time.monotonic() - begin < 10  # a backtracking matcher would need longer than the universe has


@given(st.text(max_size=200))
def test_what_matches_nothing_is_left_as_it_is(text):
    guard = OutputGuards.compile([{"pattern": "zzz[0-9]{9}", "action": "redact"}]).of("any")
    assert guard.apply(text) == text or "zzz" in text
