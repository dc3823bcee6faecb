"""Patterns of hosts: hosts.tsv documents them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from blitzweb.errors import SettingsError
from blitzweb.policy.hosts import HostList, HostPattern
from tests.support.covers import covers
from tests.support.tables import read_table


@covers("WEB-02", "POLICY-03", "POLICY-04")
@pytest.mark.parametrize(
    "row", read_table(Path(__file__).with_name("hosts.tsv")), ids=lambda row: ascii(row["pattern"])
)
def test_the_table(row: dict[str, str]) -> None:
    pattern = HostPattern.compile(row["pattern"])
    assert pattern.matches(row["host"]) is (row["matches"] == "yes")
    assert pattern.matches(row["host"], bare_domain=False) is (row["bare"] == "yes")
    assert pattern.text == row["pattern"]


@covers("POLICY-04")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not empty"),
        (" ", "not empty"),
        (".", "not empty"),
        ("[a-z].example", r"has a \["),
        ("[::1]", r"has a \["),
        ("https://example.com", "host alone"),
        ("example.com/x", "host alone"),
        ("example.com:443", "host alone"),
        ("user@example.com", "host alone"),
        ("a example", "host alone"),
        ("1::2::3", "no IPv6 address"),
        ("fd00:*:1", "no IPv6 address"),
        ("b*ü.example", "wildcard"),
        ("xü²y.example", "the digit"),
    ],
)
def test_what_is_no_pattern_is_an_error_of_its_setting(text: str, words: str) -> None:
    with pytest.raises(SettingsError, match=words) as raised:
        HostList.compile("web.allow_domains", ["good.example", text])
    assert raised.value.message.startswith("web.allow_domains: ")


@covers("WEB-02")
def test_the_first_pattern_that_fits_is_found() -> None:
    hosts = HostList.compile("web.deny_domains", ["a.example", "*.b.example", "*"])
    assert [getattr(hosts.find(host), "text", None) for host in ("a.example", "b.example", "c.example")] == [
        "a.example",
        "*.b.example",
        "*",
    ]
    assert HostList().find("a.example") is None


def test_plain_patterns_are_read_without_the_url_library() -> None:
    code = (
        "import sys\n"
        "from blitzweb.policy.permissions import Rules\n"
        "from blitzweb.policy.egress import Egress\n"
        "Rules.compile(deny=['web(*.example.com)'], tools=['web_fetch'])\n"
        "Egress.compile('allowlist', ['*.example.com:443'])\n"
        "print([name for name in ('ada_url', 'ipaddress', 'socket', 'dataclasses') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
