"""The digest tools: the same browser, by numbers in a digest instead of selectors (DIGEST-01 to DIGEST-21).

An index counts for the generation that it was told with. Anything older, or gone, is answered with a fresh digest and
acted on by nobody (DIGEST-12).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from blitzweb.browser import filling, loading, mouse
from blitzweb.browser.busy import ending_scripts, give_up_if_hung, replace_tab
from blitzweb.browser.capture import take_shot
from blitzweb.browser.dialogs import dismiss_open
from blitzweb.browser.digest import await_quiet, check, find_text
from blitzweb.browser.doing import Doing
from blitzweb.browser.failures import BrowserFailure, DialogOpened, ElementGone, PageHung
from blitzweb.browser.locate import Place
from blitzweb.browser.settle import settling
from blitzweb.browser.workspace import Starter, Workspaces
from blitzweb.contract import digest as shapes
from blitzweb.contract import toolset
from blitzweb.contract.digest import (
    BrowserClickArguments,
    BrowserExtractArguments,
    BrowserFillArguments,
    BrowserFindArguments,
    BrowserNavigateArguments,
    BrowserScreenshotArguments,
    BrowserStateArguments,
    DigestOutput,
)
from blitzweb.contract.toolset import ToolShape
from blitzweb.errors import InvalidArguments, ToolFailure
from blitzweb.limits import ACTION_GRACE_SECONDS, MAX_FIELDS, MAX_FOUND_TEXTS, MAX_SETTLE_MS, QUIET_MS
from blitzweb.tools.browsing.attending import attending
from blitzweb.tools.browsing.deadlines import leave_margin
from blitzweb.tools.browsing.decisions import decide_navigation, decide_use
from blitzweb.tools.browsing.digests import DigestState, begin_digest, take_digest
from blitzweb.tools.browsing.downloads import collect
from blitzweb.tools.browsing.extract import Extracts, extract
from blitzweb.tools.browsing.outcome import PageState, look_at
from blitzweb.tools.browsing.scene import Equipment, Scene
from blitzweb.tools.browsing.shots import save_shot
from blitzweb.tools.call import Call, ToolResult

STALE = "ERROR: stale element index"


class Stale(ToolFailure):
    """Raised where an index is not to be acted on; answered with a fresh digest."""


class DigestTool:
    """What the digest tools share; each fills `Tool`. Calls of one workspace come one at a time."""

    shape: ClassVar[ToolShape]
    misfit: ClassVar[str]

    def __init__(self, equipment: Equipment, workspaces: Workspaces, starter: Starter) -> None:
        self._equipment = equipment
        self._workspaces = workspaces
        self._starter = starter

    @property
    def seconds(self) -> float:
        """The deadline of a call for which the host gives none."""
        return self._equipment.load_seconds + ACTION_GRACE_SECONDS

    def _open(self, call: Call, *, starts: bool = False) -> Scene:
        """Return the scene of a call; only navigation starts a browser."""
        workspace = self._workspaces.get(call.context.workspace)
        if workspace.chrome is None and not starts:
            raise BrowserFailure("there is no page yet", advice="browser_navigate loads one")
        deadline = leave_margin(call.deadline)
        call.enter("starting the browser")
        chrome = workspace.get(self._starter, deadline, call.cancel)
        call.enter(f"tool {call.tool}")
        give_up_if_hung(chrome, chrome.usable_tab(deadline), deadline)
        return Scene(equipment=self._equipment, workspace=workspace, chrome=chrome, call=call, deadline=deadline)

    def _act(self, scene: Scene, act: Callable[[Doing], str], **how: Any) -> ToolResult:
        """Do something to the page, and answer with what was done and the digest of what came of it."""
        doing = scene.doing
        dismiss_open(doing)
        said = ""
        with scene.workspace.use(), attending(doing.tab, scene.call):
            try:
                with ending_scripts(doing):
                    said = act(doing)
            except DialogOpened:
                said = "A dialog has opened"
            except (Stale, ElementGone) as stale:
                return self._answer_stale(scene, stale)
            for told in collect(scene):
                doing.tab.note(told)
        return self._answer(scene, said, **how)

    def _answer(
        self, scene: Scene, said: str = "", *, limit: int | None = None, changes_only: bool = False
    ) -> ToolResult:
        begun = begin_digest(scene)
        page = look_at(scene)
        if page.dialog is not None:
            return _answer_dialog(said, page)
        digest = take_digest(scene.doing, self._state(scene), page, begun, limit=limit, changes_only=changes_only)
        text = f"{page.mask(said)}\n\n{digest.text}" if said else digest.text
        return ToolResult(digest.output, text)

    def _answer_stale(self, scene: Scene, why: ToolFailure) -> ToolResult:
        begun, page = begin_digest(scene), look_at(scene)
        digest = take_digest(scene.doing, self._state(scene), page, begun)
        error = f"{STALE}: {why.message}"
        output = shapes.DigestOutput(**{**_members(digest.output), "error": error})
        return ToolResult(output, f"{error}\n\n{digest.text}", is_error=True)

    def _state(self, scene: Scene) -> DigestState:
        state = scene.workspace.digests
        if not isinstance(state, DigestState):
            state = scene.workspace.digests = DigestState()
        return state

    def _element(self, scene: Scene, index: int, generation: int) -> Any:
        """Return the element that an index means.

        Raises:
            Stale: it is of an older digest, or its document is gone.
            InvalidArguments: there is no such index.
        """
        state = self._state(scene)
        if state.generation == 0:
            raise Stale("no digest has been taken of this page yet")
        if generation != state.generation:
            raise Stale(f"generation {generation} is not the latest one ({state.generation}): the page has changed")
        if state.loader != scene.doing.tab.frames.main.loader:
            raise Stale("the page has changed: another document is shown now")
        if not 0 <= index < len(state.elements):
            there = f"0 to {len(state.elements) - 1}" if state.elements else "none"
            raise InvalidArguments(f"index {index} is not in generation {generation}: there are {there}")
        element = state.elements[index]
        check(element)
        return element


def _members(output: DigestOutput) -> dict[str, Any]:
    return {name: getattr(output, name) for name in output.__slots__}


def _answer_dialog(said: str, page: PageState) -> ToolResult:
    """Answer while a dialog keeps the page from being looked at."""
    assert page.dialog is not None, "the caller has looked"  # noqa: S101
    told = f'{said}: a {page.dialog.type} asks "{page.dialog.message}"; the next call dismisses it'
    answer = "the action dialog of the tool browser can accept it"
    text = "\n".join([f"{told} ({answer}).", f"URL: {page.url}", *page.notes])
    return ToolResult(DigestOutput(url=page.url or None, title=page.title or None), text)


class BrowserNavigate(DigestTool):
    """Loads a page."""

    shape = toolset.BROWSER_NAVIGATE
    misfit = "browser_navigate"

    def run(self, arguments: BrowserNavigateArguments, call: Call) -> ToolResult:
        """Load a URL, which is decided like web_fetch's, and give its digest."""
        decide_use(self._equipment, call, arguments.url)
        decide_navigation(self._equipment, arguments.url, call)
        scene = self._open(call, starts=True)
        return self._act(scene, lambda doing: self._load(scene, doing, arguments))

    def _load(self, scene: Scene, doing: Doing, arguments: BrowserNavigateArguments) -> str:
        try:
            loading.navigate(doing, arguments.url)
        except PageHung:
            with attending(replace_tab(scene.chrome, doing.tab, scene.deadline), scene.call):
                loading.navigate(scene.doing, arguments.url)
        longest = min(max(arguments.wait_ms, 0), MAX_SETTLE_MS)
        if longest:
            await_quiet(scene.doing, doing.tab.all_frames(), QUIET_MS, longest)
        return ""


class BrowserState(DigestTool):
    """Looks again."""

    shape = toolset.BROWSER_STATE
    misfit = "browser_state"

    def run(self, arguments: BrowserStateArguments, call: Call) -> ToolResult:
        """Scroll if asked to, and give a fresh digest."""
        decide_use(self._equipment, call, "state")
        scene = self._open(call)
        return self._act(
            scene,
            lambda doing: self._scroll(scene, doing, arguments),
            limit=arguments.max_elements,
            changes_only=arguments.changes_only,
        )

    def _scroll(self, scene: Scene, doing: Doing, arguments: BrowserStateArguments) -> str:
        if arguments.scroll_to_index is not None:
            state = self._state(scene)
            element = self._element(scene, arguments.scroll_to_index, state.generation)
            with settling(doing):
                doing.run(element.frame, "scrollToHandle", element.handle)
        elif arguments.scroll_pages:
            with settling(doing):
                doing.run(doing.tab.frames.main, "scrollPages", arguments.scroll_pages)
        return ""


class BrowserClick(DigestTool):
    """Clicks."""

    shape = toolset.BROWSER_CLICK
    misfit = "browser_click"

    def run(self, arguments: BrowserClickArguments, call: Call) -> ToolResult:
        """Click an element of the latest digest."""
        decide_use(self._equipment, call, "click")
        scene = self._open(call)
        return self._act(scene, lambda doing: self._click(scene, doing, arguments))

    def _click(self, scene: Scene, doing: Doing, arguments: BrowserClickArguments) -> str:
        element = self._element(scene, arguments.index, arguments.generation)
        line = self._state(scene).lines.get(element.identity, "")
        handle = element.handle if element.through is None else element.through
        mouse.click(doing, Place(element.frame, handle, f"[{arguments.index}] {line}".strip()))
        return f"Clicked [{arguments.index}] {line}".strip()


class BrowserFill(DigestTool):
    """Fills fields."""

    shape = toolset.BROWSER_FILL
    misfit = "browser_fill"

    def run(self, arguments: BrowserFillArguments, call: Call) -> ToolResult:
        """Fill a field, or several, and say what each holds afterwards."""
        decide_use(self._equipment, call, "fill")
        fields = _fields(arguments)
        scene = self._open(call)
        return self._act(scene, lambda doing: self._fill(scene, doing, arguments, fields))

    def _fill(self, scene: Scene, doing: Doing, arguments: BrowserFillArguments, fields: list[tuple[int, str]]) -> str:
        elements = [self._element(scene, index, arguments.generation) for index, _ in fields]
        said: list[str] = []
        for number, ((index, text), element) in enumerate(zip(fields, elements, strict=True), 1):
            submit = arguments.submit and number == len(fields)
            sensitive = self._equipment.browser.allow_sensitive_fill
            try:
                said.append(filling.fill(doing, index, element, text, sensitive=sensitive, submit=submit))
            except (BrowserFailure, DialogOpened) as failed:
                if not said or isinstance(failed, ElementGone):
                    raise
                raise BrowserFailure(
                    f"{'; '.join(said)}. Then: {getattr(failed, 'message', 'a dialog opened')}"
                ) from None
        return "\n".join(said)


def _fields(arguments: BrowserFillArguments) -> list[tuple[int, str]]:
    if arguments.fields:
        if arguments.index is not None or arguments.text is not None:
            raise InvalidArguments("browser_fill: give either index and text, or fields")
        if len(arguments.fields) > MAX_FIELDS:
            raise InvalidArguments(f"browser_fill: fields has {len(arguments.fields)} entries; {MAX_FIELDS} at most")
        return [(one.index, one.text) for one in arguments.fields]
    if arguments.index is None or arguments.text is None:
        raise InvalidArguments("browser_fill: index and text are needed, or fields")
    return [(arguments.index, arguments.text)]


class BrowserExtract(DigestTool):
    """Reads."""

    shape = toolset.BROWSER_EXTRACT
    misfit = "browser_extract"

    def __init__(self, equipment: Equipment, workspaces: Workspaces, starter: Starter, extracts: Extracts) -> None:
        super().__init__(equipment, workspaces, starter)
        self._extracts = extracts

    def run(self, arguments: BrowserExtractArguments, call: Call) -> ToolResult:
        """Give a part of the page's content."""
        decide_use(self._equipment, call, "extract")
        if arguments.mode == "html" and not arguments.selector:
            raise InvalidArguments("browser_extract: mode html needs selector")
        scene = self._open(call)
        dismiss_open(scene.doing)
        with scene.workspace.use():
            return extract(scene, self._extracts, arguments)


class BrowserFind(DigestTool):
    """Finds text."""

    shape = toolset.BROWSER_FIND
    misfit = "browser_find"

    def run(self, arguments: BrowserFindArguments, call: Call) -> ToolResult:
        """Tell where a text stands, and what can be used near it, by the indices of a digest taken now."""
        decide_use(self._equipment, call, "find")
        scene = self._open(call)
        doing = scene.doing
        dismiss_open(doing)
        with scene.workspace.use():
            state, begun, page = self._state(scene), begin_digest(scene), look_at(scene)
            take_digest(doing, state, page, begun)
            matches, total = find_text(doing, arguments.pattern, state.elements, MAX_FOUND_TEXTS)
        told = tuple(shapes.TextMatch(text=page.mask(one["text"]), indices=tuple(one["near"])) for one in matches)
        output = shapes.BrowserFindOutput(
            pattern=arguments.pattern, generation=state.generation, matches=told, total=total
        )
        return ToolResult(output, "\n".join(_found_lines(arguments.pattern, state, output)))


def _found_lines(pattern: str, state: DigestState, output: shapes.BrowserFindOutput) -> list[str]:
    lines = [f"Generation: {state.generation} (pass it to click and fill)"]
    if not output.matches:
        return [*lines, f'"{pattern}" is nowhere in the page that a person sees.']
    lines.append(f'"{pattern}" stands in {output.total} places:')
    for match in output.matches:
        near = ", ".join(f"[{index}]" for index in match.indices)
        lines.append(f"- {match.text}" + (f" (near {near})" if near else ""))
    if output.total is not None and output.total > len(output.matches):
        lines.append(f"(showing {len(output.matches)} of {output.total})")
    return lines


class BrowserScreenshot(DigestTool):
    """Pictures for the user."""

    shape = toolset.BROWSER_SCREENSHOT
    misfit = "browser_screenshot"

    def run(self, arguments: BrowserScreenshotArguments, call: Call) -> ToolResult:
        """Save a PNG for the user; the model is told where it is."""
        decide_use(self._equipment, call, "screenshot")
        scene = self._open(call)
        dismiss_open(scene.doing)
        with scene.workspace.use():
            png = take_shot(scene.doing, full_page=arguments.full_page)
        return save_shot(self._equipment.screenshots, call.context.workspace, arguments.filename, png)
