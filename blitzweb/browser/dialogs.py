"""Answering the page's questions (BROWSER-06)."""

from __future__ import annotations

from typing import Any

from blitzweb.browser.doing import Doing
from blitzweb.browser.session import Session
from blitzweb.browser.settle import settling
from blitzweb.browser.tab import Dialog, DialogAnswer


def answer_dialog(doing: Doing, answer: DialogAnswer) -> str:
    """Answer the dialog that is open, or keep the answer for the next one; return what was done."""
    tab = doing.tab
    with tab.changed:
        dialog = tab.dialog
        if dialog is None:
            tab.next_answer = answer
            return "no dialog is open; the next one is answered so"
    _send(doing, dialog, answer)
    with settling(doing):
        pass  # what the page does with the answer
    return f"the {dialog.type} was {'accepted' if answer.accept else 'dismissed'}"


def dismiss_open(doing: Doing) -> None:
    """Dismiss a dialog that was left open, so that the page goes on; that is told."""
    tab = doing.tab
    with tab.changed:
        dialog = tab.dialog
    if dialog is not None:
        _send(doing, dialog, DialogAnswer(accept=False))
        tab.note(f'the page\'s {dialog.type} "{dialog.message}" was dismissed, since it was not answered')


def _send(doing: Doing, dialog: Dialog, answer: DialogAnswer) -> None:
    tab = doing.tab
    params: dict[str, Any] = {"accept": answer.accept}
    if dialog.type == "prompt" and answer.accept:
        params["promptText"] = dialog.default if answer.text is None else answer.text
    with tab.changed:
        tab.dialog = None  # what is waited for from now on is not ended by it
    Session(tab.session.client, dialog.session).call("Page.handleJavaScriptDialog", doing.deadline, **params)
