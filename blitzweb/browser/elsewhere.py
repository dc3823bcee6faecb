"""Attaches to a Chrome that runs elsewhere: only in a context of our own, behind a proxy seen at work (BROWSER-10).

Its other pages are nobody's business: what is not in our context is let go at once. How the other Chrome was started is
out of our hands, so that what needs switches (WebRTC, its own requests) is only held where those were given.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Final, NamedTuple

from blitzweb.browser.chrome import Chrome, View
from blitzweb.browser.client import Client
from blitzweb.browser.doing import Doing
from blitzweb.browser.failures import BrowserFailure
from blitzweb.browser.loading import navigate
from blitzweb.browser.session import Session
from blitzweb.browser.start import Proxy
from blitzweb.browser.tab import Loads
from blitzweb.browser.transport import TransportClosed
from blitzweb.browser.troubles import Troubles
from blitzweb.errors import BrowserUnavailable, ToolFailure
from blitzweb.limits import BROWSER_START_SECONDS, CDP_ANSWER_SECONDS
from blitzweb.policy.verdicts import Verdict
from blitzweb.timing import CancelToken, Deadline

PROBE_URL: Final = "http://blitzweb.invalid/"  # the proxy answers it itself, to its token alone
PROBE_TITLE: Final = "blitzweb egress"


class Control(NamedTuple):
    """The way to the other Chrome: a connection that was dialled, the websocket's URL, and how to give it back."""

    connected: socket.socket
    url: str
    give_back: Callable[[], object]


class Surroundings(NamedTuple):
    """What an attachment takes beside the connection."""

    proxy: Proxy  # `address` is where the other Chrome reaches it
    address: str
    loads: Loads
    troubles: Troubles
    view: View
    complain: Callable[[str], object]


class Borrowed:
    """A context in a Chrome elsewhere; fills the workspace's `Running`."""

    pid = 0  # the process is another machine's

    def __init__(self, chrome: Chrome, client: Client, around: Surroundings, give_back: Callable[[], object]) -> None:
        self.chrome = chrome
        self.client = client
        self._around = around
        self._give_back = give_back

    def close(self, *, gently: bool) -> None:
        """Dispose of the context with its pages, and give the browser back."""
        if not self.client.gone:
            disposed = self.client.send("Target.disposeBrowserContext", {"browserContextId": self.chrome.context})
            if gently:
                try:
                    disposed.wait(Deadline(CDP_ANSWER_SECONDS))
                except BrowserFailure as failed:
                    self._around.complain(f"the context at browser.endpoint was not disposed of: {failed.message}")
        self.client.close()
        self._give_back()
        self._around.proxy.close()


class _Probing:
    """Lets the probe page pass; everything else is decided as ever."""

    def __init__(self, loads: Loads) -> None:
        self._loads = loads

    def decide(self, current_host: str, url: str, method: str) -> Verdict | None:
        """Return what the page may do."""
        return None if url == PROBE_URL else self._loads.decide(current_host, url, method)


def attach(
    control: Control, around: Surroundings, deadline: Deadline, cancel: CancelToken, *, on_gone: Callable[[], object]
) -> Borrowed:
    """Attach, and see the proxy at work.

    Raises:
        BrowserUnavailable: it does not answer, or its pages do not go through our proxy; nothing is left there.
    """
    limit = deadline.sooner(BROWSER_START_SECONDS)
    client = _open(control, around, limit, on_gone)
    borrowed: Borrowed | None = None
    try:
        context = Session(client).call(
            "Target.createBrowserContext",
            limit,
            proxyServer=f"http://{around.address}",
            proxyBypassList="<-loopback>",
            disposeOnDetach=True,
        )["browserContextId"]
        chrome = Chrome(
            client,
            None,
            loads=_Probing(around.loads),
            token=around.proxy.token,
            view=around.view,
            troubles=around.troubles,
            context=str(context),
        )
        borrowed = Borrowed(chrome, client, around, control.give_back)
        chrome.attach(limit, cancel)
        _see_proxy_at_work(chrome, around.address, limit, cancel)
    except BaseException as failed:
        if borrowed is not None:
            borrowed.close(gently=True)
        else:
            client.close()
            control.give_back()
            around.proxy.close()
        if isinstance(failed, ToolFailure):
            raise BrowserUnavailable(
                f"browser.endpoint cannot be used: {failed.message}", advice=failed.advice
            ) from None
        raise
    return borrowed


def _open(control: Control, around: Surroundings, limit: Deadline, on_gone: Callable[[], object]) -> Client:
    from blitzweb.browser.connection import WebSocketTransport

    try:
        control.connected.settimeout(min(CDP_ANSWER_SECONDS, limit.remaining()))
        transport = WebSocketTransport(control.connected, control.url)
        transport.open()
    except TransportClosed as closed:
        control.connected.close()
        control.give_back()
        around.proxy.close()
        raise BrowserUnavailable(f"browser.endpoint does not answer as a browser does: {closed}") from None
    client = Client(transport, on_gone=on_gone, complain=around.complain)
    client.start()
    return client


def _see_proxy_at_work(chrome: Chrome, address: str, limit: Deadline, cancel: CancelToken) -> None:
    """Load the page that only our proxy can answer."""
    doing = Doing(chrome.usable_tab(limit), limit, cancel, limit.seconds)
    try:
        navigate(doing, PROBE_URL)
        title = doing.run(doing.tab.frames.main, "describe")["title"]
    except BrowserFailure as failed:
        title = failed.message
    if title != PROBE_TITLE:
        raise BrowserUnavailable(
            f"the pages of browser.endpoint do not go through our proxy at {address} ({title[:200]})",
            advice="set browser.endpoint_proxy to an address of `blitzweb egress` that the other machine can reach",
        )
    navigate(doing, "about:blank")
    doing.tab.take_notes()
    doing.tab.take_refused()
