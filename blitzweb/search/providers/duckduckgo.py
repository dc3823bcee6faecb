"""DuckDuckGo: one GET of its fixed HTML page, which needs no key (PAGE-01, PAGE-24, SEARCH-03).

Results come first; only a page without any is looked through for a bot challenge or for "no results", and both only by
class, id and action attributes: the query stands in the page's own text.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from html import escape
from itertools import islice
from typing import ClassVar, Final
from urllib.parse import parse_qsl, urlsplit

from blitzweb.content.charset import decode
from blitzweb.content.hazards import find_hazard
from blitzweb.content.sniff import split_content_type
from blitzweb.content.tree import Node, attribute, parse, text_of, walk
from blitzweb.limits import MAX_TARGET_BYTES
from blitzweb.search.endpoints import with_query
from blitzweb.search.failures import SearchFailed, judge_status, malformed
from blitzweb.search.provider import Findings, Hit, Reply, Request

ENDPOINT: Final = "https://html.duckduckgo.com/html/"

_HOST: Final = "duckduckgo.com"
_MAX_RESULT_NODES: Final = 1000  # of one result that are looked at; real ones have about thirty
_MAX_RESULT_DEPTH: Final = 50
_ACCEPTED: Final = 202  # the usual status of a challenge, which may come with results too
_KEY_PROVIDER: Final = 'set web.search_provider to one with a key ("brave", "tavily", "google"), or to "searxng"'
_NONE_FOUND: Final = frozenset({"no-results", "result--no-result"})


class DuckDuckGo:
    """The HTML page."""

    name: ClassVar[str] = "duckduckgo"
    bills: ClassVar[bool] = False
    redirects: ClassVar[bool] = False
    retries: ClassVar[bool] = False  # quick retries prolong a block
    max_chars: ClassVar[int] = 499
    max_words: ClassVar[int | None] = None

    def __init__(self, *, url: str = "") -> None:
        self._endpoint = url or ENDPOINT

    def request(self, query: str, count: int) -> Request:
        """Return what to send; the page has as many results as it has."""
        del count
        return Request(with_query(self._endpoint, {"q": query}), {"Accept": "text/html"})

    def read(self, reply: Reply) -> Findings:
        """Return what the page says."""
        if reply.status != _ACCEPTED:
            judge_status(self.name, reply, key_advice=_KEY_PROVIDER, now=time.time())
        media_type, charset = split_content_type(reply.headers.get("content-type"))
        if media_type != "text/html":
            raise malformed(self.name, f'is no HTML page ("{(media_type or "no media type")[:60]}")')
        html, _ = decode(reply.body, charset)
        if find_hazard(html) is not None:
            raise malformed(self.name, "is built as no page of results is")
        root = parse(html)
        hits = tuple(_read_results(root))
        if not hits:
            self._explain_none(root)
        return Findings(hits)

    def _explain_none(self, root: Node) -> None:
        """Raise why there is no result; pass where the page says that there is none."""
        nodes = [node for node in walk(root) if _is_element(node)]
        if any(_is_challenge(node) for node in nodes):
            raise SearchFailed(
                "duckduckgo takes this machine for a bot and shows a challenge instead of results",
                advice=f"wait an hour, since retries prolong it, or {_KEY_PROVIDER}",
            )
        if not any(_NONE_FOUND & _classes(node) for node in nodes):
            raise malformed(self.name, "cannot be read: it has neither results nor a word that there are none")


def _read_results(root: Node) -> Iterator[Hit]:
    for element in _outermost_results(root):
        inside = list(islice(walk(element), _MAX_RESULT_NODES))
        link = _find_title(inside)
        if link is None or any(_is_ad_class(name) for name in _classes(element)):
            continue
        target = _find_target(attribute(link, "href").strip())
        if target:
            snippet = next((node for node in inside if "result__snippet" in _classes(node)), None)
            yield Hit(_text(link), target, _text(snippet) if snippet is not None else "")


def _outermost_results(root: Node) -> Iterator[Node]:
    """Give the elements with the class `result` that stand in no other such element."""
    waiting = [root.first_child]
    while waiting:
        node = waiting.pop()
        if node is None:
            continue
        waiting.append(node.next)
        if "result" in _classes(node):
            yield node
        else:
            waiting.append(node.first_child)


def _find_title(inside: list[Node]) -> Node | None:
    """Return the link that has the title: the one named so, else the first in a heading."""
    links = [node for node in inside if node.tag == "a" and attribute(node, "href")]
    named = next((link for link in links if "result__a" in _classes(link)), None)
    return named or next((link for link in links if _is_headed(link)), None)


def _is_headed(link: Node) -> bool:
    above, steps = link.parent, 0
    while above is not None and steps < _MAX_RESULT_DEPTH:
        if above.tag == "h2":
            return True
        above, steps = above.parent, steps + 1
    return False


def _find_target(href: str) -> str:
    """Return where a result leads; empty for an advertisement, and for what leads nowhere."""
    target = _decode_redirect(href)
    if _is_ad_link(href) or _is_ad_link(target) or len(target.encode("utf-8", "replace")) > MAX_TARGET_BYTES:
        return ""
    return target if target.lower().startswith(("http://", "https://")) else ""


def _decode_redirect(href: str) -> str:
    """Return the target of DuckDuckGo's own redirect, decoded once; any other link as it is."""
    try:
        link = urlsplit(href)
        host = link.hostname
    except ValueError:
        return ""
    if link.path not in {"/l", "/l/"} or not _is_own(host):
        return f"https:{href}" if href.startswith("//") else href
    targets = [value for name, value in parse_qsl(link.query, keep_blank_values=True) if name == "uddg"]
    return targets[0] if len(targets) == 1 else ""


def _is_ad_link(href: str) -> bool:
    try:
        link = urlsplit(href)
        return link.path == "/y.js" and _is_own(link.hostname)
    except ValueError:
        return False


def _is_own(host: str | None) -> bool:
    """Tell whether a link without a host, or with this one, leads to DuckDuckGo itself."""
    return not host or host == _HOST or host.endswith(f".{_HOST}")


def _is_ad_class(name: str) -> bool:
    return name.startswith("result--ad") or name == "sponsored"


def _is_challenge(node: Node) -> bool:
    names = _classes(node) | set(attribute(node, "id").split())
    if any(name.startswith("anomaly-modal") or name == "challenge-form" for name in names):
        return True
    try:
        return urlsplit(attribute(node, "action")).path == "/anomaly.js"
    except ValueError:
        return False


def _classes(node: Node) -> set[str]:
    return set(attribute(node, "class").split()) if _is_element(node) else set()


def _is_element(node: Node) -> bool:
    return not (node.tag or "-").startswith("-")


def _text(node: Node) -> str:
    """Return text as the filter takes it, which reads HTML."""
    return escape(text_of(node), quote=False)
