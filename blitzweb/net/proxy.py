"""What a proxy of the environment is told: its credentials, and which host to open a tunnel to (FETCH-11).

The user named the proxy, so that it is dialled unchecked; what it answers is read as strictly as any other answer.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping

from blitzweb.errors import FetchFailed
from blitzweb.net.failures import FOREIGN, Phase, map_failure
from blitzweb.net.strict_response import StrictResponse
from blitzweb.net.tcp import Stream, shut_down
from blitzweb.net.timed_socket import Clock, TimedSocket
from blitzweb.policy.routes import Direct, Route, Via
from blitzweb.policy.urls import Url


def proxy_headers(route: Route) -> Mapping[str, str]:
    """Return what goes to the proxy and nobody else."""
    if isinstance(route, Direct) or route.user is None:
        return {}
    credentials = f"{route.user}:{route.password or ''}".encode()
    return {"Proxy-Authorization": f"Basic {base64.b64encode(credentials).decode()}"}


def request_target(url: Url, route: Route) -> str:
    """Return what the request line names: the path, or for a proxy of plain http the whole URL."""
    through_proxy = isinstance(route, Via) and url.scheme == "http"
    return url.without_fragment if through_proxy else url.target


def open_tunnel(stream: Stream, proxy: Via, host: str, port: int, clock: Clock) -> None:
    """Have the proxy connect to a host; afterwards the stream is the host's. It is closed if that fails.

    Raises:
        FetchFailed: the proxy did not; phase "connect".
        CallCancelled: the call was cancelled meanwhile.
    """
    authority = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    lines = [f"CONNECT {authority} HTTP/1.1", f"Host: {authority}"]
    lines += [f"{name}: {value}" for name, value in proxy_headers(proxy).items()]
    try:
        with clock.cancel.stopping(lambda: shut_down(stream)):
            status = _ask(TimedSocket(stream, clock), "\r\n".join([*lines, "", ""]).encode("ascii"))
        if not 200 <= status < 300:  # noqa: PLR2004
            raise _refused_by(proxy, status, authority)
    except FOREIGN as error:
        stream.close()
        clock.cancel.check()
        raise map_failure(error, Phase.CONNECT, f"the proxy {proxy.href}", clock.deadline.seconds) from None


def _ask(timed: TimedSocket, request: bytes) -> int:
    """Return the status of the proxy's answer. Nothing follows its head: in TLS it is we who speak first."""
    timed.sendall(request)
    answer = StrictResponse(timed, method="CONNECT")
    answer.begin()
    status: int = answer.status
    answer.fp.close()
    return status


def _refused_by(proxy: Via, status: int, authority: str) -> FetchFailed:
    advice = (
        f"put the user and password of the proxy into {proxy.variable}"
        if status == 407  # noqa: PLR2004
        else f"ask who runs the proxy, or list the host in NO_PROXY, or mend {proxy.variable}"
    )
    text = f"the proxy {proxy.href} answered HTTP {status} to CONNECT {authority} ({Phase.CONNECT})"
    return FetchFailed(text, phase=Phase.CONNECT, advice=advice)
