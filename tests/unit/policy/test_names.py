"""Canonical host names and literals, where urls.tsv does not reach."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.policy import names
from blitzweb.policy.names import NameRefused, canonical_ipv4, canonical_ipv6, canonical_name, unicode_name
from tests.support.covers import covers


@covers("POLICY-03")
@given(st.from_regex(r"\A[a-zß-öø-ÿа-яא-ת]{1,8}\.(example|рф|测试)\Z"))
def test_the_unicode_form_leads_back_to_the_same_name(text: str) -> None:
    try:
        name = canonical_name(text)
    except NameRefused:
        return
    assert canonical_name(name) == name
    assert canonical_name(unicode_name(name)) == name


@covers("POLICY-02")
@given(st.ip_addresses(v=6))
def test_ipv6_keeps_its_number(address: object) -> None:
    canonical = canonical_ipv6(str(address))
    assert canonical_ipv6(canonical.upper()) == canonical


@given(st.ip_addresses(v=4))
def test_plain_ipv4_is_kept(address: object) -> None:
    assert canonical_ipv4(str(address)) == str(address)


@covers("POLICY-02")
def test_an_address_that_is_read_differently_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names.ada_url, "URL", lambda _text: SimpleNamespace(hostname="[::1]"))
    with pytest.raises(NameRefused):
        canonical_ipv6("2a00::1")
