"""What requests and handshakes say of their client."""

from __future__ import annotations

import pytest

from blitzweb.dialects.mcp.client import (
    CAPABILITIES_KEY,
    LEGACY_VERSIONS,
    VERSION_KEY,
    Era,
    UnsupportedVersion,
    is_modern,
    read_legacy,
    read_modern,
)
from blitzweb.errors import InvalidParams
from tests.support.covers import covers

FORMS = [({}, False), ({"elicitation": {}}, True), ({"elicitation": {"form": {}}}, True)]
NO_FORMS = [({"elicitation": {"url": {}}}, False), ({"elicitation": True}, False), ({"sampling": {}}, False)]


def modern(**meta):
    return {"_meta": {VERSION_KEY: "2026-07-28", CAPABILITIES_KEY: {}} | meta}


@covers("MCP-01")
@pytest.mark.parametrize(
    ("params", "expected"),
    [
        (modern(), True),
        ({"_meta": {VERSION_KEY: None}}, True),
        ({"_meta": {CAPABILITIES_KEY: {}}}, False),
        ({"_meta": {"progressToken": 1}}, False),
        ({"_meta": [VERSION_KEY]}, False),
        ([VERSION_KEY], False),
        ({}, False),
        (None, False),
    ],
)
def test_the_version_in_meta_is_the_sign_of_the_modern_era(params, expected):
    assert is_modern(params) is expected


@covers("MCP-02")
@pytest.mark.parametrize(("capabilities", "asks"), FORMS + NO_FORMS)
def test_both_eras_tell_whether_forms_are_shown(capabilities, asks):
    client = read_modern(modern(**{CAPABILITIES_KEY: capabilities}))
    assert (client.era, client.version, client.asks) == (Era.MODERN, "2026-07-28", asks)
    client = read_legacy({"protocolVersion": "2025-11-25", "capabilities": capabilities})
    assert (client.era, client.version, client.asks) == (Era.LEGACY, "2025-11-25", asks)


@covers("MCP-01")
@pytest.mark.parametrize(
    ("wanted", "answered"),
    [*zip(LEGACY_VERSIONS, LEGACY_VERSIONS, strict=True), ("2026-07-28", "2025-11-25"), ("1.0", "2025-11-25")],
)
def test_a_version_that_is_not_known_is_answered_with_the_latest(wanted, answered):
    assert read_legacy({"protocolVersion": wanted}).version == answered


@covers("MCP-02")
@pytest.mark.parametrize(("version", "asks"), [("2025-03-26", False), ("2025-06-18", True)])
def test_versions_before_forms_are_sent_none(version, asks):
    assert read_legacy({"protocolVersion": version, "capabilities": {"elicitation": {}}}).asks is asks


@covers("MCP-01")
@pytest.mark.parametrize("version", ["2027-01-01", "2025-11-25", ""])
def test_other_versions_of_the_modern_era_are_refused_with_mcps_own_code(version):
    with pytest.raises(UnsupportedVersion) as caught:
        read_modern(modern(**{VERSION_KEY: version}))
    error = caught.value.to_object()
    assert error["code"] == -32022
    assert (error["data"]["supported"], error["data"]["requested"]) == (["2026-07-28"], version)


@covers("MCP-01")
@pytest.mark.parametrize(
    ("read", "params", "name"),
    [
        (read_modern, modern(**{VERSION_KEY: 3}), VERSION_KEY),
        (read_modern, {"_meta": {VERSION_KEY: "2026-07-28"}}, CAPABILITIES_KEY),
        (read_modern, modern(**{CAPABILITIES_KEY: None}), CAPABILITIES_KEY),
        (read_legacy, {}, "params.protocolVersion"),
        (read_legacy, {"protocolVersion": 1}, "params.protocolVersion"),
        (read_legacy, {"protocolVersion": "2025-11-25", "capabilities": []}, "params.capabilities"),
    ],
)
def test_what_must_be_said_and_is_not_is_named(read, params, name):
    with pytest.raises(InvalidParams) as caught:
        read(params)
    assert name in caught.value.message
