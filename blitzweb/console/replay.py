"""Replays a transcript: sends the host's lines to a fresh daemon, and compares what comes back (WIRE-43).

What the transcript has between two lines of the host must come before the second is sent, in any order. Ids of the
daemon's own requests differ from run to run, so answers to them are sent under the new ones.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any, Final

from blitzweb.console.compare import differences
from blitzweb.console.link import DaemonFailed, Link
from blitzweb.console.transcript import Entry, mask_value
from blitzweb.masking import Masker
from blitzweb.wire.encoding import encode

WAIT_SECONDS: Final = 15.0  # for one message; no call of a transcript should take that long

# May come or not, and says nothing about the outcome.
_OPTIONAL: Final = frozenset({"$/progress", "log/message"})


class Replay:
    """One run of a transcript.

    Args:
        link: a fresh daemon; `run` closes it.
        state_dir: stands in for the recorded one, so that nobody's approvals are touched.
        masker: what the recorder masked is masked before it is compared.
        replace: texts of the transcript, and what they are in this run (an address, for instance).
    """

    def __init__(
        self, link: Link, *, state_dir: str, masker: Masker, replace: Sequence[tuple[str, str]] = (), seconds: float = 0
    ) -> None:
        self._link = link
        self._state_dir = state_dir
        self._masker = masker
        self._replace = replace
        self._seconds = seconds or WAIT_SECONDS
        self._unmatched: list[Any] = []
        self._ids: dict[str, Any] = {}  # of the daemon's requests: in the transcript → in this run

    def run(self, entries: Sequence[Entry]) -> list[str]:
        """Return what was different, one sentence each."""
        code: int | None = None
        try:
            found = list(self._play([entry for entry in entries if entry.exit is None]))
            found += self._read_rest()
        finally:
            code = self._link.close()
        wanted = [entry for entry in entries if entry.exit is not None]
        return found + [
            f"line {entry.number}: the daemon ended with {code}, not {entry.exit}"
            for entry in wanted
            if entry.exit != code
        ]

    def _play(self, entries: Sequence[Entry]) -> Iterator[str]:
        for entry in entries:
            try:
                if entry.sender == "host":
                    self._send(entry)
                else:
                    yield from self._expect(entry)
            except TimeoutError:
                yield f"line {entry.number}: nothing came in {self._seconds:g} s; wanted {_name(entry.message)}"
                return
            except DaemonFailed as failure:
                yield f"line {entry.number}: {failure.message}; wanted {_name(entry.message)}\n  {failure.advice}"
                return

    def _send(self, entry: Entry) -> None:
        if entry.line is not None:
            self._link.send_line(self._now(entry.line).encode())
        else:
            self._link.send(self._prepare(self._now(entry.message)))

    def _prepare(self, message: Any) -> Any:
        """Fit what belongs to the recorded run: ids of answers, the host's process, its state."""
        if not isinstance(message, dict):
            return message
        if "method" not in message and (known := repr(message.get("id"))) in self._ids:
            return message | {"id": self._ids[known]}
        params = message.get("params")
        if message.get("method") != "initialize" or not isinstance(params, dict):
            return message
        changed: dict[str, Any] = {}
        if isinstance(params.get("host"), dict) and "pid" in params["host"]:
            changed["host"] = params["host"] | {"pid": os.getpid()}
        if "state_dir" in params:
            changed["state_dir"] = self._state_dir
        return message | {"params": params | changed}

    def _expect(self, entry: Entry) -> Iterator[str]:
        wanted = self._now(entry.message)
        given = self._find(wanted)
        if _is_request(wanted):
            self._ids[repr(wanted["id"])] = given["id"]
            wanted, given = _without_ids(wanted), _without_ids(given)
        elif isinstance(wanted, dict) and wanted.get("method") == "approval/resolved":
            wanted, given = _without_ids(wanted), _without_ids(given)
        for difference in differences(wanted, mask_value(given, self._masker), entry.expect):
            yield f"line {entry.number}: {_name(wanted)}: {difference}"

    def _find(self, wanted: Any) -> Any:
        """Return the message that an entry is about, wherever it comes among the others."""
        for index, message in enumerate(self._unmatched):
            if _key(message) == _key(wanted):
                return self._unmatched.pop(index)
        while True:
            message = self._link.receive(self._seconds)
            if _key(message) == _key(wanted):
                return message
            self._unmatched.append(message)

    def _read_rest(self) -> list[str]:
        """End the input, and return what the daemon said beyond the transcript."""
        self._link.end_input()
        try:
            while True:
                self._unmatched.append(self._link.receive(self._seconds))
        except (DaemonFailed, TimeoutError):
            pass
        more = [message for message in self._unmatched if _key(message)[1] not in _OPTIONAL]
        return [f"the daemon also sent {_name(message)}, which the transcript has not" for message in more]

    def _now(self, value: Any) -> Any:
        """Put this run's texts in the place of the recorded ones."""
        if isinstance(value, str):
            for recorded, present in self._replace:
                value = value.replace(recorded, present)
            return value
        if isinstance(value, list):
            return [self._now(item) for item in value]
        if isinstance(value, dict):
            return {name: self._now(item) for name, item in value.items()}
        return value


def _is_request(message: Any) -> bool:
    return isinstance(message, dict) and "method" in message and "id" in message


def _key(message: Any) -> tuple[str, str]:
    """Return what tells messages apart before they are compared."""
    if isinstance(message, list):
        return "batch", ""
    if not isinstance(message, dict):
        return "value", ""
    if "method" in message:
        return "method", str(message["method"])
    return "answer", encode(message.get("id")).decode()


def _without_ids(message: dict[str, Any]) -> dict[str, Any]:
    """Leave out the ids that the daemon makes up: the message's own, and the question's."""
    params = message.get("params")
    left = {name: value for name, value in message.items() if name != "id"}
    if isinstance(params, dict):
        left["params"] = {name: value for name, value in params.items() if name != "id"}
    return left


def _name(message: Any) -> str:
    kind, what = _key(message)
    return {"method": what, "answer": f"the answer to {what}", "batch": "a batch of answers"}.get(kind, "a message")
