"""Finds the browser: `browser.path`, else the headless shell, else Chrome, Chromium, Edge, Brave (WEB-30)."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from typing import Final, NamedTuple

from blitzweb.errors import BrowserUnavailable

HEADLESS_SHELLS: Final = ("chromium-headless-shell", "chrome-headless-shell", "headless_shell")
CHROMES: Final = (
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "chromium",
    "chromium-browser",
    "microsoft-edge",
    "microsoft-edge-stable",
    "brave-browser",
    "brave",
)
BUNDLES: Final = tuple(
    f"{folder}/{name}.app/Contents/MacOS/{name}"
    for name in ("Google Chrome", "Chromium", "Microsoft Edge", "Brave Browser")
    for folder in ("/Applications", os.path.expanduser("~/Applications"))
)
# Where packages keep the program itself: what is on PATH is often a shell script, which takes 20 to 35 ms to start it.
PROGRAMS: Final = {
    "chromium": ("/usr/lib/chromium/chromium", "/usr/lib64/chromium-browser/chromium-browser"),
    "chromium-headless-shell": ("/usr/lib/chromium/chromium-headless-shell",),
    "google-chrome": ("/opt/google/chrome/chrome",),
    "google-chrome-stable": ("/opt/google/chrome/chrome",),
    "microsoft-edge": ("/opt/microsoft/msedge/msedge",),
    "brave-browser": ("/opt/brave.com/brave/brave",),
}
_ADVICE: Final = (
    "install one (Debian and Ubuntu: apt install chromium-headless-shell, or chromium), or set browser.path"
)


class Program(NamedTuple):
    """The browser to start. `headless_shell` is the variant without windows, which takes fewer switches."""

    path: str
    headless_shell: bool


def find_browser(*, path: str = "", engine: str = "auto", visible: bool = False) -> Program:
    """Return the browser to start.

    Raises:
        BrowserUnavailable: there is none; the text says what was looked for.
    """
    if path:
        return _named(path, visible=visible)
    names = _wanted(engine, visible=visible)
    for name in names:
        if found := _locate(name):
            return Program(found, name in HEADLESS_SHELLS)
    if sys.platform == "darwin" and engine != "headless-shell":
        for bundle in BUNDLES:
            if os.access(bundle, os.X_OK):
                return Program(bundle, headless_shell=False)
    raise BrowserUnavailable(f"no browser was found; looked for {', '.join(names)}", advice=_ADVICE)


def _wanted(engine: str, *, visible: bool) -> tuple[str, ...]:
    if engine == "headless-shell" and visible:
        raise BrowserUnavailable(
            "browser.visible needs a browser with windows, and browser.engine is headless-shell",
            advice='set browser.engine = "auto" or "chrome"',
        )
    if engine == "headless-shell":
        return HEADLESS_SHELLS
    return CHROMES if visible or engine == "chrome" else HEADLESS_SHELLS + CHROMES


def _named(path: str, *, visible: bool) -> Program:
    found = _locate(os.path.expanduser(path))
    if not found:
        raise BrowserUnavailable(f"browser.path {path} is no program that can be started", advice=_ADVICE)
    shell = _is_shell(found)
    if shell and visible:
        raise BrowserUnavailable(
            f"browser.visible needs a browser with windows, and browser.path is a headless shell ({path})",
            advice="set browser.path to chrome or chromium",
        )
    return Program(found, shell)


def _is_shell(path: str) -> bool:
    return "headless" in os.path.basename(path).lower() and "shell" in os.path.basename(path).lower()


def _locate(name: str) -> str:
    """Return the program that a name on PATH stands for, past a package's wrapper script where we know it."""
    found = shutil.which(name)
    if found is None:
        return ""
    return next(iter(_executables(PROGRAMS.get(os.path.basename(name), ()))), found) if "/" not in name else found


def _executables(paths: Iterable[str]) -> Iterable[str]:
    return (path for path in paths if os.access(path, os.X_OK))
