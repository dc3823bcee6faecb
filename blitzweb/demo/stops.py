"""The stops of the tour: which page is asked for, what that shows, and what the answer must hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """One call of web_fetch. `{site}` in the URL is the address of the demo site."""

    title: str
    lesson: str
    url: str
    holds: tuple[str, ...]
    is_error: bool = False
    start: str = ""  # the line of the page from which on it is shown; all of it if there is none
    lines: int = 0  # how many from there on
    timeout_ms: int = 0


STOPS: Final = (
    Stop(
        title="a page, asked for first",
        lesson="Nothing is sent before a person agrees. This text is what the model reads, fenced as untrusted.",
        url="{site}/",
        holds=("Five islands, one ticket", "/timetable.html"),
        start="# Five islands, one ticket",
        lines=9,
    ),
    Stop(
        title="the same host again, and hidden text",
        lesson="The session remembers the answer. Text that no person would see is dropped and counted.",
        url="{site}/notices.html",
        holds=("Pier 3 is closed", "hidden text"),
        start="# Notices",
        lines=7,
    ),
    Stop(
        title="a redirect",
        lesson="On the same host it is followed, and each hop is checked anew.",
        url="{site}/sailings",
        holds=("Timetable", "/timetable.html"),
        start="# Timetable",
        lines=3,
    ),
    Stop(
        title="a redirect to another host",
        lesson="The approval was for one host, so the other is refused, with the way to ask for it.",
        url="{site}/partner",
        holds=("127.0.0.1", "localhost"),
        is_error=True,
    ),
    Stop(
        title="the cloud's metadata service",
        lesson="No setting and no approval opens this address, asked for directly or by a redirect.",
        url="http://169.254.169.254/latest/meta-data/",
        holds=("169.254.169.254", "not a public address"),
        is_error=True,
    ),
    Stop(
        title="a page that does not exist",
        lesson="The model is told that it failed, and still gets what the server said.",
        url="{site}/pier-9.html",
        holds=("404", "No boat calls here"),
        is_error=True,
        start="# No such pier",
        lines=3,
    ),
    Stop(
        title="a page in Shift_JIS",
        lesson="Only its markup says so; what arrives is UTF-8.",
        url="{site}/ja.html",
        holds=("港の案内", "霧の日は"),
        start="# 港の案内",
        lines=5,
    ),
    Stop(
        title="a server that does not answer",
        lesson="One deadline covers the whole call (here half a second), and the error names the phase.",
        url="{site}/slow",
        holds=("-31002",),
        is_error=True,
        timeout_ms=500,
    ),
)
