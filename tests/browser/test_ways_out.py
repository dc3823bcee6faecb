"""Every way to take the main frame or a window to another host: none reaches it unasked, by the site's log (WEB-34)."""

from __future__ import annotations

import time
from urllib.parse import urlsplit

import pytest

from tests.support.browsing import Browsing
from tests.support.covers import covers
from tests.support.site import Site
from tests.support.ways import NAMES, make_page

PAGES = {
    "/moves.html": "<title>moves</title><script>location = 'QUERY'</script>",
    "/near.html": "<title>near</title>",
    "/refresh": "<title>refresh</title>",
    "/multipart": "\r\n--b\r\nContent-Type: text/html\r\n\r\n<script>location = 'QUERY'</script>\r\n--b--\r\n",
    "/served/page.html": "<title>served</title>",
    "/worker.js": """onactivate = e => e.waitUntil(clients.claim())
        const [how, away] = decodeURIComponent(location.search.slice(1)).split(' ')
        onfetch = e => { if (e.request.mode == 'navigate')
            e.respondWith(how == 'redirect' ? Response.redirect(away) : fetch(away, {mode: 'no-cors'})) }""",
}
HEADERS = {
    "/refresh": ("Refresh", "0;url=QUERY"),
    "/multipart": ("Content-Type", "multipart/x-mixed-replace; boundary=b"),
    "/worker.js": ("Service-Worker-Allowed", "/"),
}
LATE_SECONDS = 0.4  # what a way starts by a timer, it starts within half of that
LATE = {
    *("later", "history", "open-late", "document-write", "speculation-prefetch", "speculation-prerender"),
    *("prefetch", "prerender", "service-worker", "service-worker-redirect"),
}
# A prefetch by a link is like a picture's load: the proxy decides on it. What it brought is not shown.
LOADS = {"prefetch"}
# Ways that lead nowhere even where every host is allowed: Chrome itself or the rule on schemes stops them.
BLOCKED = {"data", "blob", "blob-window", "view-source", "multipart", "service-worker", "service-worker-redirect"}


def reached(engine: str, allowed: list[str]) -> tuple[set[str], dict[str, str]]:
    """Return the ways that reached the other host, and what the tab showed after each."""
    with Site(PAGES) as site, Browsing(engine=engine, web={"allow_domains": allowed}) as browsing:
        site.headers.update(HEADERS)
        shown = {name: go(browsing, site, name) for name in NAMES}
        time.sleep(LATE_SECONDS)
        paths = [request.split()[1].partition("?")[0] for request in site.requests]
        return {path.removeprefix("/away/") for path in paths if path.startswith("/away/")}, shown


def go(browsing: Browsing, site: Site, name: str) -> str:
    """Try a way, from its page in the first tab; close what it opened."""
    site.pages[f"/{name}.html"] = make_page(name, f"{site.other}/away/{name}")
    site.pages[f"/away/{name}"] = "<title>away</title>"
    browsing.call("navigate", url=f"{site.url}/{name}.html")
    browsing.call("click", selector="#go")
    if name in LATE:
        time.sleep(LATE_SECONDS)
    return str(browsing.call("console")["result"]["output"]["url"])


@pytest.fixture(scope="module", params=["headless-shell", pytest.param("chrome", marks=pytest.mark.long)])
def guarded(request):
    return reached(request.param, ["127.0.0.1"])


@covers("WEB-34")
@pytest.mark.parametrize("name", NAMES)
def test_no_way_leads_to_another_host_unasked(guarded, name):
    arrived, shown = guarded
    assert name not in arrived or name in LOADS
    assert urlsplit(shown[name]).hostname in {"127.0.0.1", None}


@covers("WEB-34")
@pytest.mark.long
def test_the_ways_are_ways(site):
    assert set(NAMES) - reached("chrome", ["127.0.0.1", "localhost"])[0] <= BLOCKED
