"""The prompt: one command a line, as on the command line but without `blitzweb-rpc`, until the input ends."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from blitzweb.console.client import RpcFailed
from blitzweb.console.commands import COMMANDS, OK, RPC_ERROR, USAGE
from blitzweb.console.completion import Candidate, complete
from blitzweb.console.session import Session
from blitzweb.errors import BlitzwebError, UsageError

WORDS: Final = {
    "methods": "list methods and tools",
    "describe": "what one takes, with an example",
    "call": "call a tool or a method; the word may be left out",
    "session": "the session of the calls to come",
    "workspace": "their workspace",
    "mode": "their mode",
    "trace": "on or off: show every message",
    "help": "these words",
    "exit": "end (so does Ctrl-D)",
}


class LineReader(Protocol):
    """Reads the lines of a person."""

    def read(self, prompt: str) -> str:
        """Return one line.

        Raises:
            EOFError: there are no more.
            KeyboardInterrupt: the person gave this line up.
        """
        ...


class Prompt:
    """Reads lines and obeys them."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._code = OK

    def run(self, reader: LineReader) -> int:
        """Obey lines until they end; return the exit code of the last.

        Raises:
            DaemonFailed: the daemon is gone.
        """
        while True:
            self._session.client.hear_waiting()
            try:
                words = shlex.split(reader.read(self._mark()))
                if words[:1] in (["exit"], ["quit"]):
                    return self._code
                if words:
                    self._code = self._obey(words)
            except EOFError:
                return self._code
            except KeyboardInterrupt:
                continue
            except ValueError as error:  # of shlex
                self._fail(UsageError(f"the line cannot be read: {error}"), USAGE)
            except UsageError as error:
                self._fail(error, USAGE)
            except RpcFailed as error:
                self._fail(error, RPC_ERROR)

    def complete(self, line: str) -> list[Candidate]:
        """Return what may stand next on a line; nothing while the daemon cannot be asked, which the next call says."""
        try:
            return complete(line, self._session.catalogue(), WORDS)
        except BlitzwebError:
            return []

    def _obey(self, words: Sequence[str]) -> int:
        word, rest = words[0], words[1:]
        if word in COMMANDS:
            return COMMANDS[word](self._session, rest)
        if word in _SETTERS:
            _SETTERS[word](self._session, word, rest)
            return OK
        if word == "help":
            self._session.screen.table(list(WORDS.items()), ("word", "what it does"))
            self._session.screen.say("NAME key=value … calls a tool or a method; a value is JSON where it parses.")
            return OK
        return COMMANDS["call"](self._session, words)

    def _mark(self) -> str:
        shown = " ".join(self._session.context.values())
        return f"blitzweb ({shown})> " if shown else "blitzweb> "

    def _fail(self, error: BlitzwebError, code: int) -> None:
        self._code = code
        self._session.screen.note(error.message + (f"\n  {error.advice}" if error.advice else ""), "error")


def _set_context(session: Session, name: str, words: Sequence[str]) -> None:
    if len(words) != 1:
        raise UsageError(f"{name} takes one word")
    session.change_context(name, words[0])


def _set_trace(session: Session, _name: str, words: Sequence[str]) -> None:
    if list(words) not in (["on"], ["off"]):
        raise UsageError("trace takes on or off")
    session.tracer.on = words[0] == "on"


_SETTERS: dict[str, Callable[[Session, str, Sequence[str]], None]] = {
    "session": _set_context,
    "workspace": _set_context,
    "mode": _set_context,
    "trace": _set_trace,
}
