"""`screenshot` and `record`: pictures in the image store, and walkthroughs (WEB-36, WEB-37)."""

from __future__ import annotations

import time

from blitzweb.browser.capture import take_frame, take_picture
from blitzweb.browser.doing import Doing
from blitzweb.browser.failures import BrowserFailure, DialogOpened
from blitzweb.contract.browser import BrowserArguments
from blitzweb.contract.calls import ImageInfo
from blitzweb.pictures.step import Step
from blitzweb.pictures.walkthrough import Finished, Recording
from blitzweb.tools.browsing.said import Said
from blitzweb.tools.browsing.scene import Scene


def screenshot(arguments: BrowserArguments, scene: Scene) -> Said:
    """Take a picture, keep it in the image store, and show the model one that is small enough."""
    equipment = scene.equipment
    picture = take_picture(
        scene.doing,
        equipment.bounds,
        place=scene.locate_if(arguments.selector),
        full_page=arguments.full_page,
        kind=arguments.format or "png",
    )
    original = equipment.images.save(picture.data, picture.mime_type)
    shown = equipment.images.save(picture.for_model, picture.model_mime_type)
    image = ImageInfo(**shown._asdict(), audience="assistant")
    result = f"a picture of {original.width} x {original.height} pixels is in {original.path}"
    if shown != original:
        result += f"; the one shown has {shown.width} x {shown.height}"
    return Said(result=result, images=(image,))


def record(arguments: BrowserArguments, scene: Scene) -> Said:
    """Begin a walkthrough, unless one is being recorded."""
    workspace = scene.workspace
    if workspace.recording is not None:
        return Said(recording=workspace.recording.folder, notes=("this walkthrough is being recorded already",))
    workspace.recording = Recording.start(scene.equipment.walkthroughs, now=time.localtime(), format=arguments.format)
    return Said(recording=workspace.recording.folder)


def tell_finished(finished: Finished) -> Said:
    """Say where a walkthrough is."""
    return Said(recording=finished.folder, frames=finished.frames, notes=finished.troubles)


def add_frame(doing: Doing, recording: Recording, step: Step) -> None:
    """Add a frame after an action; one that cannot be taken is counted, and breaks nothing."""
    try:
        frame = take_frame(doing)
    except (BrowserFailure, DialogOpened):
        recording.add(step, None)
        return
    point = (step.point[0] * frame.scale, step.point[1] * frame.scale) if step.point else None
    recording.add(step._replace(point=point), frame.png)
