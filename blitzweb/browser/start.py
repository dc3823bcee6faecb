"""Starts a Chrome of our own and attaches to it: proxy, process, connection, first tab (WEB-30, WEB-32).

The parts that reach outside are handed in: the proxy that all traffic passes, and how a connection is dialled.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import NamedTuple, Protocol

from blitzweb.browser.chrome import Chrome, View
from blitzweb.browser.client import Client
from blitzweb.browser.failures import BrowserFailure
from blitzweb.browser.pipe import PipeTransport
from blitzweb.browser.process import ChromeProcess
from blitzweb.browser.switches import Launch
from blitzweb.browser.tab import Loads
from blitzweb.browser.transport import Transport, TransportClosed
from blitzweb.browser.troubles import Troubles
from blitzweb.errors import BrowserUnavailable, ToolFailure
from blitzweb.limits import BROWSER_START_SECONDS, CDP_ANSWER_SECONDS
from blitzweb.timing import CancelToken, Deadline


class Proxy(Protocol):
    """The egress proxy of one browser; started when it is handed over."""

    token: str
    port: int

    def close(self) -> None:
        """End it with all that it carries."""
        ...


class Dial(Protocol):
    """Dials the control connection, which goes to an endpoint that is ours or that the user named."""

    def __call__(self, host: str, port: int, deadline: Deadline, cancel: CancelToken) -> socket.socket:
        """Return a connected socket."""
        ...


class Outside(NamedTuple):
    """What a start takes from outside this package."""

    make_proxy: Callable[[], Proxy]
    dial: Dial
    keep_port: Callable[[int], object]  # told the port of CDP, which no page may reach
    free_port: Callable[[int], object]
    complain: Callable[[str], object]
    troubles: Troubles  # what the proxy turns away
    takes_downloads: bool = False


class Launched(NamedTuple):
    """A browser of our own that runs, and all that ends with it; fills the workspace's `Running`."""

    chrome: Chrome
    client: Client
    process: ChromeProcess
    proxy: Proxy
    port: int  # of CDP, 0 where it goes over pipes
    outside: Outside

    @property
    def pid(self) -> int:
        """The browser's process."""
        return self.process.pid

    def close(self, *, gently: bool) -> None:
        """End everything: connection, process and children, profile, proxy."""
        if gently and not self.client.gone:
            self.client.send("Browser.close", {})
        else:
            gently = False
        self.process.end(gently=gently)
        self.client.close()
        self.proxy.close()
        if self.port:
            self.outside.free_port(self.port)


def start(
    launch: Launch,
    outside: Outside,
    loads: Loads,
    deadline: Deadline,
    cancel: CancelToken,
    *,
    on_gone: Callable[[], object],
) -> Launched:
    """Start a browser.

    Raises:
        BrowserUnavailable: it did not come up; nothing is left of it.
        CallCancelled: the call was cancelled meanwhile; likewise.
    """
    limit = deadline.sooner(BROWSER_START_SECONDS)
    proxy = outside.make_proxy()
    try:
        process = ChromeProcess(launch, proxy.port)
    except BaseException:
        proxy.close()
        raise
    client: Client | None = None
    try:
        transport, port = _connect(launch, process, outside, limit, cancel)
        client = Client(transport, on_gone=on_gone, complain=outside.complain)
        client.start()
        view = None if launch.visible else View(launch.width, launch.height)
        chrome = Chrome(
            client,
            process,
            loads=loads,
            token=proxy.token,
            view=view,
            troubles=outside.troubles,
            downloads=process.downloads if outside.takes_downloads else "",
        )
        _attach(chrome, process, limit, cancel)
    except BaseException:
        process.end(gently=False)
        if client is not None:
            client.close()
        proxy.close()
        raise
    return Launched(chrome, client, process, proxy, port, outside)


def _connect(
    launch: Launch, process: ChromeProcess, outside: Outside, limit: Deadline, cancel: CancelToken
) -> tuple[Transport, int]:
    if launch.transport == "pipe":
        return PipeTransport(process.reading, process.writing), 0
    from blitzweb.browser.connection import WebSocketTransport  # its import takes long: Chrome starts meanwhile

    port, path = process.wait_for_endpoint(limit, cancel)
    outside.keep_port(port)
    try:
        connected = outside.dial("127.0.0.1", port, limit, cancel)
        connected.settimeout(min(CDP_ANSWER_SECONDS, limit.remaining()))
        transport = WebSocketTransport(connected, f"ws://127.0.0.1:{port}{path}")
        transport.open()
    except (TransportClosed, ToolFailure) as failed:
        process.check_start(limit, cancel)
        raise BrowserUnavailable(f"the browser does not answer on its port {port} ({failed})") from None
    return transport, port


def _attach(chrome: Chrome, process: ChromeProcess, limit: Deadline, cancel: CancelToken) -> None:
    try:
        chrome.attach(limit, cancel)
    except BrowserFailure:  # the connection ended: Chrome says why better than the socket does
        process.check_start(limit, cancel)
        raise BrowserUnavailable("the browser closed the connection while it started") from None
