"""Which tools an allow-list leaves, by name alone: `initialize` tells the names before anything heavy is loaded.

Ids: PAGE-05, PAGE-09, SETTING-10.
"""

from __future__ import annotations

from collections.abc import Iterable

SELECTOR = "web_search"  # stands for all four of them: allowed together, denied together
SELECTED_TOGETHER = ("web_search", "web_open", "web_find", "web_click")

DIGEST_TOOLS = (
    "browser_navigate",
    "browser_state",
    "browser_click",
    "browser_fill",
    "browser_extract",
    "browser_screenshot",
    "browser_find",
)


def browser_tools(interface: str) -> tuple[str, ...]:
    """Return the tools that `browser.interface` puts on offer: "actions", "digest" or "both"."""
    actions = () if interface == "digest" else ("browser",)
    return actions if interface == "actions" else actions + DIGEST_TOOLS


def allows(name: str, allowed: Iterable[str] | None) -> bool:
    """Tell whether an allow-list (`None`: there is none) leaves a tool."""
    return allowed is None or (SELECTOR if name in SELECTED_TOGETHER else name) in allowed
