"""What is wrong with this machine and the settings, and how to mend it (WIRE-36)."""

from __future__ import annotations

import json
import os
import ssl
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from blitzweb.approval.saved import SavedRules
from blitzweb.browser.health import look
from blitzweb.checks import CHECKS
from blitzweb.contract.codec import encode
from blitzweb.contract.upkeep import DoctorCheck
from blitzweb.errors import BlitzwebError, BrowserUnavailable, StateError
from blitzweb.flags import read_flags
from blitzweb.masking import Masker
from blitzweb.net.fetch import Fetcher
from blitzweb.net.tls import TlsContext, make_context
from blitzweb.net.tls import why_unusable as why_no_authorities
from blitzweb.policy.context import CallContext
from blitzweb.policy.decide import Policy
from blitzweb.policy.egress import Egress
from blitzweb.policy.searches import refuse_user_search
from blitzweb.search.engine import Caller, Surroundings
from blitzweb.search.making import make_search
from blitzweb.search.usable import is_offered, is_wanted, why_unusable
from blitzweb.settings import Settings, load_settings
from blitzweb.settings.fallbacks import resolve_state_dir
from blitzweb.timing import CancelToken, Deadline

USAGE = """\
usage: blitzweb doctor [--json] [--online] [--config FILE] [--state-dir DIR] [--set TABLE.KEY=VALUE]

Check this machine and the settings. Exit code 1 if something has to be mended.
  --json      the findings as JSON
  --online    also make one real search with the chosen provider, and try ways around the browser's proxy
"""
Trial = Callable[[Settings], DoctorCheck]  # what is tried for real, by parts above this one
_TRIAL_QUERY = "Wikipedia"  # finds something everywhere
_MARKS = {"ok": "ok  ", "warn": "WARN", "fail": "FAIL"}


def main(words: list[str], trials: Sequence[Trial] = ()) -> int:
    """Run the checks from the command line, with `--online` the trials too; return the exit code."""
    if "--help" in words or "-h" in words:
        sys.stdout.write(USAGE)
        return 0
    flags = read_flags([word for word in words if word not in {"--json", "--online"}])
    try:
        settings = load_settings(config_path=flags.config, flags=flags.settings, checks=CHECKS)
        state_dir = resolve_state_dir(flags.state_dir)
        findings = run_checks(settings, state_dir, os.environ, online="--online" in words, trials=trials)
    except BlitzwebError as error:
        findings = [DoctorCheck(id="settings", status="fail", summary=error.message, advice=error.advice or None)]
    text = json.dumps(encode(tuple(findings)), ensure_ascii=False, indent=2) if "--json" in words else _render(findings)
    sys.stdout.write(text + "\n")
    return int(any(finding.status == "fail" for finding in findings))


def run_checks(
    settings: Settings,
    state_dir: str,
    environ: Mapping[str, str],
    *,
    online: bool = False,
    trials: Sequence[Trial] = (),
) -> list[DoctorCheck]:
    """Return the findings, in stable order."""
    return [
        *_check_settings(settings),
        _check_state_dir(state_dir),
        _check_approvals(state_dir),
        *_check_network(settings, environ),
        _check_tls(settings),
        _check_parser(settings),
        _check_search(settings, environ),
        *_check_browser(settings),
        *([_try_search(settings, environ)] if online and is_offered(settings, environ) else []),
        *([trial(settings) for trial in trials] if online else []),
    ]


def _check_browser(settings: Settings) -> Iterator[DoctorCheck]:
    """Tell which browser would be started, and who could drive it beside us."""
    wanted = settings.browser
    if not (settings.web.enabled and wanted.enabled):
        yield DoctorCheck(id="browser", status="ok", summary="the browser is off (browser.enabled = false)")
        return
    try:
        health = look(path=wanted.path, engine=wanted.engine, visible=wanted.visible)
    except BrowserUnavailable as missing:
        yield DoctorCheck(id="browser", status="warn", summary=missing.message, advice=missing.advice or None)
        return
    if not health.version:
        summary = f"the browser {health.path} does not say its version: it may not start"
        yield DoctorCheck(id="browser", status="warn", summary=summary, advice="run it with --version to see why")
        return
    yield DoctorCheck(id="browser", status="ok", summary=f"browser: {health.version} ({health.path})")
    if wanted.transport == "websocket":
        summary = "while a browser runs, other programs on this machine could attach to it"
        advice = 'set browser.transport = "pipe" on a machine that has other users'
        yield DoctorCheck(id="browser.transport", status="warn", summary=summary, advice=advice)


def _check_settings(settings: Settings) -> Iterator[DoctorCheck]:
    source = settings.config_file or "no file; the defaults hold"
    yield DoctorCheck(id="settings", status="ok", summary=f"settings: {source}")
    for warning in settings.warnings:
        yield DoctorCheck(id="settings", status="warn", summary=warning)


def _check_state_dir(state_dir: str) -> DoctorCheck:
    existing = state_dir
    while not os.path.isdir(existing):
        existing = os.path.dirname(existing)
    if not os.access(existing, os.W_OK | os.X_OK):
        return DoctorCheck(
            id="state_dir",
            status="fail",
            summary=f"{existing} cannot be written",
            advice="give another folder with --state-dir, or initialize.state_dir",
        )
    if existing == state_dir and os.stat(state_dir).st_mode & 0o077:
        return DoctorCheck(
            id="state_dir",
            status="warn",
            summary=f"{state_dir} can be read by other users",
            advice=f"chmod 700 {state_dir}",
        )
    return DoctorCheck(id="state_dir", status="ok", summary=f"state: {state_dir}")


def _check_approvals(state_dir: str) -> DoctorCheck:
    try:
        count = len(SavedRules(state_dir).read())
    except StateError as error:
        return DoctorCheck(id="approvals", status="fail", summary=error.message, advice=error.advice)
    return DoctorCheck(id="approvals", status="ok", summary=f'{count} approved "always" (`blitzweb approvals`)')


def _check_network(settings: Settings, environ: Mapping[str, str]) -> Iterator[DoctorCheck]:
    if not settings.sandbox.allow_network:
        yield DoctorCheck(
            id="network",
            status="warn",
            summary="network access is disabled",
            advice="sandbox.allow_network = true allows it",
        )
    for scheme in ("http", "https"):
        variable = f"{scheme}_proxy" if f"{scheme}_proxy" in environ else f"{scheme.upper()}_PROXY"
        if environ.get(variable):
            summary = f"{scheme} requests go through the proxy that {variable} names"
            yield DoctorCheck(id="proxy", status="ok", summary=summary)


def _check_tls(settings: Settings) -> DoctorCheck:
    ca_file = settings.network.ca_file
    why = why_no_authorities(ca_file) if ca_file else None
    if why:
        return DoctorCheck(
            id="tls",
            status="warn",
            summary=f"network.ca_file {ca_file} is not used: {why}",
            advice="give a PEM file, or leave it empty",
        )
    roots = make_context(ca_file).cert_store_stats()["x509_ca"]
    paths = ssl.get_default_verify_paths()
    if not roots and not os.path.isdir(paths.capath or ""):
        return DoctorCheck(
            id="tls",
            status="fail",
            summary="this system has no certificate authorities, so that no https site can be read",
            advice="install the system's ca-certificates package",
        )
    return DoctorCheck(id="tls", status="ok", summary=f"{ssl.OPENSSL_VERSION}, {roots} certificate authorities")


def _check_parser(settings: Settings) -> DoctorCheck:
    from importlib.metadata import PackageNotFoundError, version

    try:
        fast = version("selectolax")
    except PackageNotFoundError:
        return DoctorCheck(
            id="html_parser",
            status="warn",
            summary="the fast HTML parser is not installed; html5lib is used",
            advice="pip install selectolax",
        )
    chosen = "html5lib" if settings.web.html_parser == "html5lib" else f"selectolax {fast}"
    return DoctorCheck(id="html_parser", status="ok", summary=f"HTML is parsed by {chosen}")


def _check_search(settings: Settings, environ: Mapping[str, str]) -> DoctorCheck:
    if not is_wanted(settings):
        return DoctorCheck(id="search", status="ok", summary="web_search is turned off by the settings")
    unusable = why_unusable(settings, environ)
    if unusable is not None:
        summary = f"web_search is not on offer: {unusable.problem}"
        return DoctorCheck(id="search", status="fail", summary=summary, advice=unusable.advice)
    return DoctorCheck(id="search", status="ok", summary=f"searches go to {settings.web.search_provider}")


def _try_search(settings: Settings, environ: Mapping[str, str]) -> DoctorCheck:
    """Make one real search, as web_search makes it."""
    details: list[str] = []
    fetcher = Fetcher(tls=TlsContext(settings.network.ca_file), environ=environ)
    policy = Policy(egress=Egress.compile(settings.egress.mode, settings.egress.domains))
    mask = Masker(settings.secrets, environ).mask
    search = make_search(settings, Surroundings(fetcher, policy, mask, details.append, lambda _usage: None))
    caller = Caller(CallContext(), Deadline(2 * settings.web.timeout_seconds), CancelToken(), lambda _phase: None)
    name = settings.web.search_provider
    try:
        if refusal := refuse_user_search(policy, name, search.host, caller.context):
            return DoctorCheck(id="search_online", status="fail", summary=refusal.text)
        found = search.find(_TRIAL_QUERY, 1, caller)
    except BlitzwebError as error:
        summary = mask("; ".join([error.message, *details]))
        return DoctorCheck(id="search_online", status="fail", summary=summary, advice=error.advice or None)
    finally:
        fetcher.close()
    status: Literal["ok", "warn"] = "ok" if found.results else "warn"
    summary = f"{name} answered a search in {caller.deadline.stopwatch.elapsed():.1f} s"
    return DoctorCheck(id="search_online", status=status, summary=summary if found.results else f"{summary}: no result")


def _render(findings: list[DoctorCheck]) -> str:
    lines = []
    for finding in findings:
        lines.append(f"{_MARKS[finding.status]}  {finding.summary}")
        if finding.advice:
            lines.append(f"      {finding.advice}")
    return "\n".join(lines)
