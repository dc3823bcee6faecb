"""Puts the daemon's questions to the person at the terminal (APPROVAL-01, APPROVAL-11).

y once, s session, a always, n deny; Ctrl-C cancels the call. Where nobody can be asked, and no answer was given
beforehand, the answer is no, and says so.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any, Final, Protocol

from blitzweb.console.interrupts import plain_interrupts
from blitzweb.console.printable import one_line, printable

_LETTERS: Final = {"y": "once", "s": "session", "a": "always", "n": "deny"}
_LABELS: Final = {
    "once": "once",
    "session": "for this session",
    "always": "always",
    "deny": "no (a reason may follow: n REASON)",
}


class Dialog(Protocol):
    """Where questions appear."""

    def note(self, text: str, style: str = "") -> None:
        """Write a line."""
        ...

    def ask(self, text: str) -> None:
        """Write a question, without a newline at its end."""
        ...


class Approver:
    """Answers `approval/request`.

    Args:
        dialog: where the question is shown.
        beforehand: the answer to all questions, if one was given on the command line.
        read: reads one line from the person; `None` where there is no terminal.
        why: who gave the answer beforehand.
    """

    def __init__(
        self,
        dialog: Dialog,
        *,
        beforehand: str | None,
        read: Callable[[], str] | None,
        why: str = "as the command line says",
    ) -> None:
        self._dialog = dialog
        self._why = why
        self._beforehand = beforehand
        self._read = read

    def __call__(self, question: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to one question.

        Raises:
            KeyboardInterrupt: the person wants the call cancelled.
        """
        self._show(question)
        choices = [choice for choice in question.get("choices", ()) if choice in _LABELS] or ["once", "deny"]
        if self._beforehand is not None:
            return self._answer_beforehand(self._beforehand, choices)
        if self._read is None:
            self._dialog.note("denied: nobody can be asked here. --yes or --approve session allows it.", "warn")
            return {"decision": "deny", "reason": "nobody was at the terminal to be asked"}
        with plain_interrupts():
            return self._ask(self._read, choices)

    def _show(self, question: dict[str, Any]) -> None:
        self._dialog.note(f"{_text(question, 'tool')} asks for {_text(question, 'label')}", "title")
        if "key" in question:
            self._dialog.note(f"  key  {_text(question, 'key')}")
        # What runs may have lines of its own; indented, none of them can pass for one of ours.
        self._dialog.note(textwrap.indent(printable(str(question.get("detail", ""))), "  │ ", lambda _line: True))

    def _answer_beforehand(self, wanted: str, choices: list[str]) -> dict[str, Any]:
        decision = "once" if wanted == "session" and wanted not in choices else wanted
        self._dialog.note(f"answered {decision}, {self._why}", "dim")
        return {"decision": decision}

    def _ask(self, read: Callable[[], str], choices: list[str]) -> dict[str, Any]:
        letters = {letter: choice for letter, choice in _LETTERS.items() if choice in choices}
        offer = "  ".join(f"[{letter}] {_LABELS[choice]}" for letter, choice in letters.items())
        while True:
            self._dialog.ask(f"{offer}\n> ")
            line = self._read_line(read)
            word, _, reason = line.strip().partition(" ")
            decision = letters.get(word.lower()) or (word.lower() if word.lower() in choices else None)
            if not line:  # the end of input
                return {"decision": "deny"}
            if decision == "deny" and reason:
                return {"decision": "deny", "reason": reason.strip()}
            if decision and not reason:
                return {"decision": decision}

    def _read_line(self, read: Callable[[], str]) -> str:
        try:
            return read()
        except KeyboardInterrupt:
            self._dialog.note("")  # what comes next starts on a line of its own
            raise


def _text(question: dict[str, Any], name: str) -> str:
    return one_line(str(question.get(name, "?")))
