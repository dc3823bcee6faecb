"""The layers put together: one immutable `Settings`, in which each value knows where it comes from (SETTING-01)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from blitzweb.errors import SettingsError
from blitzweb.masking import REDACTED
from blitzweb.settings import tables
from blitzweb.settings.fallbacks import default_config_path, expand_domains, find_search_key
from blitzweb.settings.project import ORIGIN, narrow
from blitzweb.settings.tables import PRICING, TABLES, Table, table_class
from blitzweb.settings.values import Check, Layer, read_layer


class Settings:
    """What holds. `warnings` says what was ignored and why; `config_file` is the file that was read, if any."""

    web: tables.Web
    browser: tables.Browser
    pages: tables.Pages
    egress: tables.Egress
    guard: tables.Guard
    permissions: tables.Permissions
    sandbox: tables.Sandbox
    network: tables.Network
    images: tables.Images
    walkthrough: tables.Walkthrough
    audit: tables.Audit
    log: tables.LogTable
    files: tables.Files
    gemini: tables.Gemini

    def __init__(
        self, values: Layer, origins: Mapping[str, str], warnings: tuple[str, ...] = (), config_file: str = ""
    ) -> None:
        self._tables: dict[str, Table] = {}
        for name, given in values.items():
            self._tables[name] = table = _class_of(name)(given)
            setattr(self, name.rpartition(".")[2] if name.startswith("llm.") else name, table)
        self._origins = origins
        self.warnings = warnings
        self.config_file = config_file

    def origin(self, path: str) -> str:
        """Return the layer that `TABLE.KEY` comes from."""
        return self._origins.get(path, "default")

    def price(self, provider: str) -> float:
        """Return the price in US dollars of 1,000 queries (WEB-15)."""
        table = self._tables.get(PRICING + provider)
        return table.per_1k_queries if isinstance(table, tables.SearchPricing) else 0.0

    @property
    def secrets(self) -> tuple[str, ...]:
        """The configured keys, for masking."""
        return tuple(
            value for table in self._tables.values() for key in table.SECRETS if (value := getattr(table, key))
        )

    def to_json(self) -> dict[str, dict[str, Any]]:
        """Return every value with its origin, secrets masked (SETTING-04)."""
        return {
            name: {
                key: {"value": _shown(table, key), "origin": self.origin(f"{name}.{key}")}
                for key in _class_of(name).defaults()
            }
            for name, table in self._tables.items()
        }


def load_settings(
    *,
    config_path: str = "",
    flags: Mapping[str, Any] | None = None,
    host: Mapping[str, Any] | None = None,
    project: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] | None = None,
    checks: Mapping[str, Check] | None = None,
) -> Settings:
    """Read and merge all layers.

    `checks` maps `TABLE.KEY` to a function that raises SettingsError for a value that the parts above do not take.

    Raises:
        SettingsError: something does not fit; the message names layer, table, key and what is allowed.
    """
    environ = os.environ if environ is None else environ
    merging = _Merging(environ, checks or {})
    path = config_path or default_config_path(environ)
    user = _read_file(path, required=bool(config_path or environ.get("BLITZWEB_CONFIG")))
    if user is not None:
        merging.add(user, f"file {path}")
    merging.add(flags or {}, "flags")
    merging.add(host or {}, "initialize")
    merging.narrow(project or {})
    return merging.finish("" if user is None else path)


class _Merging:
    """The layers so far; a later one wins, key by key."""

    def __init__(self, environ: Mapping[str, str], checks: Mapping[str, Check]) -> None:
        self._environ = environ
        self._checks = checks
        self._values: Layer = {name: table.defaults() for name, table in TABLES.items()}
        self._origins: dict[str, str] = {}
        self._warnings: list[str] = []

    def add(self, raw: Mapping[str, Any], origin: str) -> None:
        """Lay a layer over the others."""
        self._put(read_layer(raw, origin, self._checks), origin)

    def narrow(self, raw: Mapping[str, Any]) -> None:
        """Apply what a project may narrow."""
        self._expand_domains()
        layer, warnings = narrow(raw, self._values, self._checks)
        self._put(layer, ORIGIN)
        self._warnings += warnings
        self._expand_domains()

    def finish(self, config_file: str) -> Settings:
        """Return what holds."""
        egress = self._values["egress"]
        if egress["production"] and egress["mode"] == "open":
            raise SettingsError(
                'egress.production = true refuses egress.mode = "open"',
                advice='set egress.mode = "allowlist" and egress.domains, or "deny-all"',
            )
        self._find_key()
        return Settings(self._values, self._origins, tuple(dict.fromkeys(self._warnings)), config_file)

    def _put(self, layer: Layer, origin: str) -> None:
        for name, values in layer.items():
            self._values.setdefault(name, _class_of(name).defaults()).update(values)
            self._origins.update((f"{name}.{key}", origin) for key in values)

    def _expand_domains(self) -> None:
        egress = self._values["egress"]
        egress["domains"] = expand_domains(egress["domains"], self._environ, self._warnings.append)

    def _find_key(self) -> None:
        web = self._values["web"]
        if web["search_api_key"]:
            return
        found = find_search_key(web["search_provider"], self._values["llm.gemini"]["api_key"], self._environ)
        if found:
            web["search_api_key"], self._origins["web.search_api_key"] = found


def _class_of(name: str) -> type[Table]:
    table = table_class(name)
    if table is None:  # read_layer lets no other name through
        raise KeyError(name)
    return table


def _shown(table: Table, key: str) -> Any:
    value = getattr(table, key)
    if key in table.SECRETS and value:
        return REDACTED
    return list(value) if isinstance(value, tuple) else value


def _read_file(path: str, *, required: bool) -> dict[str, Any] | None:
    """Return the user's TOML; `None` where there is no file and none was asked for by name."""
    try:
        with open(path, "rb") as file:
            import tomllib

            return tomllib.load(file)
    except FileNotFoundError:
        if not required:
            return None
        raise SettingsError(f"there is no settings file {path}", advice="give another --config, or create it") from None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise SettingsError(f"the settings file {path} cannot be read: {reason}") from None
    except ValueError as error:  # tomllib's, which says line and column
        raise SettingsError(f"the settings file {path} is no TOML: {error}") from None
