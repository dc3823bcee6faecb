"""Chrome's command line and profile preferences: what closes every way around the proxy, and what keeps Chrome quiet.

Each guard was measured to be needed on its own; where versions spell a switch differently, both spellings are given
(WEB-30, WEB-32, EGRESS-06).
"""

from __future__ import annotations

import json
import os
from typing import Any, Final, NamedTuple

from blitzweb.browser.find import Program

# Without one of these, packets leave beside the proxy: loopback and link-local hosts, WebRTC over UDP, the names of
# WebRTC servers, and Chrome's own discovery of cast devices.
GUARDS: Final = (
    "--proxy-bypass-list=<-loopback>",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--host-resolver-rules=MAP * ^NOTFOUND , EXCLUDE 127.0.0.1",
    "--disable-quic",
)
FEATURES_OFF: Final = (
    "MediaRouter",
    "WebRtcHideLocalIpsWithMdns",
    "Translate",
    "OptimizationHints",
    "CertificateTransparencyComponentUpdater",
    "AutofillServerCommunication",
    "InterestFeedContentSuggestions",
    "DestroyProfileOnBrowserClose",
    "GlobalMediaControls",
    "AcceptCHFrame",
    "PaintHolding",
)
QUIET: Final = (
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--component-updater=disable-background-downloads,url-source=http://127.0.0.1:1/",
    "--disable-sync",
    "--gaia-url=http://blitzweb.invalid/",  # asked for an account at every start: the proxy answers that itself
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--metrics-recording-only",
    "--no-pings",
    "--no-service-autorun",
    "--password-store=basic",
    "--use-mock-keychain",
    "--mute-audio",
    "--hide-scrollbars",
    "--disable-hang-monitor",
    "--disable-prompt-on-repost",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-dev-shm-usage",
    "--log-level=3",
)
HEADLESS: Final = ("--headless", "--disable-gpu")
_NO_PREDICTION: Final = 2  # net.network_prediction_options: speculation rules would walk past the navigation guard

PREFERENCES: Final[dict[str, Any]] = {
    "net": {"network_prediction_options": _NO_PREDICTION},
    "safebrowsing": {"enabled": False},
    "search": {"suggest_enabled": False},
    "signin": {"allowed": False},
    "alternate_error_pages": {"enabled": False},
    "browser": {"enable_spellchecking": False},
    "spellcheck": {"use_spelling_service": False},
    "translate": {"enabled": False},
    "credentials_enable_service": False,
    "profile": {"password_manager_enabled": False},
    "webrtc": {"ip_handling_policy": "disable_non_proxied_udp"},
}


class Launch(NamedTuple):
    """What one start of Chrome takes; equal launches can share a browser."""

    program: Program
    transport: str  # "websocket" or "pipe"
    visible: bool
    width: int
    height: int


def write_preferences(profile: str) -> None:
    """Put the preferences into a new profile, before Chrome first reads it."""
    folder = os.path.join(profile, "Default")
    os.mkdir(folder, 0o700)
    with open(os.path.join(folder, "Preferences"), "w", encoding="utf-8") as file:
        json.dump(PREFERENCES, file)


def command_line(launch: Launch, profile: str, proxy_port: int | None) -> list[str]:
    """Return the command: program, switches, and the blank page to start with.

    Without a proxy port nothing at all can be reached: each context then brings a proxy of its own.
    """
    proxy = f"127.0.0.1:{proxy_port or 1}"
    switches = [
        "--remote-debugging-pipe" if launch.transport == "pipe" else "--remote-debugging-port=0",
        f"--user-data-dir={profile}",
        f"--proxy-server=http://{proxy}",
        f"--window-size={launch.width},{launch.height}",
        *GUARDS,
        f"--disable-features={','.join(FEATURES_OFF)}",
        *QUIET,
        *(() if launch.visible else HEADLESS),
        *(("--no-sandbox",) if _needs_no_sandbox() else ()),
    ]
    return [launch.program.path, *switches, "about:blank"]


def _needs_no_sandbox() -> bool:
    """Tell whether Chrome would refuse to start with its sandbox: it does for root."""
    return os.geteuid() == 0
