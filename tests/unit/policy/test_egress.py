"""The operator's fence."""

from __future__ import annotations

import pytest

from blitzweb.errors import SettingsError
from blitzweb.policy.egress import Egress
from tests.support.covers import covers


@pytest.mark.parametrize(
    ("domain", "host", "passes"),
    [
        ("example.com", "example.com", True),
        ("example.com", "www.example.com", False),
        ("*.example.com", "www.example.com", True),
        ("*.example.com", "example.com", False),
        ("Example.COM.", "example.com", True),
        ("example.com:8443", "example.com", True),
        ("example.com:*", "example.com", True),
        ("bücher.example", "xn--bcher-kva.example", True),
        ("127.0.0.1", "127.0.0.1", True),
        ("127.0.0.1", "127.0.0.2", False),
        ("example.com", "localhost", False),
        ("example.com", "127.0.0.1", False),
        ("[2A00::1]:443", "2a00::1", True),
        ("2a00::1", "2a00::1", True),
        (" example.com ", "example.com", True),
    ],
)
@covers("EGRESS-02")
def test_a_list_of_domains(domain: str, host: str, *, passes: bool) -> None:
    assert (Egress.compile("allowlist", ["other.example", domain]).refusal(host) is None) is passes


@covers("EGRESS-01", "POLICY-14")
def test_modes() -> None:
    assert Egress().refusal("a.example") is None
    assert Egress.compile("open", []).refusal("a.example") is None
    denied = Egress.compile("deny-all", ["a.example"]).refusal("a.example")
    fenced = Egress.compile("allowlist", []).refusal("localhost")
    assert denied is not None
    assert fenced is not None
    assert "deny-all" in denied
    assert "egress.domains" in fenced
    assert "localhost" in fenced


@pytest.mark.parametrize(
    ("mode", "domains", "words"),
    [
        ("closed", [], "egress.mode.*open, allowlist, deny-all"),
        ("open", ["a b"], "egress.domains: .*host alone"),
        ("open", ["[ab].example"], r"egress.domains: .*has a \["),
        ("open", ["https://a.example"], "egress.domains: .*host alone"),
    ],
)
@covers("POLICY-14")
def test_wrong_settings(mode: str, domains: list[str], words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        Egress.compile(mode, domains)
