"""The tool `browser`: what is decided before anything starts, one action, the page as it is then (WEB-30 to WEB-37).

Order: network and mode, arguments, the decision on a URL or a script, the browser, the action. Every result carries
URL, title, console and refusals, one with an error too; no result shows what a protected field holds.
"""

from __future__ import annotations

from typing import ClassVar

from blitzweb.browser.busy import ending_scripts, give_up_if_hung
from blitzweb.browser.dialogs import dismiss_open
from blitzweb.browser.failures import BrowserFailure, DialogOpened
from blitzweb.browser.workspace import Starter, Workspaces
from blitzweb.contract.browser import BrowserArguments
from blitzweb.contract.toolset import BROWSER, ToolShape
from blitzweb.errors import ToolFailure
from blitzweb.limits import ACTION_GRACE_SECONDS, VIDEO_SECONDS
from blitzweb.pictures.step import Step
from blitzweb.tools.browsing.actions import ACTIONS, RECORDED
from blitzweb.tools.browsing.attending import attending
from blitzweb.tools.browsing.deadlines import leave_margin
from blitzweb.tools.browsing.decisions import decide
from blitzweb.tools.browsing.downloads import collect
from blitzweb.tools.browsing.needs import check_needs, read_steps
from blitzweb.tools.browsing.outcome import PageState, compose, look_at
from blitzweb.tools.browsing.pictures import add_frame, tell_finished
from blitzweb.tools.browsing.said import Said
from blitzweb.tools.browsing.scene import Equipment, Scene
from blitzweb.tools.call import Call, ToolResult

_OPENS_BLANK = frozenset({"console", "read", "record", "tabs", "wait", "emulate", "cookies", "network", "dialog"})


class BrowserTool:
    """Fills `Tool`. Calls of one workspace come one at a time."""

    shape: ClassVar[ToolShape] = BROWSER
    misfit: ClassVar[str] = "browser"

    def __init__(self, equipment: Equipment, workspaces: Workspaces, starter: Starter) -> None:
        self._equipment = equipment
        self._workspaces = workspaces
        self._starter = starter

    @property
    def seconds(self) -> float:
        """The deadline of a call for which the host gives none."""
        return self._equipment.load_seconds + ACTION_GRACE_SECONDS

    def run(self, arguments: BrowserArguments, call: Call) -> ToolResult:
        """Do one action, or several in `steps`."""
        check_needs(arguments)
        steps = read_steps(arguments.steps or ()) if arguments.action == "steps" else [arguments]
        workspace = self._workspaces.get(call.context.workspace)
        with workspace.use():
            result = self._run_one(steps[0], call)
            for step in steps[1:]:
                if result.is_error or result.output.dialog is not None:
                    break
                result = self._run_one(step, call)
            return result

    def _run_one(self, arguments: BrowserArguments, call: Call) -> ToolResult:
        decide(self._equipment, arguments, call)
        workspace = self._workspaces.get(call.context.workspace)
        if arguments.action == "close":
            finished = workspace.close()
            return compose(arguments, tell_finished(finished) if finished else Said(), PageState(), None)
        if arguments.action == "stop_recording":
            recording, workspace.recording = workspace.recording, None
            if recording is None:
                raise BrowserFailure("no walkthrough is being recorded", advice="record begins one")
            seconds = min(VIDEO_SECONDS, leave_margin(call.deadline).remaining())
            return compose(arguments, tell_finished(recording.finish(video_seconds=seconds)), PageState(), None)
        return self._act(arguments, call)

    def _act(self, arguments: BrowserArguments, call: Call) -> ToolResult:
        deadline = leave_margin(call.deadline)
        workspace = self._workspaces.get(call.context.workspace)
        if workspace.chrome is None and arguments.action not in _OPENS_BLANK | {"navigate"}:
            _refuse_without_page(arguments.action)
        call.enter("starting the browser")
        chrome = workspace.get(self._starter, deadline, call.cancel)
        call.enter(f"action {arguments.action}")
        scene = Scene(equipment=self._equipment, workspace=workspace, chrome=chrome, call=call, deadline=deadline)
        give_up_if_hung(chrome, chrome.usable_tab(deadline), deadline)
        doing = scene.doing
        said, failure = Said(), None
        if arguments.action != "dialog":
            dismiss_open(doing)
        with attending(doing.tab, call):
            try:
                with ending_scripts(doing):
                    said = ACTIONS[arguments.action](arguments, scene)
            except DialogOpened:
                pass  # told in the result
            except ToolFailure as failed:
                failure = failed
            for told in collect(scene):
                doing.tab.note(told)
        state = look_at(scene)
        if failure is None and arguments.action in RECORDED and workspace.recording is not None:
            add_frame(scene.doing, workspace.recording, _step(arguments, said, state))
        return compose(arguments, said, state, failure)


def _refuse_without_page(action: str) -> None:
    raise BrowserFailure(f"there is no page yet for {action}", advice="navigate to one first")


def _step(arguments: BrowserArguments, said: Said, state: PageState) -> Step:
    return Step(
        action=arguments.action,
        target=state.mask(arguments.selector or arguments.url or ""),
        url=state.url,
        title=state.title,
        point=said.point,
        text=state.mask(said.typed),
        refused=state.refused,
    )
