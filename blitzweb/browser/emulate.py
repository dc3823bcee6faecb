"""What the page is told of the device: viewport, colours, locale, time zone; and clearing its cookies (BROWSER-08)."""

from __future__ import annotations

import re

from blitzweb.browser.chrome import Chrome
from blitzweb.browser.doing import Doing
from blitzweb.browser.failures import BrowserFailure, CommandFailed
from blitzweb.limits import MAX_VIEWPORT

_VIEWPORT = re.compile(r"\s*(\d{1,5})\s*[x×]\s*(\d{1,5})\s*", re.IGNORECASE)


def emulate(
    doing: Doing,
    *,
    viewport: str | None,
    mobile: bool | None,
    dark: bool | None,
    locale: str | None,
    time_zone: str | None,
) -> str:
    """Change what is given; return what was changed. It holds for the tab until it is changed again."""
    done = []
    if viewport is not None or mobile is not None:
        done.append(_set_viewport(doing, viewport, mobile=bool(mobile)))
    if dark is not None:
        scheme = "dark" if dark else "light"
        _do(doing, "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        done.append(f"colours {scheme}")
    if locale is not None:
        _do(doing, "Emulation.setLocaleOverride", locale=locale)
        done.append(f"locale {locale or 'as before'}")
    if time_zone is not None:
        _do(doing, "Emulation.setTimezoneOverride", timezoneId=time_zone)
        done.append(f"time zone {time_zone or 'as before'}")
    return f"emulated: {', '.join(done)}"


def _set_viewport(doing: Doing, viewport: str | None, *, mobile: bool) -> str:
    width, height = _read_viewport(viewport) if viewport is not None else _current(doing)
    _do(
        doing,
        "Emulation.setDeviceMetricsOverride",
        width=width,
        height=height,
        deviceScaleFactor=1,
        mobile=mobile,
    )
    _do(doing, "Emulation.setTouchEmulationEnabled", enabled=mobile)
    return f"viewport {width}x{height}{', mobile' if mobile else ''}"


def _read_viewport(text: str) -> tuple[int, int]:
    found = _VIEWPORT.fullmatch(text)
    size = (int(found[1]), int(found[2])) if found else (0, 0)
    if not all(1 <= side <= MAX_VIEWPORT for side in size):
        raise BrowserFailure(
            f'viewport "{text[:40]}" is no size',
            advice=f"write WIDTHxHEIGHT, each from 1 to {MAX_VIEWPORT}, such as 390x844",
        )
    return size


def _current(doing: Doing) -> tuple[int, int]:
    view = doing.tab.session.call("Page.getLayoutMetrics", doing.deadline)["cssLayoutViewport"]
    return int(view["clientWidth"]), int(view["clientHeight"])


def _do(doing: Doing, method: str, **params: object) -> None:
    try:
        doing.tab.session.call(method, doing.deadline, **params)
    except CommandFailed as failed:
        raise BrowserFailure(f"that cannot be emulated: {failed.text}") from None


def clear_cookies(doing: Doing, chrome: Chrome) -> None:
    """Forget all cookies of this browser."""
    params = {"browserContextId": chrome.context} if chrome.context else {}
    chrome.browser.call("Storage.clearCookies", doing.deadline, **params)
