"""What the page has requested: recorded from the first time somebody asks, since recording slows pages (BROWSER-08).

What was loaded before that is told by the page's own timings, which know no methods.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from blitzweb.browser.doing import Doing
from blitzweb.browser.failures import BrowserFailure, CommandFailed
from blitzweb.browser.requests import Request
from blitzweb.browser.session import Session
from blitzweb.limits import MAX_CONTENT_BYTES

_MAX_URL_CHARS = 300


def describe_requests(doing: Doing) -> str:
    """Return one line per request since the last time, and begin to record if that has not begun."""
    tab = doing.tab
    if not tab.recording_requests:
        lines = [_timed(entry) for frame in tab.all_frames() for entry in doing.run(frame, "timings")]
        tab.recording_requests = True
        for session in list(tab.sessions.values()):
            session.send("Network.enable")
        lines += _refused(doing)
        lines.append("(from now on requests are recorded, with method and number; ask again after the next action)")
        return "\n".join(lines)
    with tab.changed:
        requests = tab.requests.take()
    lines = [*map(_line, requests), *_refused(doing)]
    return "\n".join(lines) or "no requests since the last time"


def _refused(doing: Doing) -> list[str]:
    """Return what our proxy turned away since the last time, with the reason."""
    tab = doing.tab
    mark, tab.troubles_told = tab.troubles_told, tab.troubles.mark
    return [f"refused {one.host}:{one.port} {one.text}" for one in tab.troubles.since(mark) if one.refused]


def describe_request(doing: Doing, text: str) -> str:
    """Return what is known of one recorded request, and the beginning of its body."""
    tab = doing.tab
    with tab.changed:
        request = tab.requests.find(int(text)) if text.strip().isdecimal() else None
    if request is None:
        raise BrowserFailure(
            f'no request "{text[:40]}" is recorded', advice="network without request lists them by number"
        )
    headers = "\n".join(f"{name}: {value}" for name, value in request.headers.items())
    return f"{_line(request)}\n\n{headers}\n\n{_body(doing, request)}"


def _body(doing: Doing, request: Request) -> str:
    session = Session(doing.tab.session.client, request.session)
    try:
        answer = session.call("Network.getResponseBody", doing.deadline, requestId=request.id)
    except CommandFailed:
        return "(the body is not kept any more)"
    if answer.get("base64Encoded"):
        return f"(the body is no text: {request.mime or 'of unknown type'})"
    return str(answer.get("body", ""))[:MAX_CONTENT_BYTES]


def _line(request: Request) -> str:
    outcome = request.failure or (str(request.status) if request.status is not None else "under way")
    size = "" if request.bytes is None else f" {request.bytes} bytes"
    kind = request.mime or request.kind.lower()
    return f"[{request.number}] {request.method} {request.url[:_MAX_URL_CHARS]} {outcome} {kind}{size}"


def _timed(entry: Mapping[str, Any]) -> str:
    status = entry["status"] or "?"
    return f"{entry['url'][:_MAX_URL_CHARS]} {status} {entry['kind']} {json.dumps(entry['bytes'])} bytes"
