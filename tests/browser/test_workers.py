"""Workers run in a page under guard: auto-attach makes them wait, and somebody has to let them go (WEB-31)."""

from __future__ import annotations

from tests.support.covers import covers

WORKERS = """<title>workers</title><script>
    const inner = 'new Blob(["postMessage(1)"])'
    const sources = {plain: 'postMessage(1)',
        nested: `new Worker(URL.createObjectURL(${inner})).onmessage = () => postMessage(1)`,
        fetching: `fetch('${location.origin}/near.html').then(() => postMessage(1))`}
    for (const [name, source] of Object.entries(sources))
        new Worker(URL.createObjectURL(new Blob([source]))).onmessage = () => say(name + ' PLACE')
    new Worker(URL.createObjectURL(new Blob(['postMessage(1)'], {type: 'text/javascript'})), {type: 'module'})
        .onmessage = () => say('module PLACE')
    new SharedWorker(URL.createObjectURL(new Blob(['onconnect = e => e.ports[0].postMessage(1)'])))
        .port.onmessage = () => say('shared PLACE')
</script>"""
KINDS = ["plain", "nested", "fetching", "module", "shared"]


@covers("WEB-31")
def test_workers_run(both, site):
    site.pages["/framed.html"] = WORKERS.replace("PLACE", "in a frame of another site")
    frame = "<iframe src=OTHER/framed.html></iframe>"
    site.pages["/workers.html"] = WORKERS.replace("PLACE", "in the page") + frame
    site.said.clear()
    both.do("navigate", url=f"{site.url}/workers.html")
    for place in ("in the page", "in a frame of another site"):
        for kind in KINDS:
            site.wait_for(f"{kind} {place}")
