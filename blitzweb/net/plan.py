"""What is asked of the fetcher, and what it hands back; values only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from blitzweb.limits import MAX_HEADER_BYTES, MAX_REDIRECTS, TLS_SECONDS
from blitzweb.net.dialer import ANY_PUBLIC, AddressRule
from blitzweb.policy.urls import Url

Admit = Callable[[int, Mapping[str, str]], object]
"""Sees status and headers of every response, redirects too, before its body is read; raises a ToolFailure to refuse."""

DecideHop = Callable[[Url, Url], object]
"""Sees the last approved URL and the target of its redirect, before any look-up; raises Refused to stop."""


class Plan(NamedTuple):
    """How a request is made; the defaults are web_fetch's. Only a GET is ever sent a second time."""

    max_bytes: int
    headers: Mapping[str, str]
    rule: AddressRule = ANY_PUBLIC
    method: str = "GET"
    body: bytes | None = None
    max_redirects: int = MAX_REDIRECTS
    follow: bool = True
    keep_alive: bool = True
    use_proxy: bool = True
    decode: bool = True  # False: encoded bodies are not asked for, and refused
    admit: Admit | None = None
    header_seconds: float = float("inf")
    tls_seconds: float = TLS_SECONDS
    header_bytes: int = MAX_HEADER_BYTES


class Response(NamedTuple):
    """What came: header names in lower case, values of one name joined by ", "."""

    url: Url
    status: int
    headers: Mapping[str, str]
    body: bytes
    truncated: bool
    hops: tuple[Url, ...] = ()  # every URL on the way, the first one included
