"""`web_fetch`: read one public page. Decide, ask, fetch, convert, tell (WEB-01 to WEB-08).

Nothing is sent before the decision; every redirect is decided on like the first URL, except that it never asks.
"""

from __future__ import annotations

from typing import ClassVar, Final

from blitzweb.content.document import Document
from blitzweb.content.pagination import Window, window
from blitzweb.content.sniff import split_content_type
from blitzweb.contract.toolset import WEB_FETCH, ToolShape
from blitzweb.contract.web_fetch import WebFetchArguments, WebFetchOutput
from blitzweb.errors import DeadlinePassed, FetchFailed, InvalidArguments, Refused
from blitzweb.limits import FETCH_USER_AGENT
from blitzweb.net.dialer import AddressRule
from blitzweb.net.failures import Phase, describe
from blitzweb.net.fetch import Fetcher, Plan, Response
from blitzweb.policy.decide import Policy
from blitzweb.policy.urls import Url
from blitzweb.policy.verdicts import SEEN_AT_DIALLING, Go, Reason, Refuse
from blitzweb.settings.tables import Web
from blitzweb.tools.call import Call, ToolResult
from blitzweb.tools.web_fetch_text import render
from blitzweb.workers.conversion import Converter

ACCEPT: Final = "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.5"
HEADERS: Final = {"User-Agent": FETCH_USER_AGENT, "Accept": ACCEPT, "Accept-Language": "en, *;q=0.5"}
FORMATS: Final = frozenset({"text", "markdown"})  # of the contract's; the others are not built yet


class WebFetch:
    """Reads pages. Holds no state of its own: connections are the fetcher's, answers the approver's."""

    shape: ClassVar[ToolShape] = WEB_FETCH
    misfit: ClassVar[str] = "web_fetch"

    def __init__(self, policy: Policy, fetcher: Fetcher, converter: Converter, web: Web) -> None:
        self._policy = policy
        self._fetcher = fetcher
        self._converter = converter
        self._web = web

    @property
    def seconds(self) -> float:
        """The deadline of a call for which the host gives none."""
        return self._web.timeout_seconds

    def run(self, arguments: WebFetchArguments, call: Call) -> ToolResult:
        """Read a page."""
        _refuse_unbuilt(arguments)
        url, go = self._decide(arguments.url, call)
        response = self._fetch(url, call)
        document = self._convert(response, arguments, call)
        part = window(document.content, arguments.offset, arguments.max_chars)
        error = _find_error(response, document, arguments)
        text = render(url, response, document, part, notes=[note for note in (error, go.note) if note])
        return ToolResult(_output(arguments, url, response, document, part, error), text, is_error=error is not None)

    def _decide(self, text: str, call: Call) -> tuple[Url, Go]:
        """Return the URL once it may be gone to."""
        url = self._policy.read_url(text, call.context)
        if isinstance(url, Refuse):
            call.approver.settle(url, call, target=text, detail=f"GET {text}")
            raise Refused(url.text, reason=url.reason.value)
        verdict = self._policy.decide_fetch(url, call.context)
        go = call.approver.settle(verdict, call, target=url.host, detail=f"GET {url.without_fragment}")
        return url, go

    def _fetch(self, url: Url, call: Call) -> Response:
        """Make the request. The tool's own time is up before the host's, unless the host gave less."""
        deadline = call.deadline.sooner(self._web.timeout_seconds)
        rule = AddressRule(opened=self._web.allow_private)
        plan = Plan(max_bytes=self._web.max_bytes, headers=HEADERS, rule=rule)

        def decide_hop(approved: Url, target: Url) -> None:
            verdict = self._policy.decide_hop(approved, target, call.context)
            if verdict is not None:
                detail = f"redirect GET {target.without_fragment}"
                call.approver.settle(verdict, call, target=target.host, detail=detail)

        def enter(phase: Phase) -> None:
            call.enter(f"{describe(phase)} ({phase}) of {url.host}")

        try:
            return self._fetcher.fetch(
                url, plan, deadline=deadline, cancel=call.cancel, decide_hop=decide_hop, enter=enter
            )
        except Refused as refused:
            self._record_refusal(refused, url, call)
            raise
        except FetchFailed as failure:
            if call.deadline.expired:
                raise DeadlinePassed(failure.message, advice=failure.advice, phase=failure.phase) from None
            raise

    def _record_refusal(self, refused: Refused, url: Url, call: Call) -> None:
        """Audit what was seen only at dialling; what the policy refused has been."""
        if Reason(refused.reason) in SEEN_AT_DIALLING:
            refusal = Refuse(Reason(refused.reason), refused.message)
            call.approver.settle(refusal, call, target=url.host, detail=f"GET {url.without_fragment}")

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
            parser="html5lib" if self._web.html_parser == "html5lib" else "auto",
            truncated=response.truncated,
        )


def _refuse_unbuilt(arguments: WebFetchArguments) -> None:
    """Refuse what the contract declares and this release does not do yet."""
    if arguments.format not in FORMATS:
        raise InvalidArguments(
            f'web_fetch: format "{arguments.format}" is not available in this release', advice='use "text"'
        )
    if arguments.render or arguments.pages is not None:
        name = "render" if arguments.render else "pages"
        raise InvalidArguments(f"web_fetch: {name} is not available in this release", advice=f"leave {name} out")


def _find_error(response: Response, document: Document, arguments: WebFetchArguments) -> str | None:
    if response.status >= 400:  # noqa: PLR2004 (WEB-07)
        return f"HTTP {response.status}"
    if arguments.offset > len(document.content):
        return f"offset {arguments.offset} is past the end: the content has {len(document.content)} characters"
    return None


def _output(  # noqa: PLR0917
    arguments: WebFetchArguments, url: Url, response: Response, document: Document, part: Window, error: str | None
) -> WebFetchOutput:
    del arguments
    return WebFetchOutput(
        url=url.href,
        final_url=response.url.href,
        status=response.status,
        content_type=response.headers.get("content-type") or document.media_type,
        title=document.title,
        format=document.format,
        content=part.content,
        truncated=response.truncated or part.next_offset is not None,
        offset=part.offset,
        next_offset=part.next_offset,
        total_chars=part.total_chars,
        hidden_dropped=document.hidden_dropped or None,
        error=error,
    )
