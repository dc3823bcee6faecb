"""`web_fetch`: read one public page. Decide, ask, fetch, convert, tell (WEB-01 to WEB-08).

Nothing is sent before the decision; every redirect is decided on like the first URL, except that it never asks.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import ClassVar, Final

from blitzweb.content.document import Document
from blitzweb.content.head import refresh_target
from blitzweb.content.pagination import Window, window
from blitzweb.content.sniff import split_content_type
from blitzweb.content.targets import Targets
from blitzweb.contract.toolset import WEB_FETCH, ToolShape
from blitzweb.contract.web_fetch import WebFetchArguments, WebFetchOutput
from blitzweb.errors import DeadlinePassed, FetchFailed, InvalidArguments, Refused
from blitzweb.limits import FETCH_USER_AGENT, PAGE_KEPT_SECONDS
from blitzweb.net.dialer import AddressRule
from blitzweb.net.failures import Phase, describe
from blitzweb.net.fetch import Fetcher, Plan, Response
from blitzweb.policy.decide import BROWSER, Policy
from blitzweb.policy.texts import without_credentials
from blitzweb.policy.urls import Url, parse_url
from blitzweb.policy.verdicts import Ask, Refuse
from blitzweb.settings.tables import Web
from blitzweb.tools.browsing.render import PageRenderer, Rendered
from blitzweb.tools.call import Call, ToolResult
from blitzweb.tools.fetched import Fetched, FetchedPages, Key
from blitzweb.tools.trail import Trail
from blitzweb.tools.web_fetch_text import render
from blitzweb.workers.conversion import Converter

ACCEPT: Final = "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.5"
HEADERS: Final = {"User-Agent": FETCH_USER_AGENT, "Accept": ACCEPT, "Accept-Language": "en, *;q=0.5"}


class WebFetch:
    """Reads pages, and keeps what it read for a short while; connections are the fetcher's, answers the approver's."""

    shape: ClassVar[ToolShape] = WEB_FETCH
    misfit: ClassVar[str] = "web_fetch"

    def __init__(
        self, policy: Policy, fetcher: Fetcher, converter: Converter, web: Web, renderer: PageRenderer | None
    ) -> None:
        self._renderer = renderer
        self._policy = policy
        self._fetcher = fetcher
        self._converter = converter
        self._web = web
        self._kept = FetchedPages()

    @property
    def seconds(self) -> float:
        """The deadline of a call for which the host gives none."""
        return self._web.timeout_seconds

    def run(self, arguments: WebFetchArguments, call: Call) -> ToolResult:
        """Read a page, or go on with one."""
        renderer = self._renderer_of(arguments, call)
        policy = self._policy if renderer is None else renderer.policy
        url = self._read_url(policy, arguments.url, call)
        key = Key(call.context.session, url.without_fragment, arguments.format, arguments.pages, arguments.render)
        verdict = policy.decide_fetch(url, call.context)
        fetched = self._kept.find(key, _allowed_age(arguments))
        go, ended = None, self._kept.ended
        if fetched is None or not isinstance(verdict, Ask):  # what is kept was approved, unless it is refused by now
            go = call.approver.settle(verdict, call, target=url.host, detail=f"GET {url.without_fragment}")
        if fetched is None:
            response = self._fetch(url, call) if renderer is None else _rendered(renderer.render(url, call))
            fetched = _made(response, _guarded(self._convert(response, arguments, call), call))
            self._kept.keep(key, fetched, ended=ended)
        return _tell(url, arguments, fetched, note=go.note if go else "")

    def end_session(self, session: str) -> None:
        """Forget what was kept for a session."""
        self._kept.end_session(session)

    def _renderer_of(self, arguments: WebFetchArguments, call: Call) -> PageRenderer | None:
        """Return what renders the page, if that was asked for."""
        if not arguments.render:
            return None
        if self._renderer is None:
            raise InvalidArguments("web_fetch: render needs the browser, which is off (browser.enabled = false)")
        if refusal := self._renderer.policy.refuse_tool(BROWSER, call.context):
            call.approver.settle(refusal, call, target="render", detail=f"render {without_credentials(arguments.url)}")
        return self._renderer

    def _read_url(self, policy: Policy, text: str, call: Call) -> Url:
        url = policy.read_url(text, call.context)
        if isinstance(url, Refuse):
            shown = without_credentials(text)
            call.approver.settle(url, call, target=shown, detail=f"GET {shown}")
            raise Refused(url.text, reason=url.reason.value)
        return url

    def _fetch(self, url: Url, call: Call) -> Response:
        """Make the request. The tool's own time is up before the host's, unless the host gave less."""
        deadline = call.deadline.sooner(self._web.timeout_seconds)
        rule = AddressRule(opened=self._web.allow_private)
        plan = Plan(max_bytes=self._web.max_bytes, headers=HEADERS, rule=rule)

        trail = Trail(url, call)

        def decide_hop(approved: Url, target: Url) -> None:
            verdict = self._policy.decide_hop(approved, target, call.context)
            trail.follow(target)
            if verdict is not None:
                trail.settle(verdict)

        steps = count(1)

        def enter(phase: Phase) -> None:
            call.enter(f"{describe(phase)} ({phase}) of {url.host}")
            call.progress(next(steps), None, f"{describe(phase)} of {url.host}")

        try:
            return self._fetcher.fetch(
                url, plan, deadline=deadline, cancel=call.cancel, decide_hop=decide_hop, enter=enter
            )
        except Refused as refused:
            trail.record(refused)
            raise
        except FetchFailed as failure:
            if call.deadline.expired:
                raise DeadlinePassed(failure.message, advice=failure.advice, phase=failure.phase) from None
            raise

    def _convert(self, response: Response, arguments: WebFetchArguments, call: Call) -> Document:
        media_type, charset = split_content_type(response.headers.get("content-type"))
        call.enter("reading")
        return self._converter.convert(
            response.body,
            deadline=call.deadline,
            cancel=call.cancel,
            media_type=media_type,
            charset=charset,
            url=response.url.href,
            format=arguments.format,
            pages=arguments.pages,
            parser="html5lib" if self._web.html_parser == "html5lib" else "auto",
            truncated=response.truncated,
        )


_OK: Final = 200


def _guarded(document: Document, call: Call) -> Document:
    """Return a document as it may leave, before it is cut into parts: what a pattern finds may lie across a cut."""
    return replace(document, content=call.guard.apply(document.content)) if call.guard.active else document


def _rendered(page: Rendered) -> Response:
    """Return a rendered page as a response that was read."""
    headers = {"content-type": "text/html; charset=utf-8"}
    return Response(parse_url(page.url), _OK, headers, page.html, page.truncated)


def _allowed_age(arguments: WebFetchArguments) -> float:
    """Return how old a kept page may be: going on with a page is a part of reading it."""
    return PAGE_KEPT_SECONDS if arguments.offset else arguments.max_age_s


def _made(response: Response, document: Document) -> Fetched:
    header = response.headers.get("refresh")
    refresh = refresh_target(header, Targets(response.url.href)) if header else None
    return Fetched(
        final_url=response.url.href,
        status=response.status,
        content_type=response.headers.get("content-type") or document.media_type,
        body_bytes=len(response.body),
        truncated=response.truncated,
        refresh=refresh or document.refresh,
        document=document,
    )


def _tell(url: Url, arguments: WebFetchArguments, fetched: Fetched, *, note: str) -> ToolResult:
    """Return the part of a page that was asked for."""
    content = fetched.document.content
    if arguments.offset > len(content):
        raise InvalidArguments(
            f"web_fetch: offset {arguments.offset} is past the end: the content has {len(content)} characters"
        )
    part = window(content, arguments.offset, arguments.max_chars)
    error = f"HTTP {fetched.status}" if fetched.status >= 400 else None  # noqa: PLR2004 (WEB-07)
    text = render(url.href, fetched, part, notes=[note] if note else [])
    return ToolResult(_output(url, fetched, part, error), text, is_error=error is not None)


def _output(url: Url, fetched: Fetched, part: Window, error: str | None) -> WebFetchOutput:
    document = fetched.document
    return WebFetchOutput(
        url=url.href,
        final_url=fetched.final_url,
        status=fetched.status,
        content_type=fetched.content_type,
        title=document.title,
        format=document.format,
        content=part.content,
        truncated=fetched.truncated or document.truncated or part.next_offset is not None,
        offset=part.offset,
        next_offset=part.next_offset,
        total_chars=part.total_chars,
        hidden_dropped=document.hidden_dropped or None,
        error=error,
    )
