"""Pictures of the page: the window, the whole page, or one element; scaled by Chrome itself (WEB-36)."""

from __future__ import annotations

import base64
from typing import Any, Final, NamedTuple

from blitzweb.browser.aim import frame_origin
from blitzweb.browser.client import Pending
from blitzweb.browser.doing import Doing
from blitzweb.browser.failures import BrowserFailure
from blitzweb.browser.locate import Place
from blitzweb.limits import MAX_PICTURE_PIXELS
from blitzweb.pictures.measure import image_size

_QUALITIES: Final = (85, 70, 50)  # of JPEG, tried until the picture is small enough


class Area(NamedTuple):
    """A part of the page, in CSS pixels."""

    x: float
    y: float
    width: float
    height: float


class Picture(NamedTuple):
    """A picture; `for_model` is the same, small enough to be shown to one."""

    data: bytes
    mime_type: str
    for_model: bytes
    model_mime_type: str


class Frame(NamedTuple):
    """A picture of the window; `scale` is how many of its pixels a CSS pixel has."""

    png: bytes
    scale: float


class Bounds(NamedTuple):
    """What a picture for a model may be."""

    edge: int
    bytes: int


def take_picture(
    doing: Doing, bounds: Bounds, *, place: Place | None = None, full_page: bool = False, kind: str = "png"
) -> Picture:
    """Return a picture of an element, the whole page, or the window.

    Raises:
        BrowserFailure: it would be too large, or there is nothing to see.
    """
    if place is not None or full_page:
        area = _area(doing, place, full_page=full_page)
        _check_size(area)
        data = _capture(doing, area, kind)
    else:
        asked = _ask(doing, None, kind)  # on its way while the window is measured
        area = _area(doing, None, full_page=False)
        data = _read(doing, asked)
    mime_type = f"image/{kind}"
    scale = min(1.0, bounds.edge / max(area.width, area.height))
    if scale == 1.0 and len(data) <= bounds.bytes:
        return Picture(data, mime_type, data, mime_type)
    small = _capture(doing, area, kind, scale) if scale < 1.0 else data
    for quality in _QUALITIES:
        if len(small) <= bounds.bytes:
            break
        mime_small = "jpeg"
        small = _capture(doing, area, mime_small, scale, quality)
        kind = mime_small
    if len(small) > bounds.bytes:
        raise BrowserFailure(f"the picture has {len(small):,} bytes, and a model is shown {bounds.bytes:,} at most")
    return Picture(data, mime_type, small, f"image/{kind}")


def take_shot(doing: Doing, *, full_page: bool) -> bytes:
    """Return a PNG of the window or the whole page, in full size: for a person.

    Raises:
        BrowserFailure: it would be too large.
    """
    area = _area(doing, None, full_page=True) if full_page else None
    if area is not None:
        _check_size(area)
    return _capture(doing, area, "png")


def _check_size(area: Area) -> None:
    if area.width * area.height > MAX_PICTURE_PIXELS:
        raise BrowserFailure(
            f"the picture would have {area.width:.0f} x {area.height:.0f} pixels, more than {MAX_PICTURE_PIXELS:,}",
            advice="take the window, or one element",
        )


def take_frame(doing: Doing) -> Frame:
    """Take the window, quickly: for a walkthrough, which stays on this machine."""
    png = _capture(doing, None, "png", quick=True)
    seen = doing.tab.session.call("Page.getLayoutMetrics", doing.deadline)["cssVisualViewport"]
    return Frame(png, image_size(png).width / max(seen["clientWidth"], 1))


def _area(doing: Doing, place: Place | None, *, full_page: bool) -> Area:
    if place is not None:
        return _element_area(doing, place)
    metrics = doing.tab.session.call("Page.getLayoutMetrics", doing.deadline)
    if full_page:
        size = metrics["cssContentSize"]
        return Area(0, 0, size["width"], size["height"])
    view = metrics["cssVisualViewport"]
    return Area(view["pageX"], view["pageY"], view["clientWidth"], view["clientHeight"])


def _element_area(doing: Doing, place: Place) -> Area:
    box = doing.run(place.frame, "boxInPage", place.handle)
    if box["width"] < 1 or box["height"] < 1:
        raise BrowserFailure(f"{place.element} has no size: there is nothing to picture")
    x, y = box["x"] - box["scrollX"], box["y"] - box["scrollY"]
    frame = place.frame
    while frame.parent and (outer := doing.tab.frames.get(frame.parent)) is not None:
        at = frame_origin(doing, frame, outer, x, y)
        x, y, frame = at["x"], at["y"], outer
    scrolled = doing.tab.session.call("Page.getLayoutMetrics", doing.deadline)["cssVisualViewport"]
    return Area(x + scrolled["pageX"], y + scrolled["pageY"], box["width"], box["height"])


def _capture(
    doing: Doing, area: Area | None, kind: str, scale: float = 1.0, quality: int | None = None, *, quick: bool = False
) -> bytes:
    return _read(doing, _ask(doing, area, kind, scale, quality, quick=quick))


def _ask(
    doing: Doing, area: Area | None, kind: str, scale: float = 1.0, quality: int | None = None, *, quick: bool = False
) -> Pending:
    params: dict[str, Any] = {"format": kind, "optimizeForSpeed": quick}
    if quality is not None:
        params["quality"] = quality
    if area is not None:
        params["clip"] = {**area._asdict(), "scale": scale}
        params["captureBeyondViewport"] = True
    return doing.tab.session.send("Page.captureScreenshot", **params)


def _read(doing: Doing, asked: Pending) -> bytes:
    return base64.b64decode(doing.tab.await_answer(asked, doing.deadline, doing.cancel)["data"])
