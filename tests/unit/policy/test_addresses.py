"""The table of addresses, at both edges of each of its blocks, and the cases of tests/cases/ssrf."""

from __future__ import annotations

import ipaddress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.policy.addresses import (
    BLOCKS,
    METADATA,
    OPENED_BY_ALLOW_LOCAL,
    OPENED_BY_ALLOW_PRIVATE,
    AddressClass,
    classify_address,
    describe_not_public,
    is_public,
    opened_by_allow_local,
    opened_by_allow_private,
)
from tests.support.covers import covers
from tests.support.ssrf import load_cases

CASES = load_cases("addresses")[1]
NETWORKS = [(ipaddress.ip_network(text), cls) for text, cls in BLOCKS]


def class_by_search(address: Any) -> AddressClass:
    """Return the class of the narrowest block, found the slow way."""
    holding = [(net.prefixlen, cls) for net, cls in NETWORKS if net.version == address.version and address in net]
    return max(holding, key=lambda found: found[0])[1]


def is_unwrapped(address: Any) -> bool:
    text = address.exploded
    return address.version == 6 and (text.startswith("0064:ff9b:0000:") or text[20:29] in {"0000:5efe", "0200:5efe"})


@covers("POLICY-08", "POLICY-09", "WEB-04")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_cases(case: dict[str, Any]) -> None:
    assert is_public(classify_address(case["address"])) is (case["expected"] == "public"), case["reason"]


@covers("POLICY-08")
@pytest.mark.parametrize(("text", "cls"), BLOCKS)
def test_both_edges_of_each_block(text: str, cls: AddressClass) -> None:
    net = ipaddress.ip_network(text)
    for edge in {int(net[0]), int(net[-1]), int(net[0]) - 1, int(net[-1]) + 1}:
        if 0 <= edge < 2**net.max_prefixlen:
            address = ipaddress.ip_address(edge.to_bytes(net.max_prefixlen // 8))
            assert classify_address(str(address)) is class_by_search(address), address
    assert classify_address(str(net[net.num_addresses // 3])) is cls or net.prefixlen < 24


@covers("POLICY-08")
@given(st.ip_addresses())
def test_any_address_has_the_class_of_its_narrowest_block(address: Any) -> None:
    found = classify_address(str(address))
    if str(address) not in METADATA and not is_unwrapped(address):
        assert found is class_by_search(address)
    if address.version == 6 and address not in ipaddress.ip_network("2000::/3"):
        assert not is_public(found) or is_unwrapped(address)


@covers("POLICY-08")
@given(st.ip_addresses(v=4))
def test_public_is_never_wider_than_what_python_calls_special(address: Any) -> None:
    if address.is_private or address.is_multicast or address.is_reserved:
        assert not is_public(classify_address(str(address)))


@covers("POLICY-09")
@given(st.ip_addresses(v=4))
def test_ipv4_inside_ipv6(inner: Any) -> None:
    cls, low, high = classify_address(str(inner)), f"{int(inner) & 0xFFFF:x}", f"{int(inner) >> 16:x}"
    assert classify_address(f"64:ff9b::{inner}") is cls
    assert classify_address(f"2a00::5efe:{inner}") is cls
    assert classify_address(f"2a00::200:5efe:{inner}") is cls
    refused = {
        AddressClass.MAPPED: f"::ffff:{inner}",
        AddressClass.TRANSLATED: f"::ffff:0:{inner}",
        AddressClass.NAT64_LOCAL: f"64:ff9b:1::{inner}",
        AddressClass.SIX_TO_FOUR: f"2002:{high}:{low}::1",
        AddressClass.TEREDO: f"2001:0:{high}:{low}::1",
    }
    assert {name: classify_address(text) for name, text in refused.items()} == {name: name for name in refused}
    assert not is_public(classify_address(f"::{inner}"))


@covers("POLICY-09", "POLICY-10")
@pytest.mark.parametrize(
    ("text", "cls"),
    [
        ("fd00::5efe:169.254.169.254", AddressClass.METADATA),  # allow_private must not open what is inside
        ("fd00::5efe:224.0.0.1", AddressClass.MULTICAST),
        ("fd00::5efe:100.64.0.1", AddressClass.CGNAT),  # allow_local opens unique local addresses and not this
        ("fd00::5efe:10.0.0.1", AddressClass.UNIQUE_LOCAL),
        ("fd00::5efe:8.8.8.8", AddressClass.UNIQUE_LOCAL),
        ("fe80::5efe:8.8.8.8", AddressClass.LINK_LOCAL),
        ("2001:db8::5efe:10.0.0.1", AddressClass.DOCUMENTATION),
        ("2a00::5eff:10.0.0.1", AddressClass.PUBLIC),
    ],
)
def test_the_worse_part_of_an_isatap_address_counts(text: str, cls: AddressClass) -> None:
    assert classify_address(text) is cls


@covers("POLICY-10")
@pytest.mark.parametrize("text", METADATA)
def test_no_setting_opens_metadata(text: str) -> None:
    for spelling in (text, f"{text}%eth0", f"64:ff9b::{text}" if "." in text else text.upper()):
        cls = classify_address(spelling)
        assert cls is AddressClass.METADATA
        assert not any(opens(cls) for opens in (is_public, opened_by_allow_private, opened_by_allow_local))


@covers("POLICY-10")
@pytest.mark.parametrize(
    ("text", "private", "local"),
    [
        ("127.0.0.1", True, True),
        ("::1", True, True),
        ("10.0.0.1", True, True),
        ("172.31.0.1", True, True),
        ("192.168.0.1", True, True),
        ("fd12::1", True, True),
        ("100.64.0.1", True, False),
        ("169.254.1.1", False, False),
        ("fe80::1", False, False),
        ("0.0.0.0", False, False),
        ("0.0.0.1", False, False),
        ("::", False, False),
        ("224.0.0.1", False, False),
        ("ff02::1", False, False),
        ("240.0.0.1", False, False),
        ("255.255.255.255", False, False),
        ("192.0.0.1", False, False),
        ("198.18.0.1", False, False),
        ("fec0::1", False, False),
        ("::ffff:127.0.0.1", False, False),
        ("::127.0.0.1", False, False),
        ("2002:7f00:1::", False, False),
        ("168.63.129.16", False, False),
        ("64:ff9b::10.0.0.1", True, True),
        ("93.184.215.14", False, False),
    ],
)
def test_what_settings_open(text: str, *, private: bool, local: bool) -> None:
    cls = classify_address(text)
    assert (opened_by_allow_private(cls), opened_by_allow_local(cls)) == (private, local)


@covers("POLICY-08")
@pytest.mark.parametrize(
    "text",
    ["", "x", "127.1", "010.0.0.1", "0x7f.0.0.1", "2130706433", "[::1]", "::1::", "%eth0", "1.2.3.4.", " 1.2.3.4"],
)
def test_what_is_no_address_is_not_public(text: str) -> None:
    cls = classify_address(text)
    assert cls is AddressClass.UNREADABLE
    assert not any(opens(cls) for opens in (is_public, opened_by_allow_private, opened_by_allow_local))


@given(st.text(max_size=20))
def test_any_text_has_a_class(text: str) -> None:
    assert isinstance(classify_address(text), AddressClass)


@covers("POLICY-14")
def test_a_refusal_says_what_would_open_it() -> None:
    assert describe_not_public("x (10.0.0.1)", AddressClass.PRIVATE) == (
        "x (10.0.0.1) is not a public address (private network); web.allow_private = true would allow it"
    )
    assert "not even web.allow_private" in describe_not_public("x", AddressClass.METADATA)
    assert "not even browser.allow_local" in describe_not_public("x", AddressClass.CGNAT, "browser.allow_local")
    assert "browser.allow_local = true" in describe_not_public("x", AddressClass.LOOPBACK, "browser.allow_local")


def test_the_two_settings_open_no_more_than_this() -> None:
    assert OPENED_BY_ALLOW_LOCAL < OPENED_BY_ALLOW_PRIVATE
    assert {cls.name for cls in OPENED_BY_ALLOW_PRIVATE} == {"LOOPBACK", "PRIVATE", "UNIQUE_LOCAL", "CGNAT"}
