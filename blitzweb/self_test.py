"""Whether a browser of this machine leaves nothing beside the proxy: tried for real, against ourselves (EGRESS-06).

A page tries the ways that are known to lead around a proxy, all towards sockets of ours on loopback. Whatever arrives
there came beside the proxy, which refuses them; that the proxy was asked shows that the trial was one.
"""

from __future__ import annotations

import select
import socket
from contextlib import ExitStack

from blitzweb.browser.chrome import Chrome
from blitzweb.browser.doing import Doing
from blitzweb.browser.elsewhere import PROBE_URL
from blitzweb.browser.find import find_browser
from blitzweb.browser.loading import navigate
from blitzweb.browser.switches import Launch
from blitzweb.browsers import Browsers
from blitzweb.contract.upkeep import DoctorCheck
from blitzweb.errors import BlitzwebError
from blitzweb.limits import BROWSER_START_SECONDS, SELF_TEST_SECONDS
from blitzweb.rpc.log import Log
from blitzweb.settings import Settings
from blitzweb.timing import CancelToken, Deadline

_ID = "browser.egress"
_WAYS = """(async (tcp, udp, ms) => {
  const quietly = (act) => { try { return Promise.resolve(act()).catch(() => 0); } catch { return 0; } };
  for (const host of ["127.0.0.1", "localhost", "[::1]"]) {
    quietly(() => fetch(`http://${host}:${tcp}/`, { mode: "no-cors" }));
    quietly(() => new WebSocket(`ws://${host}:${tcp}/`));
    quietly(() => { new Image().src = `http://${host}:${tcp}/image`; });
  }
  quietly(() => new WebTransport(`https://127.0.0.1:${udp}/`).ready);
  const urls = [`stun:127.0.0.1:${udp}`, `turn:127.0.0.1:${tcp}?transport=tcp`];
  const servers = urls.map((one) => ({ urls: one, username: "a", credential: "b" }));
  const peer = new RTCPeerConnection({ iceServers: servers });
  peer.createDataChannel("x");
  await peer.setLocalDescription(await peer.createOffer());
  await new Promise((done) => setTimeout(done, ms));
  peer.close();
})(%d, %d, %d)"""


def check_egress(settings: Settings) -> DoctorCheck:
    """Start a browser as the settings have it, try the ways around its proxy, and say what came of it."""
    browser = settings.browser
    if browser.endpoint or not (settings.web.enabled and browser.enabled):
        return DoctorCheck(id=_ID, status="ok", summary="no browser of this machine is used")
    try:
        program = find_browser(path=browser.path, engine=browser.engine, visible=browser.visible)
        launch = Launch(program, browser.transport, browser.visible, browser.width, browser.height)
        return _try(launch)
    except BlitzwebError as failed:
        return DoctorCheck(id=_ID, status="fail", summary=failed.message, advice=failed.advice or None)


def _try(launch: Launch) -> DoctorCheck:
    browsers = Browsers(Log(level="error"), lambda _event: None)
    with ExitStack() as stack:
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("127.0.0.1", 0))
        running = browsers.start_local(
            launch,
            opens_local=False,
            takes_downloads=False,
            deadline=Deadline(BROWSER_START_SECONDS),
            cancel=CancelToken(),
            on_gone=lambda: None,
        )
        stack.callback(running.close, gently=False)
        _walk(running.chrome, tcp.getsockname()[1], udp.getsockname()[1])
        arrived, _, _ = select.select([tcp, udp], [], [], 0)
        asked = running.chrome.usable_tab(Deadline(SELF_TEST_SECONDS)).troubles.mark
    return _tell([name for name, one in (("TCP", tcp), ("UDP", udp)) if one in arrived], asked)


def _walk(chrome: Chrome, tcp: int, udp: int) -> None:
    limit = Deadline(BROWSER_START_SECONDS)
    doing = Doing(chrome.usable_tab(limit), limit, CancelToken(), limit.seconds)
    for url in (PROBE_URL, "about:blank"):  # the first gives the proxy its token; the second has no policy of its own
        navigate(doing, url)
    session = doing.tab.session
    expression = _WAYS % (tcp, udp, int(SELF_TEST_SECONDS * 1000))
    session.call("Runtime.evaluate", limit, expression=expression, awaitPromise=True, userGesture=True)


def _tell(arrived: list[str], asked: int) -> DoctorCheck:
    if arrived:
        summary = f"the browser reaches this machine beside its proxy ({' and '.join(arrived)}): do not use it"
        advice = "name another browser in browser.path, and report its version"
        return DoctorCheck(id=_ID, status="fail", summary=summary, advice=advice)
    if not asked:
        summary = "the browser asked its proxy for nothing: the trial shows nothing"
        return DoctorCheck(id=_ID, status="warn", summary=summary, advice="try again, or see the log")
    summary = f"nothing of the browser goes around its proxy: tried for real, and {asked} requests were refused by it"
    return DoctorCheck(id=_ID, status="ok", summary=summary)
