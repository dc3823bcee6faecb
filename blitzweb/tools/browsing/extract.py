"""`browser_extract`: what a person sees of the page as markdown, its links, or the markup of an element (DIGEST-10).

The markdown comes from the converter of web_fetch. What was made of a page is kept while it is read on, so that its
parts fit together however the page changes meanwhile.
"""

from __future__ import annotations

import threading
from typing import Any, NamedTuple

from blitzweb.browser.doing import Doing
from blitzweb.browser.failures import BrowserFailure
from blitzweb.browser.inspection import inspect
from blitzweb.browser.locate import Place, locate_any
from blitzweb.browser.reading import read_html
from blitzweb.content.boundary import fence
from blitzweb.content.pagination import window
from blitzweb.contract.digest import BrowserExtractArguments, BrowserExtractOutput
from blitzweb.errors import InvalidArguments
from blitzweb.limits import MAX_KEPT_PAGES, MAX_VISIBLE_HTML_CHARS
from blitzweb.tools.browsing.outcome import PageState, look_at
from blitzweb.tools.browsing.scene import Scene
from blitzweb.tools.call import ToolResult
from blitzweb.workers.conversion import Converter


class Key(NamedTuple):
    """What an extract was made of."""

    workspace: str
    document: str
    mode: str
    selector: str


class Extracts:
    """The last extracts, for reading on; safe from any thread."""

    def __init__(self, converter: Converter) -> None:
        self.converter = converter
        self._lock = threading.Lock()
        self._kept: dict[Key, str] = {}

    def find(self, key: Key) -> str | None:
        """Return an extract that was kept."""
        with self._lock:
            return self._kept.get(key)

    def keep(self, key: Key, content: str) -> None:
        """Keep an extract, in place of the oldest."""
        with self._lock:
            self._kept.pop(key, None)
            self._kept[key] = content
            if len(self._kept) > MAX_KEPT_PAGES:
                del self._kept[next(iter(self._kept))]


def extract(scene: Scene, extracts: Extracts, arguments: BrowserExtractArguments) -> ToolResult:
    """Return the part that was asked for.

    Raises:
        BrowserFailure: the selector matches nothing.
        InvalidArguments: the offset is past the end.
    """
    doing, page = scene.doing, look_at(scene)
    main = doing.tab.frames.main
    key = Key(scene.workspace.name, f"{main.id} {main.loader}", arguments.mode, arguments.selector or "")
    content = extracts.find(key) if arguments.offset else None
    if content is None:
        content = scene.call.guard.apply(page.mask(_MAKERS[arguments.mode](doing, scene, extracts, arguments.selector)))
        extracts.keep(key, content)
    if arguments.offset > len(content):
        raise InvalidArguments(
            f"browser_extract: offset {arguments.offset} is past the end: there are {len(content)} characters"
        )
    return _tell(page, arguments, content)


def _tell(page: PageState, arguments: BrowserExtractArguments, content: str) -> ToolResult:
    part = window(content, arguments.offset, arguments.max_chars)
    end = part.offset + len(part.content)
    if part.next_offset is None and part.offset == 0:
        span = f"{part.total_chars} chars"
    else:
        more = f" (pass offset={part.next_offset} for more)" if part.next_offset is not None else ""
        span = f"chars {part.offset}-{end} of {part.total_chars}{more}"
    output = BrowserExtractOutput(
        url=page.url or None,
        mode=arguments.mode,
        content=part.content,
        offset=part.offset,
        next_offset=part.next_offset,
        total_chars=part.total_chars,
    )
    return ToolResult(output, f"URL: {page.url}\n{span}\n\n{fence(part.content)}")


def _place(doing: Doing, selector: str | None) -> Place | None:
    return locate_any(doing, selector) if selector else None


def _text(doing: Doing, scene: Scene, extracts: Extracts, selector: str | None) -> str:
    place = _place(doing, selector)
    frames = [place.frame] if place is not None else doing.tab.all_frames()
    parts = []
    for frame in frames:
        try:
            inspect(doing, frame)
            handle = place.handle if place is not None else None
            seen = doing.run(frame, "visibleHtml", handle, MAX_VISIBLE_HTML_CHARS)
        except BrowserFailure:
            if place is not None or not frame.parent:
                raise
            continue
        document = extracts.converter.convert(
            seen["html"].encode("utf-8", "replace"),
            deadline=scene.deadline,
            cancel=scene.call.cancel,
            media_type="text/html",
            charset="utf-8",
            url=frame.url,
            format="markdown",
        )
        if document.content.strip():
            parts.append(
                document.content if not frame.parent else f"--- frame {frame.url[:200]} ---\n{document.content}"
            )
    return "\n\n".join(parts)


def _links(doing: Doing, _scene: Scene, _extracts: Extracts, selector: str | None) -> str:
    place = _place(doing, selector)
    frames = [place.frame] if place is not None else doing.tab.all_frames()
    lines: dict[str, None] = {}
    for frame in frames:
        inspect(doing, frame)
        found: list[Any] = doing.run(frame, "links", place.handle if place is not None else None)
        lines.update(dict.fromkeys(f"[{text}]({url})" for text, url in found))
    return "\n".join(lines)


def _html(doing: Doing, _scene: Scene, _extracts: Extracts, selector: str | None) -> str:
    return read_html(doing, _place(doing, selector)).text


_MAKERS = {"text": _text, "links": _links, "html": _html}
