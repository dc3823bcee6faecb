"""Every way known by which a page can make Chrome send something: one host name, or one address, for each.

Each vector is a line of JavaScript in which `H` is a host, or `L` a port, that only this vector means. What has been
seen of a host, of its address or of that port is the vector's doing (EGRESS-06).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from tests.support.lab.scene import NAMESERVER, OTHER_IPV4, WEB_IPV4, Log, Packet, Response, Scene

PAGES: Final = {"https": ("page.example", WEB_IPV4), "http": ("plain.example", OTHER_IPV4)}
FOREIGN: Final = "vector.example"  # the domain below which every vector has its name
_FIRST_PORT: Final = 20000

_TAGS: Final = {
    "img": "<img src=//H/>",
    "picture": '<picture><source srcset="//H/ 2x, //H/1 1x"><img></picture>',
    "script": "<script src=//H/></script>",
    "style": "<link rel=stylesheet href=//H/>",
    "css-import": "<style>@import '//H/';</style>",
    "css-image": "<div style='background:url(//H/);width:9px;height:9px'></div>",
    "svg-image": "<svg><image href=//H/ width=9 height=9 /></svg>",
    "svg-use": "<svg><use href=//H/x.svg#a /></svg>",
    "video": "<video src=//H/ preload=auto></video>",
    "poster": "<video poster=//H/></video>",
    "audio": "<audio src=//H/ preload=auto></audio>",
    "track": "<video src=data:,><track src=//H/ default></video>",
    "object": "<object data=//H/></object>",
    "embed": "<embed src=//H/>",
    "iframe": "<iframe src=//H/></iframe>",
    "srcdoc": "<iframe srcdoc='<img src=//H/>'></iframe>",
    "frame-refresh": "<iframe srcdoc='<meta http-equiv=refresh content=\"0;url=//H/\">'></iframe>",
    "icon": "<link rel=icon href=//H/>",
    "manifest": "<link rel=manifest href=//H/>",
    "prefetch": "<link rel=prefetch href=//H/>",
    "preload": "<link rel=preload as=image href=//H/>",
    "modulepreload": "<link rel=modulepreload href=//H/>",
    "preconnect": "<link rel=preconnect href=//H/>",
    "dns-prefetch": "<link rel=dns-prefetch href=//H/>",
    "prerender": "<link rel=prerender href=//H/>",
    "attribution": "<img attributionsrc=https://H/>",
    "ftp": "<img src=ftp://H/><iframe src=ftp://H/></iframe>",
}
_SCRIPTS: Final = {
    "fetch": "fetch('//H/', {mode: 'no-cors'})",
    "keepalive": "fetch('//H/', {mode: 'no-cors', keepalive: true, method: 'POST', body: 'x'})",
    "fetch-later": "fetchLater('https://H/', {activateAfter: 0})",
    "xhr": "{ const x = new XMLHttpRequest(); x.open('GET', '//H/'); x.send() }",
    "beacon": "navigator.sendBeacon('//H/', 'x')",
    "unload-beacon": "addEventListener('pagehide', () => navigator.sendBeacon('//H/', 'x'))",
    "event-source": "new EventSource('//H/')",
    "ws": "new WebSocket('ws://H/')",
    "wss": "new WebSocket('wss://H/')",
    "import": "import('//H/x.js')",
    "font": "new FontFace('x', 'url(//H/)').load()",
    "worker": "new Worker(URL.createObjectURL(new Blob([`importScripts('${location.protocol}//H/')`])))",
    "worker-fetch": (
        "new Worker(URL.createObjectURL(new Blob([`fetch('${location.protocol}//H/', {mode: 'no-cors'})`])))"
    ),
    "shared-worker": (
        "new SharedWorker(URL.createObjectURL(new Blob([`fetch('${location.protocol}//H/', {mode: 'no-cors'})`])))"
    ),
    "service-worker": "navigator.serviceWorker.register('/worker.js?H')",
    "service-worker-ws": "navigator.serviceWorker.register('/worker-ws.js?H', {scope: '/ws/'})",
    "ping": (
        "{ const a = document.createElement('a'); a.href = 'javascript:0'; a.ping = '//H/';"
        " document.body.append(a); a.click() }"
    ),
    "form": (
        "document.body.insertAdjacentHTML('beforeend', `<iframe name=form-frame></iframe>"
        "<form id=form method=post action=//H/ target=form-frame><input name=a></form>`);"
        " document.getElementById('form').submit()"
    ),
    "speculation-prefetch": "speculate({prefetch: [{source: 'list', urls: ['//H/'], eagerness: 'immediate'}]})",
    "speculation-anonymous": (
        "speculate({prefetch: [{source: 'list', urls: ['//H/'], eagerness: 'immediate',"
        " requires: ['anonymous-client-ip-when-cross-origin']}]})"
    ),
    "speculation-prerender": "speculate({prerender: [{source: 'list', urls: ['//H/'], eagerness: 'immediate'}]})",
    "web-transport": "new WebTransport('https://H/')",
    "web-transport-hash": (
        "new WebTransport('https://H:4433/', {serverCertificateHashes:"
        " [{algorithm: 'sha-256', value: new Uint8Array(32)}]})"
    ),
    "stun": "peer('stun:H:3478')",
    "turn": "peer('turn:H:3478?transport=udp')",
    "turn-tcp": "peer('turn:H:3478?transport=tcp')",
    "turns": "peer('turns:H:5349?transport=tcp')",
    "ice-udp": "candidate('udp', 'H')",
    "ice-tcp": "candidate('tcp', 'H')",
    "payment": "new PaymentRequest([{supportedMethods: 'https://H/pay'}], {total: {label: 'a',"
    " amount: {currency: 'EUR', value: '1'}}}).canMakePayment()",
    "identity": "navigator.credentials.get({identity: {providers: [{configURL: 'https://H/fedcm.json',"
    " clientId: 'a'}]}})",
    "public-key": "navigator.credentials.get({publicKey: {challenge: new Uint8Array(32), rpId: 'H'}})",
    "push": "navigator.serviceWorker.register('/worker.js?push', {scope: '/push/'}).then(r =>"
    " r.pushManager.subscribe({userVisibleOnly: true, applicationServerKey: 'BP" + "A" * 85 + "'}))",
    "background-fetch": "navigator.serviceWorker.register('/worker.js?background', {scope: '/background/'})"
    ".then(r => r.backgroundFetch.fetch('a', ['https://H/']))",
    "presentation": "new PresentationRequest('https://H/').getAvailability()",
    "fenced": "document.body.insertAdjacentHTML('beforeend', '<fencedframe></fencedframe>');"
    " document.querySelector('fencedframe').config = new FencedFrameConfig('https://H/')",
    "shared-storage": "sharedStorage.createWorklet('https://H/x.js')",
    "ad-auction": "navigator.joinAdInterestGroup({name: 'a', owner: 'https://H'}, 9)",
    "reporting": "fetch('/reports?H')",  # the answer's Reporting-Endpoints and NEL name the host
    "policy-report": "document.body.insertAdjacentHTML('beforeend', `<iframe src=/policy?H></iframe>`)",
    "hints": "document.body.insertAdjacentHTML('beforeend', `<iframe src=/hints?H></iframe>`)",  # Link: headers
    "alternative": "fetch('/alternative?H')",  # Alt-Svc: h3 on the host
}
# Addresses, and names of this machine and of its link.
_INNER: Final = {
    "literal-transport": "new WebTransport('https://93.186.1.5:L/')",
    "loopback": "everything('127.0.0.1:L')",
    "loopback-name": "everything('localhost:L')",
    "loopback-below": "everything('x.localhost:L')",
    "loopback-six": "everything('[::1]:L')",
    "loopback-number": "everything('2130706433:L')",
    "unspecified": "everything('0.0.0.0:L')",
    "metadata": "everything('169.254.169.254:L')",
    "metadata-six": "everything('[fd00:ec2::254]:L')",
    "private": "everything('10.1.2.3:L')",
    "loopback-rtc": "peer('stun:127.0.0.1:L'); candidate('udp', '127.0.0.1', L); candidate('tcp', '127.0.0.1', L)",
    "metadata-rtc": "peer('stun:169.254.169.254:L'); peer('turn:169.254.169.254:L?transport=udp')",
    "literal-stun": "peer('stun:93.186.1.1:L'); peer('stun:[2606:2800::1:1]:L')",
    "literal-turn": "peer('turn:93.186.1.2:L?transport=udp')",
    "literal-turn-tcp": "peer('turn:93.186.1.3:L?transport=tcp')",
    "literal-ice": "candidate('udp', '93.186.1.4', L); candidate('tcp', '93.186.1.4', L)",
    "multicast-name": "candidate('udp', '0b1b3c1e-aaaa-4bbb-8ccc-0123456789ab.local'); fetch('http://printer.local/')",
}
# Vectors of which a browser without our guards showed nothing either (Chromium 156).
NOT_SHOWN: Final = frozenset(
    {
        *("svg-use", "track", "icon", "manifest", "prerender", "attribution", "ftp", "ping", "speculation-anonymous"),
        *("push", "background-fetch", "presentation", "fenced", "shared-storage", "ad-auction", "reporting"),
        "alternative",
    }
)
# Vectors that must come to the proxy, on either binary, so that a page which did nothing at all is no proof.
THROUGH_PROXY: Final = frozenset(
    {
        *("img", "picture", "script", "style", "css-import", "css-image", "svg-image", "video", "poster", "audio"),
        *("object", "embed", "iframe", "srcdoc", "frame-refresh", "prefetch", "preload", "modulepreload", "fetch"),
        *("keepalive", "fetch-later", "xhr", "beacon", "unload-beacon", "event-source", "ws", "wss", "import", "font"),
        *(
            "worker",
            "worker-fetch",
            "shared-worker",
            "service-worker",
            "service-worker-ws",
            "form",
            "turn-tcp",
            "turns",
        ),
        *("identity", "public-key", "policy-report", "hints"),
    }
)
PROXIED_HOSTS: Final = frozenset(
    {
        *("127.0.0.1", "localhost", "x.localhost", "::1", "0.0.0.0", "169.254.169.254", "fd00:ec2::254", "10.1.2.3"),
        *("93.186.1.3", "93.186.1.4"),  # TURN and ICE over TCP
    }
)
_HELPERS: Final = """
const speculate = rules => { const s = document.createElement('script'); s.type = 'speculationrules';
  s.textContent = JSON.stringify(rules); document.head.append(s) }
const peers = []
const peer = url => { const p = new RTCPeerConnection({iceServers: [{urls: url, username: 'u', credential: 'p'}]})
  peers.push(p); p.createDataChannel('x'); p.createOffer().then(o => p.setLocalDescription(o)) }
const candidate = (protocol, host, port = 3479) => { const a = new RTCPeerConnection(), b = new RTCPeerConnection()
  peers.push(a, b); a.createDataChannel('x')
  a.createOffer().then(async o => { await a.setLocalDescription(o); await b.setRemoteDescription(o)
    const answer = await b.createAnswer(); await b.setLocalDescription(answer); await a.setRemoteDescription(answer)
    const type = protocol == 'tcp' ? ' tcptype passive' : ''
    await a.addIceCandidate({sdpMid: '0', sdpMLineIndex: 0,
      candidate: `candidate:1 1 ${protocol} 2122260223 ${host} ${port} typ host${type}`}) }) }
const everything = place => {
  for (const scheme of ['http', 'https']) { fetch(`${scheme}://${place}/`, {mode: 'no-cors'}).catch(() => 0)
    document.body.insertAdjacentHTML('beforeend',
      `<iframe src=${scheme}://${place}/></iframe><img src=${scheme}://${place}/>`) }
  for (const scheme of ['ws', 'wss']) try { new WebSocket(`${scheme}://${place}/`) } catch {}
  try { new WebTransport(`https://${place}/`).ready.catch(() => 0) } catch {}
  navigator.sendBeacon(`http://${place}/`, 'x') }
const add = html => document.body.append(document.createRange().createContextualFragment(html))
onunhandledrejection = event => event.preventDefault()
const failed = []
for (const [name, fire] of Object.entries(vectors)) try { fire() } catch (error) { failed.push(`${name}: ${error}`) }
document.title = 'fired'
"""


class Vector(NamedTuple):
    """One vector on one page; whatever reaches its name, its address or its port is its doing."""

    name: str
    host: str
    address: str
    port: int
    line: str


def make_vectors(scheme: str) -> list[Vector]:
    """Return the vectors of a page."""
    lines = {name: f"add({json.dumps(tag)})" for name, tag in _TAGS.items()} | _SCRIPTS | _INNER
    page = list(PAGES).index(scheme)
    made = []
    for number, (name, line) in enumerate(lines.items(), 1):
        host, port = f"{name}.{scheme}.{FOREIGN}", _FIRST_PORT + 200 * page + number
        text = re.sub(r"\bL\b", str(port), line) if name in _INNER else re.sub(r"\bH\b", host, line)
        made.append(Vector(name, host, f"93.185.{page}.{number}", port, text))
    return made


def make_scene() -> Scene:
    """Return a scene with the two pages, and a host with an address of its own for each vector."""
    names = {host: ((address,),) for host, address in PAGES.values()}
    pages: dict[str, Response] = {}
    for scheme, (host, _address) in PAGES.items():
        vectors = make_vectors(scheme)
        names |= {vector.host: ((vector.address,),) for vector in vectors}
        lines = ",\n".join(f"{json.dumps(vector.name)}: () => {{ {vector.line} }}" for vector in vectors)
        script = f"const vectors = {{\n{lines}}}\n{_HELPERS}"
        pages[f"{host}/"] = _page("text/html", "<!doctype html><title>page</title><body><script src=/x.js></script>")
        pages[f"{host}/x.js"] = _page("text/javascript", script)
        for vector in vectors:
            pages |= {f"{host}{path}": page for path, page in _answers(vector.host, vector.name).items()}
    return Scene(names=names, pages=pages, addresses=frozenset())


def _answers(host: str, name: str) -> dict[str, Response]:
    """Return what the page's own server says where that is part of a vector."""
    away = f"https://{host}/"
    group = json.dumps({"group": "default", "max_age": 9999, "endpoints": [{"url": away}]})
    log = json.dumps({"report_to": "default", "max_age": 9999, "success_fraction": 1.0})
    hint = f"<{away}>; rel=preload; as=image, <{away}>; rel=dns-prefetch, <{away}>; rel=preconnect"
    picture = "<img src=/none>"
    return {
        f"/worker.js?{host}": _page("text/javascript", f"fetch('{away}', {{mode: 'no-cors'}})"),
        f"/worker-ws.js?{host}": _page("text/javascript", f"new WebSocket('wss://{host}/')"),
        f"/worker.js?{name}": _page("text/javascript", ""),
        f"/reports?{host}": _page(
            "text/plain", "", ("Reporting-Endpoints", f'default="{away}"'), ("Report-To", group), ("NEL", log)
        ),
        f"/policy?{host}": _page(
            "text/html", picture, ("Content-Security-Policy", f"img-src 'none'; report-uri {away}")
        ),
        f"/hints?{host}": _page("text/html", "", ("Link", hint)),
        f"/alternative?{host}": _page(
            "text/plain", "", ("Alt-Svc", f'h3="{host}:443"; ma=9999, h2="{host}:443"; ma=9999')
        ),
    }


def _page(kind: str, text: str, *headers: tuple[str, str]) -> Response:
    return Response(headers=(("Content-Type", kind), *headers), body=text.encode())


def list_seen(log: Log) -> set[str]:
    """Return the vectors, by name, of which anything has been seen: a question for a name, or a packet."""
    every = [vector for scheme in PAGES for vector in make_vectors(scheme)]
    by_host, by_address = {one.host: one.name for one in every}, {one.address: one.name for one in every}
    by_port = {one.port: one.name for one in every} | {5353: "multicast-name"}
    named = {by_host[name] for name, _kind in log.lookups if name in by_host}
    sent = {by_address.get(packet.address) or by_port.get(packet.port) for packet in log.packets}
    return named | {name for name in sent if name}


def list_outside(log: Log, own: Iterable[Packet]) -> list[object]:
    """Return what left beside the proxy: all but what the daemon itself sends to the pages, and `own`."""
    pages = {Packet("tcp", address, port) for _host, address in PAGES.values() for port in (80, 443)}
    known = {Packet("udp", *NAMESERVER), *pages, *own}
    hosts = {host for host, _address in PAGES.values()}
    return [asked for asked in log.lookups if asked[0] not in hosts] + [
        each for each in log.packets if each not in known
    ]
