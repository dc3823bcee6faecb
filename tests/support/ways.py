"""Every way by which a page can take its main frame, or a window, to another host (WEB-34).

A way is a page with a button `go`; `AWAY` in it is a URL of another host that belongs to this way alone.
"""

from __future__ import annotations

from typing import Final

_SCRIPTED: Final = {
    "location": "location = 'AWAY'",
    "replace": "location.replace('AWAY')",
    "assign": "location.assign('AWAY')",
    "top": "top.location.href = 'AWAY'",
    "navigation": "navigation.navigate('AWAY')",
    "later": "setTimeout(() => { location = 'AWAY' }, 20)",
    "history": "history.pushState(0, '', '/near.html'); history.back(); setTimeout(() => { location = 'AWAY' }, 20)",
    "open": "open('AWAY')",
    "open-self": "open('AWAY', '_self')",
    "open-noopener": "open('AWAY', '', 'noopener')",
    "open-blank": "{ const w = open('about:blank'); w.location = 'AWAY' }",
    "open-late": "{ const w = open('about:blank'); setTimeout(() => { w.location = 'AWAY' }, 50) }",
    "open-moves": "open('/moves.html?AWAY')",
    "open-written": """{ const w = open(''); w.document.write(`<script>location = 'AWAY'<\\/script>`) }""",
    "data": "location = `data:text/html,<script>location='AWAY'<\\/script>`",
    "blob": "location = URL.createObjectURL(new Blob([`<script>location='AWAY'<\\/script>`], {type: 'text/html'}))",
    "blob-window": "open(URL.createObjectURL(new Blob([`<script>location='AWAY'<\\/script>`], {type: 'text/html'})))",
    "javascript": "location = `javascript:location='AWAY'`",
    "view-source": "location = 'view-source:AWAY'",
    "document-write": "document.write(`<meta http-equiv=refresh content='0;url=AWAY'>`); document.close()",
    "redirect": "location = '/to?AWAY'",
    "redirects": "location = '/to?/to?AWAY'",
    "refresh-header": "location = '/refresh?AWAY'",
    "multipart": "location = '/multipart?AWAY'",
    "frame-top": """framed("<script>top.location='AWAY'<\\/script>")""",
    "frame-link": """framed("<a href=AWAY target=_top></a><script>document.links[0].click()<\\/script>")""",
    "speculation-prefetch": "speculate('prefetch', 'AWAY')",
    "speculation-prerender": "speculate('prerender', 'AWAY')",
    "service-worker": "worker('AWAY', 'fetch')",
    "service-worker-redirect": "worker('AWAY', 'redirect')",
}
_TAGS: Final = {
    "link": "<a id=go href=AWAY>go</a>",
    "link-blank": "<a id=go href=AWAY target=_blank>go</a>",
    "link-opener": "<a id=go href=AWAY target=_blank rel=opener>go</a>",
    "link-download": "<a id=go href=AWAY download>go</a>",
    "link-base": "<base target=_blank><a id=go href=AWAY>go</a>",
    "base": "<base href=AWAY><a id=go href=AWAY>go</a>",
    "area": "<map><area href=AWAY></map><button id=go onclick=\"document.querySelector('area').click()\">go</button>",
    "svg": "<svg width=99 height=99><a href=AWAY><text id=go y=50>go</text></a></svg>",
    "form-get": "<form action=AWAY><button id=go>go</button></form>",
    "form-post": "<form action=AWAY method=post><button id=go>go</button></form>",
    "form-blank": "<form action=AWAY method=post target=_blank><button id=go>go</button></form>",
    "form-action": "<form><button id=go formaction=AWAY>go</button></form>",
    "refresh": "<button id=go>go</button><meta http-equiv=refresh content='0;url=AWAY'>",
    "prefetch": "<link rel=prefetch href=AWAY><button id=go onclick=\"later('AWAY')\">go</button>",
    "prerender": "<link rel=prerender href=AWAY><button id=go onclick=\"later('AWAY')\">go</button>",
}
_HELPERS: Final = """<script>
const framed = html => { const f = document.createElement('iframe'); f.srcdoc = html; document.body.append(f) }
const later = away => setTimeout(() => { location = away }, 200)
const speculate = (kind, away) => { const s = document.createElement('script'); s.type = 'speculationrules'
  s.textContent = JSON.stringify({[kind]: [{source: 'list', urls: [away], eagerness: 'immediate'}]})
  document.head.append(s); later(away) }
const worker = async (away, how) => {
  await navigator.serviceWorker.register(`/worker.js?${how} ${away}`, {scope: '/served/'})
  setTimeout(() => { location = '/served/page.html' }, 200) }
</script>"""
NAMES: Final = [*_SCRIPTED, *_TAGS]


def make_page(name: str, away: str) -> str:
    """Return the page of a way."""
    script = f"document.getElementById('go').onclick = () => {{ {_SCRIPTED.get(name)} }}"
    body = _TAGS.get(name, f"<button id=go>go</button><script>{script}</script>")
    return f"<!doctype html><title>{name}</title>{_HELPERS}<body>{body.replace('AWAY', away)}"
