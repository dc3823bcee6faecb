"""Layers, origins, errors, and what a project may narrow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.checks import CHECKS, TOOL_NAMES
from blitzweb.contract.toolset import TOOLS
from blitzweb.errors import SettingsError
from blitzweb.settings import load_settings
from blitzweb.settings.tables import TABLES
from tests.support.covers import covers


def load(**layers):
    layers.setdefault("environ", {})
    return load_settings(checks=CHECKS, **layers)


@pytest.fixture(autouse=True)
def no_user_settings(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))


@covers("SETTING-01", "SETTING-13")
def test_a_later_layer_wins_key_by_key_and_each_value_knows_its_origin(tmp_path):
    file = tmp_path / "config.toml"
    file.write_text("[web]\nmax_bytes = 1000\ntimeout_seconds = 5\nsearch_max_results = 7\n")
    settings = load(
        config_path=str(file), flags={"web": {"timeout_seconds": 6}}, host={"web": {"search_max_results": 9}}
    )
    assert (settings.web.max_bytes, settings.web.timeout_seconds, settings.web.search_max_results) == (1000, 6, 9)
    assert settings.origin("web.max_bytes") == f"file {file}"
    assert settings.origin("web.timeout_seconds") == "flags"
    assert settings.origin("web.search_max_results") == "initialize"
    assert settings.origin("web.enabled") == "default"


@given(st.lists(st.integers(min_value=1, max_value=10_000), min_size=2, max_size=2))
def test_the_host_wins_over_flags(values):
    settings = load(flags={"web": {"max_bytes": values[0]}}, host={"web": {"max_bytes": values[1]}})
    assert settings.web.max_bytes == values[1]


@covers("SETTING-02")
@pytest.mark.parametrize(
    ("layer", "words"),
    [
        ({"web": {"max_bites": 1}}, ['web.max_bites is no setting; did you mean "max_bytes"?']),
        ({"wab": {}}, ['no table [wab]; did you mean "web"?']),
        ({"web": {"max_bytes": "2"}}, ["web.max_bytes takes a whole number from 1", 'not "2"']),
        ({"web": {"max_bytes": True}}, ["web.max_bytes", "not True"]),
        ({"web": {"max_bytes": 0}}, ["web.max_bytes", "not 0"]),
        ({"log": {"file": "a\0b"}}, ["log.file takes a text without NUL"]),
        ({"network": {"ca_file": "\ud800"}}, ["network.ca_file takes a text without NUL"]),
        ({"web": {"allow_domains": ["a\0b"]}}, ["web.allow_domains takes a list of texts"]),
        ({"web": {"enabled": 1}}, ["web.enabled takes true or false, not 1"]),
        ({"web": {"html_parser": "lxml"}}, ['web.html_parser takes one of "auto", "html5lib", not "lxml"']),
        ({"web": {"allow_domains": "a.example"}}, ["web.allow_domains takes a list of texts"]),
        ({"web": {"allow_domains": ["[a].example"]}}, ["web.allow_domains", "["]),
        ({"permissions": {"deny": ["wob(x)"]}}, ["permissions.deny", "wob(x)"]),
        ({"browser": {"width": 0}}, ["browser.width", "not 0"]),
        (
            {"guard": {"deny_output": [{"pattern": "x", "action": "hide"}]}},
            ["deny_output[0].action", '"block", "redact"'],
        ),
        ({"web": []}, ["[web] takes keys and values"]),
    ],
)
def test_what_is_wrong_is_named_with_what_is_allowed(layer, words):
    with pytest.raises(SettingsError) as caught:
        load(host=layer)
    assert caught.value.message.startswith("initialize: ")
    for word in words:
        assert word in caught.value.message


@covers("SETTING-03", "WEB-38")
def test_a_project_only_narrows_and_the_rest_is_told():
    settings = load(
        host={
            "permissions": {"ask": ["web(a.example)"]},
            "egress": {"mode": "allowlist", "domains": ["*.b.example", "c.example"]},
        },
        project={
            "permissions": {"ask": ["web(z.example)"], "deny": ["web(y.example)"], "allow": ["web(*)"]},
            "egress": {"mode": "open", "domains": ["x.b.example", "d.example"]},
            "sandbox": {"allow_network": False},
            "web": {"allow_private": True},
            "browser": {"allow_scripts": True},
        },
    )
    assert settings.permissions.ask == ("web(a.example)", "web(z.example)")
    assert settings.permissions.deny == ("web(y.example)",)
    assert settings.permissions.allow == ()
    assert (settings.egress.mode, settings.egress.domains) == ("allowlist", ("x.b.example",))
    assert settings.sandbox.allow_network is False
    assert settings.web.allow_private is False
    assert settings.browser.allow_scripts is False
    told = "\n".join(settings.warnings)
    for name in (
        "permissions.allow",
        "egress.mode",
        'egress.domains "d.example"',
        "web.allow_private",
        "browser.allow_scripts",
    ):
        assert name in told


def test_a_project_cannot_switch_the_network_on():
    settings = load(host={"sandbox": {"allow_network": False}}, project={"sandbox": {"allow_network": True}})
    assert settings.sandbox.allow_network is False


@covers("SETTING-04", "SETTING-05")
def test_a_key_of_the_environment_is_a_fallback_and_never_shown():
    environ = {"BRAVE_API_KEY": "brave-key-1234"}
    settings = load(host={"web": {"search_provider": "brave"}}, environ=environ)
    assert settings.web.search_api_key == "brave-key-1234"
    assert settings.to_json()["web"]["search_api_key"] == {"value": "[REDACTED]", "origin": "environment BRAVE_API_KEY"}
    given = load(host={"web": {"search_provider": "brave", "search_api_key": "own-key"}}, environ=environ)
    assert given.web.search_api_key == "own-key"
    assert "brave-key-1234" not in str(given.to_json())


@covers("SETTING-09")
def test_every_table_has_its_documented_keys():
    assert {name: list(table.defaults()) for name, table in TABLES.items()}["sandbox"] == ["allow_network"]
    settings = load()
    assert (settings.web.max_bytes, settings.web.timeout_seconds, settings.web.search_provider) == (
        2097152,
        20,
        "duckduckgo",
    )
    assert (settings.browser.width, settings.browser.height, settings.images.max_bytes) == (1280, 800, 3932160)
    assert (settings.price("google"), settings.price("brave")) == (14.0, 0.0)


@covers("EGRESS-03")
def test_variables_in_egress_domains_are_put_in_and_an_unset_one_is_a_warning():
    settings = load(
        host={"egress": {"mode": "allowlist", "domains": ["$SITES", "${GONE}", "e.example"]}},
        environ={"SITES": "a.example, *.b.example"},
    )
    assert settings.egress.domains == ("a.example", "*.b.example", "e.example")
    assert any("GONE is not set" in warning for warning in settings.warnings)


@covers("EGRESS-04")
def test_production_refuses_an_open_policy():
    with pytest.raises(SettingsError, match="production"):
        load(host={"egress": {"production": True}})


def test_files_that_cannot_be_used_are_named(tmp_path):
    broken = tmp_path / "broken.toml"
    broken.write_text("[web\n")
    for path in (broken, tmp_path / "absent.toml"):
        with pytest.raises(SettingsError) as caught:
            load(config_path=str(path))
        assert str(path) in caught.value.message


def test_settings_cannot_be_changed_in_place():
    with pytest.raises(AttributeError):
        load().web.max_bytes = 5


def test_the_names_of_tools_are_the_contracts():
    assert sorted(TOOL_NAMES) == sorted(tool.name for tool in TOOLS)
