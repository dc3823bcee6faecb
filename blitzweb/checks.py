"""What the parts above the settings take: each pattern and rule is compiled when the settings are read (SETTING-02)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

# Every tool's name, for bare rules. The contract's own list would be too much for the start; a test compares them.
TOOL_NAMES: Final = (
    "web_fetch",
    *("web_search", "web_open", "web_find", "web_click"),
    "browser",
    *("browser_navigate", "browser_state", "browser_click", "browser_fill"),
    *("browser_extract", "browser_screenshot", "browser_find"),
)


def _check_hosts(key: str) -> Callable[[Any], object]:
    def check(texts: Any) -> None:
        if texts:
            from blitzweb.policy.hosts import HostList

            HostList.compile(key, texts)

    return check


def _check_rules(kind: str) -> Callable[[Any], object]:
    def check(texts: Any) -> None:
        if texts:
            from blitzweb.policy.permissions import Rules

            Rules.compile(**{kind: texts}, tools=TOOL_NAMES)

    return check


def _check_guard(entries: Any) -> None:
    if entries:
        from blitzweb.policy.output_guard import OutputGuards

        OutputGuards.compile(entries)


CHECKS: Final[Mapping[str, Callable[[Any], object]]] = {
    "guard.deny_output": _check_guard,
    "web.allow_domains": _check_hosts("web.allow_domains"),
    "web.deny_domains": _check_hosts("web.deny_domains"),
    "permissions.allow": _check_rules("allow"),
    "permissions.ask": _check_rules("ask"),
    "permissions.deny": _check_rules("deny"),
}
