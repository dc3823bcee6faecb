"""`web_open`, `web_find`, `web_click`: walk pages by reference, never by URL (PAGE-02, PAGE-03, PAGE-04, PAGE-06).

Arguments name what is in the store; the only URLs that are gone to are those that stand there, and their redirects.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from blitzweb.contract.pages import (
    LineMatch,
    PageLine,
    PageLink,
    WebClickArguments,
    WebFindArguments,
    WebFindOutput,
    WebOpenArguments,
    WebPageOutput,
)
from blitzweb.contract.toolset import WEB_CLICK, WEB_FIND, WEB_OPEN, ToolShape
from blitzweb.errors import FetchFailed, Refused, UnusableContent
from blitzweb.limits import PAGE_SECONDS
from blitzweb.net.fetch import DecideHop, Fetcher
from blitzweb.pages.client import Fetched, fetch_page
from blitzweb.pages.entries import Content, Entry, Page
from blitzweb.pages.extract import bound_outline, extract_plain
from blitzweb.pages.failures import PREFIX, PageFailed, Trouble, explain_refusal
from blitzweb.pages.find import find_lines
from blitzweb.pages.store import Cleared, PageStore, Revoked, TooLarge, Visit, is_ref
from blitzweb.pages.window import render_window
from blitzweb.policy.decide import Policy
from blitzweb.policy.pages import decide_page, refuse_page_hop
from blitzweb.policy.urls import Url, UrlRefused, parse_url
from blitzweb.policy.verdicts import Verdict
from blitzweb.tools.call import Call, ToolResult
from blitzweb.tools.trail import Trail
from blitzweb.workers.conversion import Converter

if TYPE_CHECKING:
    from blitzweb.content.tree import Parser

MISFIT = f"{PREFIX}{Trouble.INVALID.value}"

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")


class Walker:
    """What the three tools share: the store, and the way to a page. `asks` is `pages.approval = "ask"`."""

    def __init__(
        self,
        policy: Policy,
        fetcher: Fetcher,
        store: PageStore,
        converter: Converter,
        *,
        asks: bool,
        parser: Parser,
        log: Callable[[str], object],
    ) -> None:
        self._policy = policy
        self._fetcher = fetcher
        self._store = store
        self._converter = converter
        self._asks = asks
        self._parser = parser
        self._log = log

    def enter(self, ref: str, call: Call) -> tuple[Visit, Entry]:
        """Begin a call; return what stands under its reference."""
        if not is_ref(ref):
            raise PageFailed(Trouble.INVALID, f"ref_id takes a reference such as web-3, not {ref[:80]!r}")
        try:
            visit = self._store.begin(call.context.session, call.context.workspace)
            entry = self._store.find(visit, ref)
        except Revoked:
            raise PageFailed(Trouble.REVOKED) from None
        except Cleared:
            entry = None
        if entry is None:
            raise PageFailed(Trouble.UNKNOWN)
        return visit, entry

    def enter_page(self, ref: str, call: Call) -> tuple[Visit, Page]:
        """Begin a call that needs an opened page."""
        visit, entry = self.enter(ref, call)
        if not isinstance(entry, Page):
            raise PageFailed(Trouble.INVALID, f"{ref} is a search result; open it with web_open first")
        return visit, entry

    def open(self, target: str, source_ref: str, visit: Visit, call: Call) -> tuple[str, Page, str]:
        """Go to a URL of the store; return the new reference, the page, and a note of the approval."""
        call.enter("opening a page")
        trail, note, decide_hop = self._decide(target, call)

        def report(error: Refused | FetchFailed) -> None:
            self._log(f"{trail.here.host}: {error.message}")
            if isinstance(error, Refused):
                trail.record(error)

        fetched = fetch_page(
            self._fetcher, trail.here, deadline=call.deadline, cancel=call.cancel, decide_hop=decide_hop, report=report
        )
        page = Page(fetched.url.without_fragment, self._extract(fetched, call), source_ref)
        return self._keep(visit, page), page, note

    def _decide(self, target: str, call: Call) -> tuple[Trail, str, DecideHop]:
        """Decide on a URL; return also how to decide on where it redirects to."""
        try:
            url = parse_url(target)
        except UrlRefused as refused:
            self._log(refused.text)
            raise PageFailed(Trouble.DESTINATION) from None
        trail, decided = Trail(url, call), set[str]()

        def settle(verdict: Verdict) -> str:
            try:
                go = trail.settle(verdict)
            except Refused as refused:
                self._log(f"{trail.here.host}: {refused.message}")
                raise explain_refusal(refused) from None
            decided.add(trail.here.host)
            return go.note

        def decide_hop(approved: Url, hop: Url) -> None:
            verdict = refuse_page_hop(self._policy, approved, hop, call.context, call.tool)
            trail.follow(hop)
            if verdict is not None or hop.host not in decided:
                settle(verdict or decide_page(self._policy, hop, call.context, call.tool, asks=self._asks))

        verdict = decide_page(self._policy, url, call.context, call.tool, asks=self._asks)
        return trail, settle(verdict), decide_hop

    def _extract(self, fetched: Fetched, call: Call) -> Content:
        if fetched.media_type == "text/plain":
            return extract_plain(fetched.body, fetched.charset)
        try:
            outline = self._converter.outline(
                fetched.body,
                deadline=call.deadline,
                cancel=call.cancel,
                charset=fetched.charset,
                url=fetched.url.href,
                parser=self._parser,
            )
        except UnusableContent as unusable:
            self._log(f"{fetched.url.host}: {unusable.message}")
            raise PageFailed(Trouble.UNPARSEABLE) from None
        return bound_outline(outline)

    def _keep(self, visit: Visit, page: Page) -> str:
        try:
            (ref,) = self._store.add(visit, [page])
        except Revoked:
            raise PageFailed(Trouble.REVOKED) from None
        except Cleared:
            raise PageFailed(Trouble.UNKNOWN) from None
        except TooLarge:
            raise PageFailed(Trouble.RESPONSE) from None
        assert ref is not None, "one entry within the bound always has room"  # noqa: S101
        return ref


class _PageTool:
    """What the tools of the family have in common."""

    misfit: ClassVar[str] = MISFIT

    def __init__(self, walker: Walker) -> None:
        self._walker = walker

    @property
    def seconds(self) -> float:
        """The deadline of a call for which the host gives none."""
        return PAGE_SECONDS


class WebOpen(_PageTool):
    """Opens a source, or shows more of a page."""

    shape: ClassVar[ToolShape] = WEB_OPEN

    def run(self, arguments: WebOpenArguments, call: Call) -> ToolResult:
        """Open a reference: a page is shown again as it is, a source is always fetched."""
        visit, entry = self._walker.enter(arguments.ref_id, call)
        if isinstance(entry, Page):
            return _show(arguments.ref_id, entry, arguments.line)
        ref, page, note = self._walker.open(entry.url, arguments.ref_id, visit, call)
        return _show(ref, page, arguments.line, note)


class WebClick(_PageTool):
    """Follows a link of a page."""

    shape: ClassVar[ToolShape] = WEB_CLICK

    def run(self, arguments: WebClickArguments, call: Call) -> ToolResult:
        """Open a link, whether or not it was displayed."""
        visit, page = self._walker.enter_page(arguments.ref_id, call)
        if arguments.id < 1:
            raise PageFailed(Trouble.INVALID, f"id takes the number of a link, from 1 up, not {arguments.id}")
        if arguments.id > len(page.content.links):
            raise PageFailed(Trouble.UNKNOWN)
        link = page.content.links[arguments.id - 1]
        ref, opened, note = self._walker.open(link.url, arguments.ref_id, visit, call)
        return _show(ref, opened, 1, note)


class WebFind(_PageTool):
    """Finds text in a page."""

    shape: ClassVar[ToolShape] = WEB_FIND

    def run(self, arguments: WebFindArguments, call: Call) -> ToolResult:
        """Find literal text; nothing is sent."""
        _, page = self._walker.enter_page(arguments.ref_id, call)
        pattern = _CONTROLS.sub("", arguments.pattern)
        if not pattern:
            raise PageFailed(Trouble.INVALID, "pattern takes text to look for")
        found = find_lines(arguments.ref_id, page.content.lines, pattern)
        output = WebFindOutput(
            ref_id=arguments.ref_id,
            pattern=pattern,
            matches=tuple(LineMatch(line=match.line, text=match.text) for match in found.shown),
            total=found.total,
        )
        return ToolResult(output, found.text)


def _show(ref: str, page: Page, line: int, note: str = "") -> ToolResult:
    """Return a window of a page."""
    content = page.content
    if line > len(content.lines) + 1:
        why = f"line {line} is past the end: {ref} has {len(content.lines)} lines"
        raise PageFailed(Trouble.INVALID, why)
    shown = render_window(ref, page, line)
    lines = (PageLine(number=number, text=content.lines[number - 1]) for number in shown.lines)
    links = (PageLink(id=number, **content.links[number - 1]._asdict()) for number in shown.links)
    output = WebPageOutput(
        ref_id=ref,
        source_ref=page.source_ref,
        url=page.url,
        title=content.title or None,
        lines=tuple(lines),
        total_lines=len(content.lines),
        links=tuple(links),
    )
    return ToolResult(output, f"{shown.text}\n{note}" if note else shown.text)
