"""`blitzweb demo`: read the demo site through the real daemon, and show step by step what a host sees.

Needs no network. The daemon's settings and state are of this run alone: loopback is open for it, and nothing stays.
"""

from __future__ import annotations

import contextlib
import json
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from blitzweb import __version__
from blitzweb.console.approver import Approver
from blitzweb.console.client import Client, RpcFailed
from blitzweb.console.fresh import fresh_daemon, fresh_environment
from blitzweb.console.interrupts import first_interrupt
from blitzweb.console.link import Link
from blitzweb.console.screen import open_screen
from blitzweb.console.trace import Tracer
from blitzweb.demo.server import DemoSite
from blitzweb.demo.stage import Stage, excerpt
from blitzweb.demo.stops import STOPS, Stop
from blitzweb.errors import UsageError
from blitzweb.limits import PROTOCOL_VERSION
from blitzweb.masking import Masker

USAGE: Final = """\
usage: blitzweb demo [--yes | --serve [PORT]]

Read pages of a demo site through the real daemon, and show what a host sees. Needs no network.

  --yes           ask nobody; so it is without a terminal
  --serve [PORT]  only serve the site on 127.0.0.1, until Ctrl-C
"""

NEXT: Final = """\
Try next:
  blitzweb-rpc call web_fetch url=https://example.com/   a real page; you are asked before anything is sent
  blitzweb-rpc                                           a prompt, with completion
  blitzweb-rpc describe web_fetch                        what the tool takes
  blitzweb demo --serve                                  this site alone, for a browser or a host of your own
  blitzweb doctor                                        whether this machine is ready
In a clone, `scripts/run fetch URL` reads a page too, and protocol/README.md is for those who write a host."""


def main(argv: Sequence[str]) -> int:
    """Run the tour and return the process's exit code: 0 if all went as it should."""
    options = list(argv)
    if options in (["--help"], ["-h"]):
        print(USAGE, end="")
        return 0
    if options[:1] == ["--serve"] and len(options) <= 2 and all(map(str.isdecimal, options[1:])):  # noqa: PLR2004
        return serve(int(options[1]) if options[1:] else 0)
    if options not in ([], ["--yes"]):
        raise UsageError("`blitzweb demo` takes --yes, or --serve and a port", advice="`blitzweb demo --help`")
    try:
        return run(Stage(open_screen()), asking=not options and sys.stdin.isatty())
    except KeyboardInterrupt:
        return 130


def serve(port: int) -> int:
    """Serve the site until Ctrl-C."""
    try:
        with DemoSite(port) as site, contextlib.suppress(KeyboardInterrupt):
            print(f"{site.url}/ (Ctrl-C ends)", flush=True)
            threading.Event().wait()
    except (OSError, OverflowError) as error:
        raise UsageError(f"port {port} cannot be used: {error}", advice="leave it out, or name another") from None
    return 0


def run(stage: Stage, *, asking: bool) -> int:
    """Start site and daemon, make every stop, end both."""
    with DemoSite() as site, tempfile.TemporaryDirectory(prefix="blitzweb-demo-") as folder:
        stage.open(site.url)
        tracer = Tracer(Masker(), stage.trace, on=True)
        link = Link(fresh_daemon(Path(folder)), environ=fresh_environment(), observers=[tracer.observe])
        tour = Tour(link, stage, site, asking=asking)
        try:
            tour.open()
            surprises = sum(not tour.make(stop) for stop in STOPS)
            stage.begin("goodbye", "shutdown is answered, exit ends the process, and nothing is left behind.")
        finally:
            code = tour.close()
        stage.explain(f"The daemon ended with exit code {code}.")
    stage.say("")
    stage.say(NEXT)
    return 1 if surprises or code else 0


class Tour:
    """A host that makes one call after the other, and says what it sees."""

    def __init__(self, link: Link, stage: Stage, site: DemoSite, *, asking: bool) -> None:
        self._stage = stage
        self._site = site
        self._answerer = Answerer(stage, asking=asking)
        self._client = Client(link, ask=self._answerer, hear=lambda _method, _params: None)
        self.close = self._client.close

    def open(self) -> None:
        """Say hello, and ask what is on offer."""
        self._stage.begin(
            "initialize", "The host says who it is and what it can do, and hands over the user's settings."
        )
        hello = self._client.call("initialize", _hello())
        self._client.notify("initialized")
        server, opened = hello["server"], hello["settings"]["web"]["allow_private"]
        self._stage.explain(
            f"{server['name']} {server['version']} is process {server['pid']}; every setting is told with its "
            f"origin: web.allow_private is {json.dumps(opened['value'])}, from {opened['origin']}."
        )
        self._stage.begin("tools/list", "What is on offer, ready to hand to a model.")
        tools = self._client.call("tools/list", {})["tools"]
        self._stage.show([f"{tool['name']}: {tool['title']}" for tool in tools])

    def make(self, stop: Stop) -> bool:
        """Make one stop; tell whether it went as it should."""
        self._stage.begin(stop.title, stop.lesson)
        self._answerer.declined = False
        text, is_error = self._call(stop)
        self._stage.show(excerpt(text, stop.start, stop.lines), is_error=is_error)
        if self._answerer.declined:
            self._stage.explain("You said no, so nothing was sent. The next question is answered for you.")
            return True
        missing = [word for word in stop.holds if word not in text]
        if missing or is_error != stop.is_error:
            self._stage.surprise(stop, missing)
            return False
        return True

    def _call(self, stop: Stop) -> tuple[str, bool]:
        """Return the text of the answer, and whether it is an error."""
        params: dict[str, Any] = {"name": "web_fetch", "arguments": {"url": stop.url.format(site=self._site.url)}}
        if stop.timeout_ms:
            params["timeout_ms"] = stop.timeout_ms
        try:
            with first_interrupt(self._client.interrupt):
                result = self._client.call("tools/call", params)
        except RpcFailed as failure:
            return failure.message, True
        return result["text"], result["is_error"]


class Answerer:
    """Puts the first question to the person, if there is one, and answers the others itself, saying so."""

    def __init__(self, stage: Stage, *, asking: bool) -> None:
        self._person = Approver(stage, beforehand=None, read=sys.stdin.readline) if asking else None
        self._itself = Approver(stage, beforehand="session", read=None, why="as the demo does by itself")
        self.declined = False  # the person wanted the call of this stop not to be made

    def __call__(self, question: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to one question."""
        ask, self._person = self._person or self._itself, None
        self.declined = True
        answer = ask(question)  # Ctrl-C passes through, and the client cancels the call
        self.declined = answer["decision"] == "deny"
        return answer


def _hello() -> dict[str, Any]:
    return {
        "protocol_version": PROTOCOL_VERSION,
        "host": {"name": "blitzweb-demo", "version": __version__},
        "capabilities": {"approvals": True, "audit": True},
        "settings": {"web": {"allow_private": True}},
    }
