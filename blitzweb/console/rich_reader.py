"""Lines with completion and history, by `prompt_toolkit`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory

from blitzweb.console.completion import Candidate
from blitzweb.statefiles import ensure_private_folder


class RichReader:
    """Reads lines from the terminal."""

    def __init__(self, complete: Callable[[str], list[Candidate]], history: History) -> None:
        self._session: PromptSession[str] = PromptSession(
            completer=_Completer(complete), history=history, complete_while_typing=True
        )

    def read(self, prompt: str) -> str:
        """Return the next line."""
        return self._session.prompt(prompt)


def open_history(path: Path) -> History:
    """Return the history of earlier prompts, in a file for the owner alone.

    Raises:
        OSError: the file cannot be written.
    """
    ensure_private_folder(str(path.parent))
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
    return FileHistory(path)


def forgetful_history() -> History:
    """Return a history that ends with the prompt."""
    return InMemoryHistory()


class _Completer(Completer):
    def __init__(self, complete: Callable[[str], list[Candidate]]) -> None:
        self._complete = complete

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        del complete_event
        line = document.text_before_cursor
        word = line.rpartition(" ")[2]
        for candidate in self._complete(line):
            yield Completion(candidate.word, start_position=-len(word), display_meta=candidate.about.partition("\n")[0])
