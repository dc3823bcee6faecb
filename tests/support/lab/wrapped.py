"""A browser that is started with other switches than the product's: a script in its place, named in `browser.path`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

import psutil

from blitzweb.browser.find import find_browser
from tests.support.lab.daemon import Daemon
from tests.support.lab.vectors import PAGES

# The lab's authority is nobody's, and the browser takes no file for it.
_TRUSTING = "--ignore-certificate-errors"
PREFERENCES = "preferences"
# The product's own proxy for the pages alone, and the network for everything else.
_HOSTS = "||".join(f"h=='{host}'" for host, _address in PAGES.values())
_SCRIPTED = f"data:,function FindProxyForURL(u,h){{return {_HOSTS}?'PROXY ${{each##*/}}':'DIRECT'}}"
UNGUARDED = (
    *("--proxy-bypass-list", "--webrtc-ip", "--force-webrtc", "--host-resolver-rules", "--disable-quic"),
    *("--disable-features", PREFERENCES),
)


def wrap_browser(
    folder: Path, engine: str, *, drop: Sequence[str] = (), features: Sequence[str] = (), direct: bool = False
) -> Path:
    """Write the script, and return its path.

    The browser lacks the switches that begin with one of `drop` (which may hold `PREFERENCES`), has `features` on
    again, and goes past the proxy to all but the pages if `direct`.
    """
    program = find_browser(engine=engine)
    script = folder / ("chrome-headless-shell" if program.headless_shell else "chrome")
    cases = [f"{shlex.quote(each)}*) continue;;" for each in drop]
    if PREFERENCES in drop:
        cases.append('--user-data-dir=*) rm "${each#*=}/Default/Preferences";;')
    if direct:
        cases.append(f'--proxy-server=*) each="--proxy-pac-url={_SCRIPTED}";;')
    if features:
        edits = " ".join(f"-e s/{each}/Nothing/" for each in features)
        cases.append(f'--disable-features=*) each=$(echo "$each" | sed {edits});;')
    loop = ["for each do", "shift", 'case "$each" in', *cases, "esac", 'set -- "$@" "$each"', "done"]
    lines = ["#!/bin/sh", *loop, f'exec {shlex.quote(program.path)} {_TRUSTING} "$@"', ""]
    script.write_text("\n".join(lines), encoding="utf-8")
    script.chmod(0o700)
    return script


def proxy_port(daemon: Daemon) -> int:
    """Return the port of the proxy that the daemon's browser was started with."""
    (browser,) = daemon.ask("$/status")["browsers"]
    return int(
        re.search(r"(?:http://|PROXY )127\.0\.0\.1:(\d+)", " ".join(psutil.Process(browser["pid"]).cmdline()))[1]
    )
