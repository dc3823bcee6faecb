"""Google's redirect links looked into, side by side, for the pages that they stand for (WEB-11).

One GET each, never followed, through the same address guard as everything. A link that does not resolve is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from blitzweb.errors import BlitzwebError
from blitzweb.limits import KIB, MAX_RESOLVED, RESOLVE_SECONDS, RESOLVE_THREADS, SEARCH_USER_AGENT
from blitzweb.net.fetch import REDIRECTS, Fetcher, Plan
from blitzweb.policy.urls import Url, UrlRefused, parse_url
from blitzweb.search.provider import Hit
from blitzweb.timing import CancelToken, Deadline

HOST: Final = "vertexaisearch.cloud.google.com"
PATH: Final = "/grounding-api-redirect/"

_PLAN: Final = Plan(max_bytes=4 * KIB, headers={"User-Agent": SEARCH_USER_AGENT, "Accept": "*/*"}, follow=False)

Report = Callable[[str], object]


def is_grounding_link(url: Url) -> bool:
    """Tell whether a URL is one of Google's redirects."""
    return url.host == HOST and url.target.startswith(PATH)


def resolve_hits(
    hits: Sequence[Hit],
    *,
    fetcher: Fetcher,
    may_reach: Callable[[str], bool],
    deadline: Deadline,
    cancel: CancelToken,
    log: Report,
) -> tuple[Hit, ...]:
    """Return the hits with the targets of their redirects; `may_reach` tells whether a host may be asked at all."""
    links = dict.fromkeys(hit.url for hit in hits[:MAX_RESOLVED])
    urls = {link: url for link in links if (url := _read_link(link)) is not None}
    if not urls or not may_reach(HOST):
        return tuple(hits)

    def resolve(url: Url) -> str | None:
        return _resolve(url, fetcher, deadline.sooner(RESOLVE_SECONDS), cancel, log)

    # Joined at the end of the block: each request ends at its deadline, and at once when the call is cancelled.
    with ThreadPoolExecutor(RESOLVE_THREADS, thread_name_prefix="blitzweb-resolve") as pool:
        targets = dict(zip(urls, pool.map(resolve, urls.values()), strict=True))
    cancel.check()
    return tuple(hit._replace(url=targets.get(hit.url) or hit.url) for hit in hits)


def _read_link(text: str) -> Url | None:
    try:
        url = parse_url(text)
    except UrlRefused:
        return None
    return url if is_grounding_link(url) else None


def _resolve(url: Url, fetcher: Fetcher, deadline: Deadline, cancel: CancelToken, log: Report) -> str | None:
    """Return where a redirect leads."""
    try:
        response = fetcher.fetch(url, _PLAN, deadline=deadline, cancel=cancel, decide_hop=_follow_nothing)
    except BlitzwebError as error:
        log(f"a redirect link of google was not resolved: {error.message}")
        return None
    return response.headers.get("location") if response.status in REDIRECTS else None


def _follow_nothing(_approved: Url, _target: Url) -> None:
    raise AssertionError("redirects are not followed")
