"""Search providers for tests, each behaving as its public documentation says, error shapes included.

A double answers one request with one answer, both plain values, so that the same double serves unit tests, a server on
loopback and the lab. It refuses what the real one refuses: a wrong key, a missing parameter, a query that is too long.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit


@dataclass(frozen=True)
class Asked:
    """A request as a provider sees it; header names in lower case."""

    method: str
    target: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def query(self) -> dict[str, str]:
        return {name: values[-1] for name, values in parse_qs(urlsplit(self.target).query).items()}

    @property
    def data(self) -> dict[str, Any]:
        return json.loads(self.body)


@dataclass(frozen=True)
class Answered:
    """What a provider says."""

    status: int
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Page:
    """A page that a provider knows."""

    title: str
    url: str
    snippet: str = ""


PAGES = tuple(
    Page(f"Page {number} of the index", f"https://site{number}.example/read?x={number}", f"What page {number} says.")
    for number in range(1, 13)
)

Double = Callable[[Asked], Answered]


def as_json(status: int, value: Any, *headers: tuple[str, str]) -> Answered:
    return Answered(status, json.dumps(value).encode(), (("Content-Type", "application/json"), *headers))


# --- Brave -----------------------------------------------------------------------------------------------------------


def brave_error(status: int, code: str, detail: str, meta: Any = None, *headers: tuple[str, str]) -> Answered:
    error = {"id": "5f1a3f2e", "status": status, "code": code, "detail": detail, "meta": meta or {}}
    return as_json(status, {"type": "ErrorResponse", "error": error, "time": 1_760_000_000}, *headers)


BRAVE_MISSING_KEY = brave_error(
    422,
    "VALIDATION",
    "Unable to validate request parameter(s)",
    {"errors": [{"type": "missing", "loc": ["header", "x-subscription-token"], "msg": "Field required"}]},
)
BRAVE_WRONG_KEY = brave_error(
    422, "SUBSCRIPTION_TOKEN_INVALID", "The provided subscription token is invalid.", {"component": "authentication"}
)
BRAVE_RATE_LIMITED = brave_error(
    429,
    "RATE_LIMITED",
    "Request rate limit exceeded for plan.",
    {"plan": "Free", "rate_limit": 1, "rate_current": 1, "quota_limit": 2000, "quota_current": 5},
    ("X-RateLimit-Limit", "1, 15000"),
    ("X-RateLimit-Policy", "1;w=1, 15000;w=2592000"),
    ("X-RateLimit-Remaining", "0, 14523"),
    ("X-RateLimit-Reset", "1, 1419704"),
)


@dataclass
class Brave:
    """`GET /res/v1/web/search`."""

    key: str = "brave-key"
    pages: Sequence[Page] = PAGES

    def __call__(self, asked: Asked) -> Answered:
        if (asked.method, asked.path) != ("GET", "/res/v1/web/search"):
            return brave_error(404, "NOT_FOUND", "Not found")
        if "x-subscription-token" not in asked.headers:
            return BRAVE_MISSING_KEY
        if asked.headers["x-subscription-token"] != self.key:
            return BRAVE_WRONG_KEY
        query, count = asked.query.get("q", ""), int(asked.query.get("count", 10))
        if not 1 <= len(query) <= 400 or len(query.split()) > 50 or not 1 <= count <= 20:
            return brave_error(422, "VALIDATION", "Unable to validate request parameter(s)")
        return as_json(200, self._found(query, count))

    def _found(self, query: str, count: int) -> dict[str, Any]:
        results = [
            {
                "type": "search_result",
                "title": escape(page.title).replace("Page", "<strong>Page</strong>"),
                "url": page.url,
                "description": escape(page.snippet),
                "page_age": "2026-01-01T00:00:00",
                "meta_url": {"scheme": "https", "hostname": "x", "path": "› read"},
            }
            for page in self.pages[:count]
        ]
        found: dict[str, Any] = {"type": "search", "query": {"original": query}, "mixed": {"type": "mixed"}}
        return found | ({"web": {"type": "search", "results": results}} if results else {})


# --- Tavily ----------------------------------------------------------------------------------------------------------


def tavily_error(status: int, text: str, *headers: tuple[str, str]) -> Answered:
    return as_json(status, {"detail": {"error": text}}, *headers)


TAVILY_RATE_LIMITED = tavily_error(429, "Your request has been blocked due to excessive requests.")
TAVILY_PLAN_LIMIT = tavily_error(432, "This request exceeds your plan's set usage limit.")
TAVILY_PAYG_LIMIT = tavily_error(433, "This request exceeds the pay-as-you-go limit.")


@dataclass
class Tavily:
    """`POST /search`."""

    key: str = "tvly-key"
    pages: Sequence[Page] = PAGES

    def __call__(self, asked: Asked) -> Answered:
        if (asked.method, asked.path) != ("POST", "/search"):
            return as_json(405, {"detail": "Method Not Allowed"})
        if asked.headers.get("authorization") != f"Bearer {self.key}":
            return tavily_error(401, "Unauthorized: missing or invalid API key.")
        if asked.headers.get("content-type") != "application/json" or not asked.data.get("query"):
            return tavily_error(400, "Query is missing.")
        return as_json(200, self._found(asked.data))

    def _found(self, wanted: dict[str, Any]) -> dict[str, Any]:
        results = [
            {"title": page.title, "url": page.url, "content": page.snippet, "score": 0.9, "raw_content": None}
            for page in self.pages[: wanted.get("max_results", 5)]
        ]
        return {
            "query": wanted["query"],
            "follow_up_questions": None,
            "answer": "A summary by Tavily." if wanted.get("include_answer") else None,
            "images": [],
            "results": results,
            "response_time": 1.2,
            "request_id": "0fd3",
        }


# --- SearXNG ---------------------------------------------------------------------------------------------------------

SEARXNG_NO_JSON = Answered(403, b"<!doctype html><title>403 Forbidden</title>", (("Content-Type", "text/html"),))
SEARXNG_LIMITED = Answered(429, b"Too Many Requests", (("Content-Type", "text/plain"),))


@dataclass
class SearXNG:
    """`GET /search`."""

    formats: Sequence[str] = ("html", "json")
    pages: Sequence[Page] = PAGES
    answers: Sequence[Any] = ()

    def __call__(self, asked: Asked) -> Answered:
        if asked.path != "/search":
            return Answered(404, b"Not Found", (("Content-Type", "text/html"),))
        if asked.query.get("format", "html") not in self.formats:
            return SEARXNG_NO_JSON
        if not asked.query.get("q"):
            return as_json(400, {"error": "No query"})
        return as_json(200, self._found(asked.query["q"]))

    def _found(self, query: str) -> dict[str, Any]:
        results = [
            {
                "url": page.url,
                "title": page.title,
                "content": page.snippet,
                "engine": "bing",
                "engines": ["bing"],
                "positions": [1],
                "score": 1.0,
                "category": "general",
                "template": "default.html",
                "parsed_url": ["https", "x", "/", "", "", ""],
                "publishedDate": None,
            }
            for page in self.pages
        ]
        results.append({"url": None, "title": "A map", "content": None, "template": "map.html"})
        return {
            "query": query,
            "results": results,
            "answers": list(self.answers),
            "corrections": [],
            "infoboxes": [],
            "suggestions": [],
            "unresponsive_engines": [["qwant", "timeout"]],
        }


# --- Google ----------------------------------------------------------------------------------------------------------

GROUNDING = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/"


def google_error(status: int, name: str, message: str, *details: dict[str, Any]) -> Answered:
    error = {"code": status, "message": message, "status": name, "details": list(details)}
    return as_json(status, {"error": error})


GOOGLE_WRONG_KEY = google_error(
    400,
    "INVALID_ARGUMENT",
    "API key not valid. Please pass a valid API key.",
    {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": "API_KEY_INVALID",
        "domain": "googleapis.com",
        "metadata": {"service": "generativelanguage.googleapis.com"},
    },
    {"@type": "type.googleapis.com/google.rpc.LocalizedMessage", "locale": "en-US", "message": "API key not valid."},
)
GOOGLE_DENIED = google_error(403, "PERMISSION_DENIED", "Method doesn't allow unregistered callers.")
GOOGLE_OVERLOADED = google_error(503, "UNAVAILABLE", "The model is overloaded. Please try again later.")


def google_exhausted(delay: str) -> Answered:
    return google_error(
        429,
        "RESOURCE_EXHAUSTED",
        "You exceeded your current quota.",
        {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaMetric": "m"}]},
        {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay},
    )


@dataclass
class Google:
    """`POST /v1beta/models/MODEL:generateContent` with the tool `google_search`."""

    key: str = "AIza-key"
    model: str = "gemini-2.5-flash"
    pages: Sequence[Page] = PAGES[:3]
    queries: Sequence[str] = ("first query", "second query", "third query")
    links: bool = True  # chunks link to redirects, as they really do

    def __call__(self, asked: Asked) -> Answered:
        if (asked.method, asked.path) != ("POST", f"/v1beta/models/{self.model}:generateContent"):
            return google_error(404, "NOT_FOUND", "models/x is not found for API version v1beta")
        if "x-goog-api-key" not in asked.headers:
            return GOOGLE_DENIED
        if asked.headers["x-goog-api-key"] != self.key:
            return GOOGLE_WRONG_KEY
        if not asked.data["contents"][0]["parts"][0]["text"] or asked.data["tools"] != [{"google_search": {}}]:
            return google_error(400, "INVALID_ARGUMENT", "contents is not specified")
        return as_json(200, self.found())

    def found(self) -> dict[str, Any]:
        chunks = [
            {"web": {"uri": self.link(number) if self.links else page.url, "title": urlsplit(page.url).netloc}}
            for number, page in enumerate(self.pages)
        ]
        supports = [
            {"segment": {"endIndex": 20, "text": page.snippet}, "groundingChunkIndices": [number]}
            for number, page in enumerate(self.pages)
        ]
        supports.append(
            {"segment": {"startIndex": 21, "endIndex": 40, "text": "Shared."}, "groundingChunkIndices": [0, 1]}
        )
        parts = [{"text": "Let me think.", "thought": True}, {"text": "The answer "}, {"text": "of Gemini."}]
        candidate = {
            "content": {"parts": parts, "role": "model"},
            "finishReason": "STOP",
            "groundingMetadata": {
                "webSearchQueries": list(self.queries),
                "searchEntryPoint": {"renderedContent": "<div>…</div>"},
                "groundingChunks": chunks,
                "groundingSupports": supports,
            },
        }
        return {"candidates": [candidate], "usageMetadata": {"totalTokenCount": 99}, "modelVersion": self.model}

    @staticmethod
    def link(number: int) -> str:
        return f"{GROUNDING}AUZIYQ{number}"

    def redirect(self, asked: Asked) -> Answered:
        """Answer as the host of the redirects does."""
        number = asked.path.rpartition("AUZIYQ")[2]
        if not number.isdigit() or int(number) >= len(self.pages):
            return Answered(404, b"expired")
        return Answered(302, b"", (("Location", self.pages[int(number)].url),))


# --- DuckDuckGo ------------------------------------------------------------------------------------------------------

HTML = (("Content-Type", "text/html; charset=UTF-8"),)


def duckduckgo_result(page: Page, *, href: str | None = None, classes: str = "results_links results_links_deep") -> str:
    wrapped = f"//duckduckgo.com/l/?uddg={quote(page.url, safe='')}&rut=0a1b"
    link = escape(wrapped if href is None else href)
    return f"""
    <div class="result {classes} web-result "> <div class="links_main links_deep result__body">
      <h2 class="result__title"> <a rel="nofollow" class="result__a" href="{link}">{escape(page.title)}</a> </h2>
      <div class="result__extras"><div class="result__extras__url">
        <span class="result__icon"><a href="{link}"><img class="result__icon__img" src="//x/i.ico" /></a></span>
        <a class="result__url" href="{link}">{escape(page.url[:30])}</a></div></div>
      <a class="result__snippet" href="{link}"><b>{escape(page.snippet[:4])}</b>{escape(page.snippet[4:])}</a>
      <div class="clear"></div></div></div>"""


def duckduckgo_page(query: str, inside: str) -> bytes:
    shown = escape(query)
    return f"""<!DOCTYPE html><html><head><meta charset="UTF-8"><title>{shown} at DuckDuckGo</title></head><body>
    <form action="/html/" method="post"><input name="q" value="{shown}"></form>
    <div class="serp__results"><div id="links" class="results">{inside}</div></div></body></html>""".encode()


AD_HREF = "https://duckduckgo.com/y.js?ad_domain=shop.example&ad_provider=bingv7aa&u3=https%3A%2F%2Fshop.example"
DUCKDUCKGO_AD = duckduckgo_result(
    Page("An advertisement", AD_HREF), classes="results_links result--ad result--ad--small"
)
DUCKDUCKGO_NONE = """<div class="result results_links result--no-result"><div class="no-results">
    No results found for <b>x</b>.</div></div>"""
DUCKDUCKGO_CHALLENGE = """<form id="challenge-form" action="//duckduckgo.com/anomaly.js?sv=html&amp;cc=b" method="POST">
    <div class="anomaly-modal__mask"><div class="anomaly-modal__modal" data-testid="anomaly-modal">
    <div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div></div></div></form>"""


@dataclass
class DuckDuckGo:
    """`GET /html/`."""

    pages: Sequence[Page] = PAGES[:10]
    challenge_status: int | None = None

    def __call__(self, asked: Asked) -> Answered:
        if asked.path != "/html/":
            return Answered(404, b"not found", HTML)
        query = asked.query.get("q", "")
        if len(query) >= 500:
            return Answered(400, b"query too long", HTML)
        if self.challenge_status is not None:
            return Answered(self.challenge_status, duckduckgo_page(query, DUCKDUCKGO_CHALLENGE), HTML)
        results = [duckduckgo_result(page) for page in self.pages]
        inside = "".join([DUCKDUCKGO_AD, *results]) if results else DUCKDUCKGO_NONE
        return Answered(200, duckduckgo_page(query, inside), HTML)


# --- a server on loopback --------------------------------------------------------------------------------------------


@dataclass
class Served:
    """A double behind a real server; `asked` holds what came, `faults` what is said first instead."""

    url: str
    asked: list[Asked]
    faults: list[Answered | Callable[[BaseHTTPRequestHandler], None]]


@contextlib.contextmanager
def serve(double: Double) -> Iterator[Served]:
    """Serve a double on 127.0.0.1 until the end of the block."""
    served = Served("", [], [])

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(self.command, self.path, headers, body)
            served.asked.append(asked)
            fault = served.faults.pop(0) if served.faults else None
            if callable(fault):
                fault(self)
            else:
                self._say(fault or double(asked))

        do_POST = do_GET  # noqa: N815

        def _say(self, answer: Answered) -> None:
            self.send_response(answer.status)
            for name, value in (*answer.headers, ("Content-Length", str(len(answer.body)))):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, name="provider double", kwargs={"poll_interval": 0.01})
    thread.start()
    served.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
