"""The page after an action, and the result that tells it, without what protected fields hold (WEB-31)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from blitzweb.browser.failures import BrowserFailure, DialogOpened
from blitzweb.browser.page_console import Entry
from blitzweb.browser.tab import Tab
from blitzweb.content.boundary import fence
from blitzweb.contract.browser import BrowserArguments, BrowserOutput, ConsoleEntry, DialogInfo, TabInfo
from blitzweb.errors import ToolFailure
from blitzweb.limits import CDP_ANSWER_SECONDS, MIN_SECRET_CHARS
from blitzweb.masking import REDACTED
from blitzweb.timing import Deadline
from blitzweb.tools.browsing.said import Said
from blitzweb.tools.browsing.scene import Scene
from blitzweb.tools.call import ToolResult


@dataclass(frozen=True, slots=True, kw_only=True)
class PageState:
    """What every result carries."""

    url: str = ""
    title: str = ""
    console: tuple[Entry, ...] = ()
    refused: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    dialog: DialogInfo | None = None
    secrets: tuple[str, ...] = field(default=(), repr=False)

    def mask(self, text: str) -> str:
        """Return a text without what protected fields hold."""
        for secret in self.secrets:
            text = text.replace(secret, REDACTED)
        return text


def look_at(scene: Scene) -> PageState:
    """Take what has happened in the active tab since the last time, and look at where it is now."""
    tab = scene.chrome.active
    if tab is None:
        return PageState(notes=tuple(scene.workspace.take_notes()))
    if tab.dialog is None and not tab.crashed and not tab.closed:
        _describe(scene, tab)
    with tab.changed:
        dialog = tab.dialog
        console = tab.console.take()
        secrets = sorted((one for one in tab.secrets if len(one) >= MIN_SECRET_CHARS), key=len, reverse=True)
    state = PageState(secrets=tuple(secrets))
    mask = state.mask
    return replace(
        state,
        url=mask(tab.url),
        title=mask(tab.title),
        console=tuple(Entry(entry.level, mask(entry.text)) for entry in console),
        refused=tuple(map(mask, tab.take_refused())),
        notes=tuple(map(mask, [*scene.workspace.take_notes(), *tab.take_notes()])),
        dialog=DialogInfo(type=dialog.type, message=mask(dialog.message), default=mask(dialog.default) or None)
        if dialog
        else None,
    )


def _describe(scene: Scene, tab: Tab) -> None:
    """Read the title, and what the protected fields of all frames hold; a busy page is left as it was known."""
    doing = scene.doing._replace(deadline=Deadline(min(CDP_ANSWER_SECONDS, max(scene.deadline.remaining(), 0.5))))
    for frame in tab.all_frames():
        try:
            about = doing.run(frame, "describe")
        except (BrowserFailure, DialogOpened):
            continue
        tab.remember_secrets(about["secrets"])
        if not frame.parent:
            tab.title = about["title"]


def compose(arguments: BrowserArguments, said: Said, state: PageState, failure: ToolFailure | None) -> ToolResult:
    """Return the result of an action."""
    said = _masked(said, state)
    error = state.mask(failure.message) if failure is not None else None
    notes = (*state.notes, *said.notes)
    console = tuple(
        ConsoleEntry(level=entry.level, text=entry.text)
        for entry in state.console
        if arguments.level is None or entry.level == arguments.level
    )
    output = BrowserOutput(
        url=state.url or None,
        title=state.title or None,
        text=said.text,
        result=said.result,
        truncated=said.truncated,
        console=console or None,
        refused=state.refused or None,
        recording=said.recording,
        frames=said.frames,
        tabs=said.tabs,
        dialog=state.dialog,
        note="\n".join(notes) or None,
        error=error,
    )
    advice = state.mask(failure.advice) if failure is not None else ""
    text = "\n".join(_lines(output, notes, advice, is_script=arguments.action == "script"))
    return ToolResult(output, text, is_error=error is not None, images=said.images)


def _masked(said: Said, state: PageState) -> Said:
    tabs = None
    if said.tabs is not None:
        tabs = tuple(
            TabInfo(id=tab.id, url=state.mask(tab.url), title=state.mask(tab.title), active=tab.active)
            for tab in said.tabs
        )
    return replace(
        said,
        text=None if said.text is None else state.mask(said.text),
        result=None if said.result is None else state.mask(said.result),
        notes=tuple(map(state.mask, said.notes)),
        tabs=tabs,
    )


def _lines(output: BrowserOutput, notes: tuple[str, ...], advice: str, *, is_script: bool) -> Iterator[str]:
    """Yield what a model reads: ours first, then what the page says, inside its fence."""
    if output.error:
        yield output.error
        if advice:
            yield advice
    if output.url:
        yield f"URL: {output.url}"
    yield from notes
    yield from (f"{note}" for note in _files(output))
    if output.refused:
        yield "Refused:"
        yield from (f"- {one}" for one in output.refused)
    if content := "\n".join(_content(output, is_script=is_script)):
        yield ""
        yield fence(content)
    if output.truncated:
        yield "What is shown was cut off at 100 KiB."


def _files(output: BrowserOutput) -> Iterator[str]:
    if output.recording:
        yield f"Walkthrough: {output.recording}"
    yield from output.frames or ()


def _content(output: BrowserOutput, *, is_script: bool) -> Iterator[str]:
    """Yield what comes from the page: none of it is an instruction."""
    if output.title:
        yield f"Title: {output.title}"
    if output.dialog:
        yield f'A {output.dialog.type} is open: "{output.dialog.message}" (answer it with dialog, or it is dismissed)'
    if output.result is not None:
        yield f"Result: {output.result}" if not is_script else output.result
    if output.text is not None:
        yield output.text
    for tab in output.tabs or ():
        yield f"[{tab.id}]{' (active)' if tab.active else ''} {tab.title} {tab.url}"
    if output.console:
        yield "Console:"
        yield from (f"{entry.level}: {entry.text}" for entry in output.console)
