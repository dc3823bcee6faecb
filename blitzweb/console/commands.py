"""The commands of the console, on the command line and on the prompt alike; each returns an exit code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from blitzweb.console.catalogue import Entry
from blitzweb.console.describe import HEADS, example, parameter_rows
from blitzweb.console.printable import printable_json
from blitzweb.console.session import Session, shows_progress
from blitzweb.console.words import NOTIFICATIONS, build_call, is_method, read_pairs
from blitzweb.errors import UsageError
from blitzweb.wire.encoding import encode

OK, IS_ERROR, RPC_ERROR, USAGE = 0, 1, 2, 3

Command = Callable[[Session, Sequence[str]], int]


def call(session: Session, words: Sequence[str]) -> int:
    """`call NAME key=value …`: call a tool or a method, and show the result."""
    if not words:
        raise UsageError("call needs the NAME of a tool or a method", advice="`blitzweb-rpc methods` lists them")
    name = words[0]
    given = dict(session.options.params or {}) | read_pairs(words[1:])
    if name in NOTIFICATIONS:
        session.client.notify(name, given or None)
        session.screen.note(f"{name} was sent; a notification has no answer", "dim")
        return OK
    token = "console" if shows_progress() else ""
    method, params = build_call(name, given, context=session.context, timeout=session.options.timeout, token=token)
    result = session.call(method, params)
    if session.options.json:
        session.screen.say(printable_json(encode(result).decode()))
    elif is_method(name):
        session.screen.value(result)
    else:
        _show_result(session, result)
    return IS_ERROR if isinstance(result, dict) and result.get("is_error") is True else OK


def methods(session: Session, words: Sequence[str]) -> int:
    """`methods`: list methods and tools."""
    if words:
        raise UsageError("methods takes no words", advice="`describe NAME` is about one")
    entries = session.catalogue().entries.values()
    if session.options.json:
        _say_json(session, [{"name": entry.name, "kind": entry.kind, "about": entry.about} for entry in entries])
        return OK
    rows = [(entry.name, entry.kind, entry.title or entry.about) for entry in entries]
    session.screen.table(rows, ("name", "kind", "what it does"))
    return OK


def describe(session: Session, words: Sequence[str]) -> int:
    """`describe NAME`: what one takes, and an example."""
    if len(words) != 1:
        raise UsageError("describe needs one NAME", advice="`blitzweb-rpc methods` lists them")
    entry = session.catalogue().find(words[0])
    if session.options.json:
        _say_json(session, {part.name: part.schema for part in entry.parameters})
        return OK
    screen = session.screen
    screen.say(f"{entry.name}: {entry.title}" if entry.title else entry.name, "title")
    screen.explain(entry.about)
    screen.explain(" · ".join((_kind(entry), *entry.hints)), "dim")
    if entry.parameters:
        screen.say("")
        screen.table(list(parameter_rows(entry.parameters)), HEADS)
    if entry.answer:
        screen.explain("\nanswers " + ", ".join(part.name for part in entry.answer))
    screen.say(f"\n{example(entry)}", "title")
    return OK


COMMANDS: dict[str, Command] = {"call": call, "methods": methods, "describe": describe}


def _show_result(session: Session, result: Any) -> None:
    """Show what a tool says: its text, and where its pictures are."""
    text = str(result.get("text", ""))
    session.screen.say(text, "error" if result.get("is_error") is True else "")
    for image in result.get("images", ()):
        session.screen.say(f"picture: {image.get('path')} ({image.get('width')} × {image.get('height')})")


def _say_json(session: Session, value: Any) -> None:
    session.screen.say(printable_json(encode(value).decode()))


def _kind(entry: Entry) -> str:
    return f"tool, {entry.group}" if entry.group else entry.kind
