"""What a request or a handshake says of its client: the era it speaks, its version, and whether it asks its person.

Values only. A request of the modern era says everything in its `_meta`; a legacy client said it once, in `initialize`.
Ids: MCP-01.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

from blitzweb.errors import InvalidParams, ProtocolError

LEGACY_VERSIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN_VERSIONS: Final = ("2026-07-28",)
WITHOUT_FORMS: Final = frozenset(LEGACY_VERSIONS[:2])  # elicitation came with 2025-06-18

_PREFIX: Final = "io.modelcontextprotocol/"
VERSION_KEY: Final = f"{_PREFIX}protocolVersion"
CAPABILITIES_KEY: Final = f"{_PREFIX}clientCapabilities"
SERVER_KEY: Final = f"{_PREFIX}serverInfo"
SUBSCRIPTION_KEY: Final = f"{_PREFIX}subscriptionId"


class UnsupportedVersion(ProtocolError):
    """Raised for a version of the modern era that is not spoken; the code is MCP's own."""

    code = -32022
    reason = "version_not_spoken"


class Era(Enum):
    """How a client says who it is."""

    LEGACY = "once, in `initialize`"
    MODERN = "in every request"


class Client:
    """The client of one request; `asks` tells whether it shows forms to its person."""

    __slots__ = ("asks", "era", "version")

    def __init__(self, era: Era, version: str, *, asks: bool) -> None:
        self.era = era
        self.version = version
        self.asks = asks


def read_meta(params: object) -> Mapping[str, Any]:
    """Return the `_meta` of params; what is none is empty."""
    meta = params.get("_meta") if isinstance(params, Mapping) else None
    return meta if isinstance(meta, Mapping) else {}


def is_modern(params: object) -> bool:
    """Tell whether a request belongs to the modern era: only there is the version in its `_meta`."""
    return VERSION_KEY in read_meta(params)


def read_modern(params: object) -> Client:
    """Return the client of a request of the modern era.

    Raises:
        InvalidParams: what every request must say is missing.
        UnsupportedVersion: it speaks another version.
    """
    meta = read_meta(params)
    version, capabilities = meta.get(VERSION_KEY), meta.get(CAPABILITIES_KEY)
    if not isinstance(version, str):
        raise InvalidParams(f"params._meta.{VERSION_KEY} must be a text", path=f"params._meta.{VERSION_KEY}")
    if version not in MODERN_VERSIONS:
        raise UnsupportedVersion(
            f"MCP version {version[:40]} is not spoken here",
            supported=list(MODERN_VERSIONS),
            requested=version,
        )
    if not isinstance(capabilities, Mapping):
        path = f"params._meta.{CAPABILITIES_KEY}"
        raise InvalidParams(f"{path} must be an object", advice="declare {} if there are none", path=path)
    return Client(Era.MODERN, version, asks=_shows_forms(capabilities))


def read_legacy(params: Mapping[str, Any]) -> Client:
    """Return the client that sent `initialize`, with the version that it is answered.

    Raises:
        InvalidParams: it names no version, or its capabilities are no object.
    """
    wanted, capabilities = params.get("protocolVersion"), params.get("capabilities", {})
    if not isinstance(wanted, str):
        raise InvalidParams("params.protocolVersion must be a text", path="params.protocolVersion")
    if not isinstance(capabilities, Mapping):
        raise InvalidParams("params.capabilities must be an object", path="params.capabilities")
    version = wanted if wanted in LEGACY_VERSIONS else LEGACY_VERSIONS[-1]
    return Client(Era.LEGACY, version, asks=version not in WITHOUT_FORMS and _shows_forms(capabilities))


def _shows_forms(capabilities: Mapping[str, Any]) -> bool:
    """Tell whether forms are among what a client can show; said without any mode, they are."""
    elicitation = capabilities.get("elicitation")
    return isinstance(elicitation, Mapping) and (not elicitation or "form" in elicitation)
