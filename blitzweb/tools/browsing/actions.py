"""The actions of `browser` that drive the page; each takes its arguments and a scene, and says what there is to say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from blitzweb.browser import keyboard, loading, mouse, reading, tabs
from blitzweb.browser.choose import choose_options
from blitzweb.browser.dialogs import answer_dialog
from blitzweb.browser.emulate import clear_cookies, emulate
from blitzweb.browser.network import describe_request, describe_requests
from blitzweb.browser.scroll import scroll
from blitzweb.browser.tab import DialogAnswer
from blitzweb.browser.wait import Wanted, wait_until
from blitzweb.contract.browser import BrowserArguments
from blitzweb.limits import WAIT_SECONDS
from blitzweb.tools.browsing import files, pictures
from blitzweb.tools.browsing.said import Said
from blitzweb.tools.browsing.scene import Scene

Action = Callable[[BrowserArguments, Scene], Said]


def navigate(arguments: BrowserArguments, scene: Scene) -> Said:
    """Go to a URL, which has been decided."""
    loading.navigate(scene.doing, arguments.url or "about:blank")
    return Said()


def back(_arguments: BrowserArguments, scene: Scene) -> Said:
    """Go back."""
    loading.go_through_history(scene.doing, -1)
    return Said()


def forward(_arguments: BrowserArguments, scene: Scene) -> Said:
    """Go forward."""
    loading.go_through_history(scene.doing, 1)
    return Said()


def reload(_arguments: BrowserArguments, scene: Scene) -> Said:
    """Load the page anew."""
    loading.reload(scene.doing)
    return Said()


def click(arguments: BrowserArguments, scene: Scene) -> Said:
    """Click an element."""
    place = scene.locate(arguments.selector or "")
    point = mouse.click(scene.doing, place, button=arguments.button or "left", count=arguments.count or 1)
    return Said(result=f"clicked {place.element}", point=point, notes=_noted(place.note))


def hover(arguments: BrowserArguments, scene: Scene) -> Said:
    """Move the mouse over an element."""
    place = scene.locate(arguments.selector or "")
    point = mouse.hover(scene.doing, place)
    return Said(result=f"the mouse is over {place.element}", point=point, notes=_noted(place.note))


def drag(arguments: BrowserArguments, scene: Scene) -> Said:
    """Drag an element onto another."""
    place, target = scene.locate(arguments.selector or ""), scene.locate(arguments.to or "")
    point = mouse.drag(scene.doing, place, target)
    return Said(
        result=f"dragged {place.element} to {target.element}", point=point, notes=_noted(place.note, target.note)
    )


def type_text(arguments: BrowserArguments, scene: Scene) -> Said:
    """Type into a field."""
    place, text = scene.locate(arguments.selector or ""), arguments.text or ""
    typed = keyboard.type_text(scene.doing, place, text, append=arguments.append, submit=arguments.submit)
    shown = "[REDACTED]" if typed.protected else text
    if typed.protected:
        result = f"typed {len(text)} characters into {typed.element}, whose value is not shown"
    else:
        result = f'typed into {typed.element}, which now holds {typed.length} characters: "{typed.value[:200]}"'
    return Said(result=result, notes=_noted(place.note), typed=shown)


def select(arguments: BrowserArguments, scene: Scene) -> Said:
    """Choose options of a list."""
    place = scene.locate(arguments.selector or "")
    values = (arguments.value,) if isinstance(arguments.value, str) else tuple(arguments.value or ())
    chosen = choose_options(scene.doing, place, values)
    return Said(result=f"chosen in {place.element}: {', '.join(chosen)}", notes=_noted(place.note))


def press(arguments: BrowserArguments, scene: Scene) -> Said:
    """Press keys."""
    place = scene.locate_if(arguments.selector)
    keyboard.press(scene.doing, place, arguments.text or "")
    return Said(result=f"pressed {arguments.text}", notes=_noted(place.note if place else ""))


def scroll_page(arguments: BrowserArguments, scene: Scene) -> Said:
    """Scroll to an element, or by some pixels."""
    place = scene.locate_if(arguments.selector)
    return Said(result=scroll(scene.doing, place, arguments.dx or 0, arguments.dy or 0))


def read(arguments: BrowserArguments, scene: Scene) -> Said:
    """Read the visible text."""
    cut = reading.read_text(scene.doing, scene.locate_if(arguments.selector))
    return Said(text=cut.text, truncated=cut.truncated or None)


def html(arguments: BrowserArguments, scene: Scene) -> Said:
    """Read the markup."""
    cut = reading.read_html(scene.doing, scene.locate_if(arguments.selector))
    return Said(text=cut.text, truncated=cut.truncated or None)


def script(arguments: BrowserArguments, scene: Scene) -> Said:
    """Run a script, which has been approved."""
    cut = reading.run_script(scene.doing, arguments.script or "")
    return Said(result=cut.text, truncated=cut.truncated or None)


def console(_arguments: BrowserArguments, _scene: Scene) -> Said:
    """Say nothing: every result carries the console."""
    return Said()


def tabs_action(arguments: BrowserArguments, scene: Scene) -> Said:
    """List, switch or close tabs."""
    if arguments.op == "switch":
        tabs.switch(scene.doing, scene.chrome, arguments.tab or "")
    elif arguments.op == "close":
        tabs.close(scene.doing, scene.chrome, arguments.tab or "")
    return Said(tabs=tabs.list_tabs(scene.chrome))


def dialog(arguments: BrowserArguments, scene: Scene) -> Said:
    """Answer the dialog that is open, or say how the next one is to be answered."""
    answer = DialogAnswer(bool(arguments.accept), arguments.text)
    return Said(result=answer_dialog(scene.doing, answer))


def wait(arguments: BrowserArguments, scene: Scene) -> Said:
    """Wait for something to become so."""
    wanted = Wanted(text=arguments.text, gone=arguments.gone, url=arguments.url, idle=arguments.idle)
    seconds = WAIT_SECONDS if arguments.seconds is None else arguments.seconds
    return Said(result=wait_until(scene.doing, wanted, seconds))


def network(arguments: BrowserArguments, scene: Scene) -> Said:
    """List the requests since the last time, or tell more of one."""
    if arguments.request:
        return Said(text=describe_request(scene.doing, arguments.request))
    return Said(text=describe_requests(scene.doing))


def emulate_device(arguments: BrowserArguments, scene: Scene) -> Said:
    """Change what the page is told of the device."""
    return Said(
        result=emulate(
            scene.doing,
            viewport=arguments.viewport,
            mobile=arguments.mobile,
            dark=arguments.dark,
            locale=arguments.locale,
            time_zone=arguments.time_zone,
        )
    )


def cookies(_arguments: BrowserArguments, scene: Scene) -> Said:
    """Clear the cookies."""
    clear_cookies(scene.doing, scene.chrome)
    return Said(result="the cookies are cleared")


def _noted(*notes: str) -> tuple[str, ...]:
    return tuple(note for note in notes if note)


ACTIONS: Final[Mapping[str, Action]] = {
    "navigate": navigate,
    "back": back,
    "forward": forward,
    "reload": reload,
    "click": click,
    "hover": hover,
    "drag": drag,
    "type": type_text,
    "select": select,
    "press": press,
    "scroll": scroll_page,
    "read": read,
    "html": html,
    "script": script,
    "console": console,
    "screenshot": pictures.screenshot,
    "record": pictures.record,
    "pdf": files.print_pdf,
    "upload": files.upload,
    "tabs": tabs_action,
    "dialog": dialog,
    "wait": wait,
    "network": network,
    "emulate": emulate_device,
    "cookies": cookies,
}
RECORDED: Final = frozenset(
    {
        "navigate",
        "back",
        "forward",
        "reload",
        "click",
        "type",
        "select",
        "press",
        "drag",
        "scroll",
        "hover",
        "script",
        "dialog",
        "upload",
    }
)
