"""What a workspace's own settings may do: narrow, and nothing else (SETTING-03, WEB-38).

More `ask` and `deny` rules, more `deny_output`, fewer egress domains or a stricter mode, no network. Whatever else a
project says is ignored with a warning that names table and key, since a checkout is not the user.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from blitzweb.settings.tables import TABLES
from blitzweb.settings.values import Check, Layer, read_layer

ORIGIN = "project"
_STRICTNESS = TABLES["egress"].CHOICES["mode"]  # from the loosest to the strictest
_ADDED = {("permissions", "ask"), ("permissions", "deny"), ("guard", "deny_output")}


def narrow(
    raw: Mapping[str, Any], effective: Mapping[str, Mapping[str, Any]], checks: Mapping[str, Check]
) -> tuple[Layer, list[str]]:
    """Return the values that the project changes, and a warning for each that it may not.

    `effective` is what holds without the project.

    Raises:
        SettingsError: something that a project may narrow has a wrong value.
    """
    allowed, warnings = _pick(raw)
    layer: Layer = {}
    for table, values in read_layer(allowed, ORIGIN, checks).items():
        for key, value in values.items():
            narrowed = _narrow_value(table, key, value, effective, warnings)
            if narrowed is not None:
                layer.setdefault(table, {})[key] = narrowed
    return _mind_open_list(layer, effective), warnings


def _pick(raw: Mapping[str, Any]) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Split off what a project may not even mention."""
    may = {*_ADDED, ("egress", "mode"), ("egress", "domains"), ("sandbox", "allow_network")}
    picked: dict[str, dict[str, Any]] = {}
    warnings = []
    for table, values in raw.items():
        if not isinstance(values, Mapping):
            warnings.append(_ignored(table))
            continue
        for key, value in values.items():
            if (table, key) in may:
                picked.setdefault(table, {})[key] = value
            else:
                warnings.append(_ignored(f"{table}.{key}"))
    return picked, warnings


def _narrow_value(
    table: str, key: str, value: Any, effective: Mapping[str, Mapping[str, Any]], warnings: list[str]
) -> Any:
    current = effective[table][key]
    if (table, key) in _ADDED:
        return (*current, *(entry for entry in value if entry not in current))
    if (table, key) == ("egress", "domains"):
        return _fewer(value, effective["egress"], warnings)
    looser = value is True if key == "allow_network" else _STRICTNESS.index(value) < _STRICTNESS.index(current)
    if looser:
        warnings.append(_ignored(f"{table}.{key}"))
        return None
    return value


def _fewer(wanted: tuple[str, ...], egress: Mapping[str, Any], warnings: list[str]) -> tuple[str, ...]:
    """Return the domains that the user's own list covers; without a list in force, each one narrows."""
    if egress["mode"] == "open":
        return wanted
    kept = tuple(domain for domain in wanted if any(_covers(other, domain) for other in egress["domains"]))
    warnings.extend(_ignored(f'egress.domains "{domain}"') for domain in wanted if domain not in kept)
    return kept


def _mind_open_list(layer: Layer, effective: Mapping[str, Mapping[str, Any]]) -> Layer:
    """Put a list of domains in force: under mode "open" it would narrow nothing."""
    egress = layer.get("egress", {})
    if "domains" in egress and effective["egress"]["mode"] == "open":
        egress.setdefault("mode", "allowlist")
    return layer


def _covers(pattern: str, domain: str) -> bool:
    return pattern == domain or (pattern.startswith("*.") and domain.endswith(pattern[1:]))


def _ignored(what: str) -> str:
    return f"project settings: {what} is ignored; a project may only narrow what the user allows"
