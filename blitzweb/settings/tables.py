"""Every table and key with its default, its type and what it allows (SETTING-09).

A key's type is its default's: a tuple is a list of texts in TOML and JSON. `RANGES`, `CHOICES` and `NUMBERS` narrow it.
Immutable: a change of settings makes new tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from blitzweb.limits import MAX_SEARCH_RESULTS, MAX_TIMEOUT_MS, MIB

Entry = Mapping[str, Any]  # one entry of guard.deny_output: pattern, action, name?, tools?


class Table:
    """One table; what is not given has its default."""

    RANGES: ClassVar[Mapping[str, tuple[float, float]]] = {}
    CHOICES: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    NUMBERS: ClassVar[frozenset[str]] = frozenset()  # keys that take 1.5 as well as 1
    SECRETS: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, values: Mapping[str, Any] | None = None) -> None:
        self.__dict__.update(values or {})

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be changed; load the settings anew")

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """Return every key with its default, in the order of the documentation."""
        return {name: getattr(cls, name) for name in cls.__annotations__}


class Web(Table):
    """web_fetch, search and what both share."""

    enabled: bool = True
    search_enabled: bool = True
    allow_domains: tuple[str, ...] = ()
    deny_domains: tuple[str, ...] = ()
    allow_private: bool = False
    max_bytes: int = 2 * MIB
    timeout_seconds: float = 20
    search_provider: str = "duckduckgo"
    search_api_key: str = ""
    search_url: str = ""
    search_model: str = ""
    search_max_results: int = 5
    html_parser: str = "auto"

    RANGES = {  # noqa: RUF012 (mypy knows them as ClassVar of Table)
        "max_bytes": (1, 64 * MIB),
        "timeout_seconds": (0.1, MAX_TIMEOUT_MS / 1000),
        "search_max_results": (1, MAX_SEARCH_RESULTS),
    }
    CHOICES = {  # noqa: RUF012
        "search_provider": ("", "duckduckgo", "brave", "tavily", "searxng", "google"),
        "html_parser": ("auto", "html5lib"),
    }
    NUMBERS = frozenset({"timeout_seconds"})
    SECRETS = frozenset({"search_api_key"})


class Browser(Table):
    """The browser and its tools."""

    enabled: bool = True
    path: str = ""
    engine: str = "auto"
    transport: str = "websocket"
    endpoint: str = ""
    endpoint_proxy: str = ""
    endpoint_token_file: str = ""
    visible: bool = False
    allow_local: bool = False
    allow_scripts: bool = False
    allow_sensitive_fill: bool = False
    width: int = 1280
    height: int = 800
    interface: str = "actions"
    prewarm: bool = False
    shared: bool = False
    view: bool = False

    RANGES = {"width": (1, 16_384), "height": (1, 16_384)}  # noqa: RUF012 (the most that Chrome draws)
    CHOICES = {  # noqa: RUF012
        "engine": ("auto", "chrome", "headless-shell"),
        "transport": ("websocket", "pipe"),
        "interface": ("actions", "digest", "both"),
    }


class Pages(Table):
    """Walking pages by reference."""

    approval: str = "ask"

    CHOICES = {"approval": ("ask", "none")}  # noqa: RUF012


class Egress(Table):
    """The operator's fence."""

    mode: str = "open"
    domains: tuple[str, ...] = ()
    production: bool = False

    CHOICES = {"mode": ("open", "allowlist", "deny-all")}  # noqa: RUF012


class Guard(Table):
    """What may not leave a tool."""

    deny_output: tuple[Entry, ...] = (
        {
            "name": "private key",
            "pattern": "-----BEGIN (CERTIFICATE|RSA PRIVATE KEY|EC PRIVATE KEY|PRIVATE KEY)-----",
            "action": "block",
            "tools": ("browser_*",),
        },
        {
            "name": "credential",
            "pattern": r"(?i)\b(api[_-]?key|secret|password|bearer)\b\s*[:=]\s*\S{8,}",
            "action": "redact",
            "tools": ("browser_*",),
        },
    )


class Permissions(Table):
    """Rules."""

    allow: tuple[str, ...] = ()
    ask: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()


class Sandbox(Table):
    """What the whole program may do."""

    allow_network: bool = True


class Network(Table):
    """Our own requests."""

    ca_file: str = ""


class SearchPricing(Table):
    """The price of one provider."""

    per_1k_queries: float = 0

    RANGES = {"per_1k_queries": (0, 1_000_000)}  # noqa: RUF012
    NUMBERS = frozenset({"per_1k_queries"})


class GooglePricing(SearchPricing):
    """Google's published rate past the free tier (WEB-15)."""

    per_1k_queries: float = 14.0


class Images(Table):
    """The image store."""

    enabled: bool = True
    max_dimension: int = 1568
    max_bytes: int = 3_932_160
    retain_days: int = 30

    RANGES = {  # noqa: RUF012
        "max_dimension": (1, 16_384),
        "max_bytes": (1, 64 * MIB),
        "retain_days": (0, 36_500),
    }


class Walkthrough(Table):
    """Recorded walkthroughs; an empty folder means `state_dir`/walkthroughs."""

    dir: str = ""


class Audit(Table):
    """The record of decisions."""

    file: bool = True


class LogTable(Table):
    """The log."""

    level: str = "info"
    file: str = ""

    CHOICES = {"level": ("debug", "info", "warning", "error")}  # noqa: RUF012


class Files(Table):
    """Folders that uploads come from and downloads go to; empty means refused."""

    upload_dirs: tuple[str, ...] = ()
    download_dir: str = ""


class Gemini(Table):
    """Read for the google provider only (WEB-10)."""

    api_key: str = ""
    model: str = ""

    SECRETS = frozenset({"api_key"})


TABLES: Final[Mapping[str, type[Table]]] = {
    "web": Web,
    "browser": Browser,
    "pages": Pages,
    "egress": Egress,
    "guard": Guard,
    "permissions": Permissions,
    "sandbox": Sandbox,
    "network": Network,
    "images": Images,
    "walkthrough": Walkthrough,
    "audit": Audit,
    "log": LogTable,
    "files": Files,
    "llm.gemini": Gemini,
    "search_pricing.google": GooglePricing,
}
PRICING: Final = "search_pricing."
NESTED: Final = ("llm", "search_pricing")  # tables of tables


def table_class(name: str) -> type[Table] | None:
    """Return the class of a table; every provider may have a price."""
    return TABLES.get(name) or (SearchPricing if name.startswith(PRICING) else None)
