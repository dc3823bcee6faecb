"""What may come next on the prompt's line: commands, methods, tools, argument names, choices. Values only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from blitzweb.console.catalogue import Catalogue, Entry, Parameter, Schema
from blitzweb.console.describe import type_words


class Candidate(NamedTuple):
    """One completion: the word as it would stand, and what it means."""

    word: str
    about: str


def complete(line: str, catalogue: Catalogue, commands: Mapping[str, str]) -> list[Candidate]:
    """Return the words that may stand where the last word of `line` is being written, in the catalogue's order.

    Args:
        line: what stands before the cursor.
        catalogue: the daemon's.
        commands: the prompt's own, with what they do.
    """
    *before, word = line.split(" ")
    words = [part for part in before if part]
    if words and words[0] == "call":
        del words[0]
        commands = {}
    found = _next(words, word, catalogue, commands)
    return [candidate for candidate in found if candidate.word.startswith(word)]


def _next(words: list[str], word: str, catalogue: Catalogue, commands: Mapping[str, str]) -> Iterator[Candidate]:
    if not words:
        yield from (Candidate(name, about) for name, about in commands.items())
        yield from _names(catalogue)
    elif words[0] == "describe" and "describe" in commands:
        yield from _names(catalogue)
    elif words[0] == "mode" and "mode" in commands:
        yield from (Candidate(mode, "") for mode in _modes(catalogue))
    elif words[0] in catalogue.entries:
        yield from _arguments(catalogue.entries[words[0]], words[1:], word)


def _names(catalogue: Catalogue) -> Iterator[Candidate]:
    for entry in catalogue.entries.values():
        yield Candidate(entry.name, entry.title or entry.about)


def _arguments(entry: Entry, given: list[str], word: str) -> Iterator[Candidate]:
    taken = {part.partition("=")[0] for part in given}
    name, equals, _ = word.partition("=")
    for parameter in entry.parameters:
        if equals and parameter.name == name:
            yield from (Candidate(f"{name}={value}", "") for value in _values(parameter))
        elif not equals and parameter.name not in taken:
            yield Candidate(f"{parameter.name}=", _about(parameter))


def _values(parameter: Parameter) -> list[str]:
    if parameter.schema.get("type") == "boolean":
        return ["true", "false"]
    return [str(choice) for choice in parameter.schema.get("enum", ())]


def _about(parameter: Parameter) -> str:
    about = parameter.schema.get("description", "")
    return type_words(parameter.schema) + (f": {about}" if about else "") + (" (required)" * parameter.required)


def _modes(catalogue: Catalogue) -> list[str]:
    """Return the modes, as the params of `tools/call` name them."""
    call = catalogue.entries.get("tools/call")
    context: Schema = next((part.schema for part in call.parameters if part.name == "context"), {}) if call else {}
    return list(context.get("properties", {}).get("mode", {}).get("enum", ()))
