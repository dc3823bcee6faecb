"""Where a value comes from if the settings leave it out: the environment (SETTING-05), and `$VAR` in egress domains."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping

Origin = str
_VARIABLES = {
    "brave": ("BRAVE_API_KEY",),
    "tavily": ("TAVILY_API_KEY",),
    "google": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
}


def find_search_key(provider: str, gemini_key: str, environ: Mapping[str, str]) -> tuple[str, Origin] | None:
    """Return the key of a search provider for which `web.search_api_key` is empty, and where it was found."""
    if provider == "google" and gemini_key:
        return gemini_key, "[llm.gemini] api_key"
    for name in _VARIABLES.get(provider, ()):
        if environ.get(name):
            return environ[name], f"environment {name}"
    return None


def expand_domains(
    domains: tuple[str, ...], environ: Mapping[str, str], warn: Callable[[str], object]
) -> tuple[str, ...]:
    """Return the domains with `$VAR` and `${VAR}` put in, split at commas and trimmed; an unset one is no entry."""
    return tuple(name for entry in domains for name in _expand(entry, environ, warn))


def _expand(entry: str, environ: Mapping[str, str], warn: Callable[[str], object]) -> Iterator[str]:
    text = entry
    if "$" in entry:
        import re

        missing = [name for name in re.findall(r"\$\{?(\w+)", entry) if not environ.get(name)]
        if missing:
            warn(f'egress.domains "{entry}" is no entry: the variable {missing[0]} is not set')
            return
        text = re.sub(r"\$(?:\{(\w+)\}|(\w+))", lambda found: environ[found[1] or found[2]], entry)
    for name in text.split(","):
        if name.strip():
            yield name.strip()


def default_config_path(environ: Mapping[str, str]) -> str:
    """Return the user's settings file: `BLITZWEB_CONFIG`, else the one in the home folder."""
    return environ.get("BLITZWEB_CONFIG") or os.path.expanduser("~/.blitz/config.toml")


def resolve_state_dir(given: str) -> str:
    """Return the folder of all files of ours as an absolute path."""
    return os.path.abspath(os.path.expanduser(given or "~/.blitz"))
