"""The operator's fence, `[egress]`: which hosts may be reached at all.

It narrows and never grants: a host that it lets through is still decided like any other. A domain is exact, or `*.x`
for the names below `x` alone; ports are ignored, addresses match as written, loopback is never implied.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum

from blitzweb.errors import SettingsError
from blitzweb.policy.hosts import HostList

_WITH_PORT = re.compile(r"(\[[^\[\]]*\]|[^\[\]:]*)(?::[0-9*]*)?")


class EgressMode(StrEnum):
    """What the fence does."""

    OPEN = "open"
    ALLOWLIST = "allowlist"
    DENY_ALL = "deny-all"


class Egress:
    """The fence, compiled."""

    __slots__ = ("_domains", "_mode")

    def __init__(self, mode: EgressMode = EgressMode.OPEN, domains: HostList | None = None) -> None:
        self._mode = mode
        self._domains = domains or HostList()

    @classmethod
    def compile(cls, mode: str, domains: Iterable[str]) -> Egress:
        """Read the settings `egress.mode` and `egress.domains`.

        Raises:
            SettingsError: the mode does not exist, or a domain is no pattern of hosts.
        """
        if mode not in list(EgressMode):
            raise SettingsError(f'egress.mode is "{mode}"; allowed are {", ".join(EgressMode)}')
        return cls(EgressMode(mode), HostList.compile("egress.domains", [_without_port(text) for text in domains]))

    def refusal(self, host: str, *, implied: bool = False) -> str | None:
        """Return why a canonical host may not be reached, or `None`; an `implied` host is on the list unwritten."""
        if self._mode is EgressMode.OPEN:
            return None
        if self._mode is EgressMode.DENY_ALL:
            return f'{host} may not be reached: egress.mode is "{EgressMode.DENY_ALL}"'
        if implied or self._domains.find(host, bare_domain=False):
            return None
        return f'{host} is not in egress.domains, and egress.mode is "{EgressMode.ALLOWLIST}"'


def _without_port(text: str) -> str:
    """Return a domain without its port, and an IPv6 address without its brackets."""
    found = _WITH_PORT.fullmatch(text.strip())
    if not found:
        return text
    host = found.group(1)
    return host[1:-1] if host.startswith("[") else host
