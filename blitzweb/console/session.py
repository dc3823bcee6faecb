"""One conversation of a person with a daemon: opened as a host opens it, with everything that the options ask for."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

from blitzweb import __version__
from blitzweb.console.approver import Approver
from blitzweb.console.catalogue import Catalogue, ask_catalogue
from blitzweb.console.client import Client
from blitzweb.console.interrupts import first_interrupt
from blitzweb.console.link import Link
from blitzweb.console.options import Options
from blitzweb.console.screen import Screen
from blitzweb.console.trace import Tracer
from blitzweb.console.transcript import Recorder, settings_secrets
from blitzweb.limits import PROTOCOL_VERSION
from blitzweb.masking import Masker


class Session:
    """What commands work with. It owns the client, which owns the daemon."""

    def __init__(self, link: Link, tracer: Tracer, screen: Screen, options: Options) -> None:
        self.tracer = tracer
        self.screen = screen
        self.options = options
        self.context = _context(options)
        self.client = Client(link, ask=_make_approver(options, screen), hear=self.hear)
        self.hello: dict[str, Any] = {}  # the answer to `initialize`
        self._catalogue: Catalogue | None = None

    def open(self) -> None:
        """Say hello, and show what the daemon warns of."""
        self.hello = self.client.call("initialize", hello_params(self.options))
        self.client.notify("initialized")
        for warning in self.hello.get("warnings", ()):
            self.screen.note(f"warning: {warning}", "warn")

    def call(self, method: str, params: dict[str, Any]) -> Any:
        """Return the result of a call, which Ctrl-C cancels."""
        with first_interrupt(self.client.interrupt):
            return self.client.call(method, params)

    def catalogue(self) -> Catalogue:
        """Return what the daemon can do; asked once for each context."""
        if self._catalogue is None:
            self._catalogue = ask_catalogue(self.client, self.context)
        return self._catalogue

    def change_context(self, name: str, value: str) -> None:
        """Set a member of the context for the calls to come."""
        self.context[name] = value
        self._catalogue = None

    def hear(self, method: str, params: Any) -> None:
        """Show what a notification tells a person, if anything."""
        told = params if isinstance(params, Mapping) else {}
        if method == "tools/changed":
            self._catalogue = None
        elif method == "$/progress":
            total = f"/{told['total']:g}" if "total" in told else ""
            self.screen.note(f"… {told.get('progress', 0):g}{total} {told.get('message', '')}", "dim")
        elif method == "log/message":
            self.screen.note(f"the daemon: {told.get('text', '')}", "warn")
        elif method == "browser/event":
            self.screen.note(f"browser {told.get('workspace', '')}: {told.get('kind', '')}", "dim")


@contextmanager
def open_session(options: Options, screen: Screen) -> Iterator[Session]:
    """Start a daemon, say hello, and end it after the block.

    Raises:
        DaemonFailed: it cannot be started, or is gone.
        RpcFailed: it did not accept what `initialize` said.
    """
    masker = make_masker(options)
    tracer = Tracer(masker, screen.note, on=options.trace)
    observers = [tracer.observe]
    with ExitStack() as stack:
        if options.record is not None:
            recorder = stack.enter_context(Recorder(options.record, masker))
            observers.append(recorder.observe)
        log: Callable[[str], None] | None = partial(_show_log, screen) if options.log else None
        link = Link(options.daemon, observers=observers, log=log)
        session = Session(link, tracer, screen, options)
        leave = session.client.close
        try:
            session.open()
            yield session
        except KeyboardInterrupt:
            leave = link.close  # at once
            raise
        finally:
            code = leave()
            if options.record is not None:
                recorder.end(code)


def hello_params(options: Options) -> dict[str, Any]:
    """Return the params of `initialize`."""
    params: dict[str, Any] = {
        "protocol_version": PROTOCOL_VERSION,
        "host": {"name": "blitzweb-rpc", "version": __version__, "pid": os.getpid()},
        "capabilities": {"approvals": True, "progress": shows_progress(), "audit": options.trace},
    }
    if options.settings is not None:
        params["settings"] = dict(options.settings)
    if options.state_dir is not None:
        params["state_dir"] = str(options.state_dir.expanduser().absolute())
    return params


def shows_progress() -> bool:
    """Tell whether somebody watches."""
    return sys.stderr.isatty()


def make_masker(options: Options) -> Masker:
    """Return a masker that knows the environment's secrets, and those of the settings given here."""
    return Masker(environ={**os.environ, **settings_secrets(options.settings or {})})


def _make_approver(options: Options, screen: Screen) -> Approver:
    interactive = sys.stdin.isatty()
    return Approver(screen, beforehand=options.approve, read=sys.stdin.readline if interactive else None)


def _context(options: Options) -> dict[str, str]:
    given = {"session": options.session, "workspace": options.workspace, "mode": options.mode}
    return {name: value for name, value in given.items() if value is not None}


def _show_log(screen: Screen, line: str) -> None:
    screen.note(f"log │ {line}", "dim")
