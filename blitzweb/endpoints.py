"""The way to `browser.endpoint`: a devtools websocket, or a Selenium Grid 4 hub that opens one (BROWSER-10).

Both are named by the user's own layer, like a proxy, and dialled as they are. Pages still go where the policy says.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from blitzweb.browser.elsewhere import Control
from blitzweb.browser.switches import FEATURES_OFF, GUARDS, PREFERENCES, QUIET
from blitzweb.errors import BrowserUnavailable, FetchFailed, Refused
from blitzweb.limits import KIB, MIB
from blitzweb.net.dialer import USERS_PROXY
from blitzweb.net.fetch import Fetcher
from blitzweb.net.plan import Plan
from blitzweb.net.tls import TlsContext
from blitzweb.policy.urls import UrlRefused, parse_url
from blitzweb.timing import CancelToken, Deadline

_ADVICE: Final = "write ws://HOST:PORT/devtools/browser/ID, or http://HOST:4444 of a Selenium Grid 4"
_PORTS: Final = {"ws": 80, "wss": 443}
_GRID_SWITCHES: Final = (
    "--headless=new",
    "--disable-gpu",
    "--no-sandbox",  # nodes run in containers, as root
    *(switch for switch in GUARDS if "resolver" not in switch),
    *QUIET,
    f"--disable-features={','.join(FEATURES_OFF)}",
)


class Endpoints:
    """Opens connections to an endpoint; the fetcher is its own, and goes straight to the hub."""

    def __init__(self, fetcher: Fetcher, tls: TlsContext) -> None:
        self._fetcher = fetcher
        self._tls = tls

    def open(self, endpoint: str, deadline: Deadline, cancel: CancelToken) -> Control:
        """Return a connection to the browser at an endpoint.

        Raises:
            BrowserUnavailable: there is none; the text says what the endpoint answered.
        """
        scheme = urlsplit(endpoint).scheme
        if scheme in _PORTS:
            return Control(self._dial(endpoint, deadline, cancel), endpoint, lambda: None)
        if scheme in {"http", "https"}:
            return self._open_grid(endpoint.rstrip("/"), deadline, cancel)
        raise BrowserUnavailable(f'browser.endpoint "{endpoint}" is no websocket and no hub', advice=_ADVICE)

    def _open_grid(self, hub: str, deadline: Deadline, cancel: CancelToken) -> Control:
        """Open a session of the grid, and the websocket that it offers."""
        options = {"args": list(_GRID_SWITCHES), "prefs": _flat(PREFERENCES)}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options}
        session = self._ask(f"{hub}/session", "POST", {"capabilities": {"alwaysMatch": wanted}}, deadline, cancel)
        identity, offered = session.get("sessionId"), session.get("capabilities", {}).get("se:cdp")

        def give_back() -> None:
            self._ask(f"{hub}/session/{identity}", "DELETE", None, Deadline(deadline.seconds), CancelToken())

        if not isinstance(offered, str):
            if identity:
                give_back()
            raise BrowserUnavailable(
                f"the grid at {hub} offers no se:cdp, which drives its browsers",
                advice="it takes a Selenium Grid 4 with Chrome nodes",
            )
        try:
            return Control(self._dial(offered, deadline, cancel), offered, give_back)
        except BaseException:
            give_back()
            raise

    def _dial(self, url: str, deadline: Deadline, cancel: CancelToken) -> socket.socket:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or _PORTS.get(parts.scheme, 0)
        try:
            connected = self._fetcher.dialer.dial(host, port, USERS_PROXY, deadline, cancel)
            return self._tls.get().wrap_socket(connected, server_hostname=host) if parts.scheme == "wss" else connected
        except (FetchFailed, Refused, OSError) as failed:
            raise BrowserUnavailable(f"browser.endpoint {url} cannot be reached: {failed}", advice=_ADVICE) from None

    def _ask(self, url: str, method: str, body: Any, deadline: Deadline, cancel: CancelToken) -> Mapping[str, Any]:
        """Make one request to the hub and return the `value` of its answer."""
        plan = Plan(
            max_bytes=MIB,
            headers={"Content-Type": "application/json; charset=utf-8", "Accept": "application/json"},
            rule=USERS_PROXY,
            method=method,
            body=None if body is None else json.dumps(body).encode(),
            follow=False,
            use_proxy=False,
        )
        try:
            response = self._fetcher.fetch(parse_url(url), plan, deadline=deadline, cancel=cancel, decide_hop=_no_hops)
            value = json.loads(response.body)["value"]
        except (FetchFailed, Refused, UrlRefused) as failed:
            raise BrowserUnavailable(f"the grid at {url} cannot be asked: {failed}", advice=_ADVICE) from None
        except (ValueError, KeyError, TypeError):
            raise BrowserUnavailable(f"the grid at {url} did not answer in JSON", advice=_ADVICE) from None
        if not isinstance(value, dict):
            return {}
        if "error" in value:
            said = str(value.get("message", value["error"])).partition("\n")[0]
            raise BrowserUnavailable(f"the grid at {url} refused: {said[:KIB]}")
        return value


def _no_hops(_approved: object, _target: object) -> None:
    raise Refused("the hub redirects", reason="redirect-host")


def _flat(preferences: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return preferences as chromedriver takes them: dotted names."""
    flat: dict[str, Any] = {}
    for name, value in preferences.items():
        if isinstance(value, Mapping):
            flat.update(_flat(value, f"{prefix}{name}."))
        else:
            flat[f"{prefix}{name}"] = value
    return flat
