"""Replays a transcript: sends the host's lines to a fresh daemon, and compares what comes back (WIRE-43).

What the transcript has between two lines of the host must come before the second is sent, in any order. Ids of the
daemon's own requests differ from run to run, so answers to them are sent under the new ones.
"""

from __future__ import annotations

import dataclasses
import itertools
import os
from collections import Counter
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

_Key = tuple[str, str]


class Replay:
    """One run of a transcript.

    Args:
        link: a fresh daemon; `run` closes it.
        state_dir: stands in for the recorded one, so that nobody's approvals are touched.
        masker: what the recorder masked is masked before it is compared.
        replace: texts of the transcript, and what they are in this run (an address, for instance).
        seconds: to wait for one message.
    """

    def __init__(
        self,
        link: Link,
        *,
        state_dir: str,
        masker: Masker,
        replace: Sequence[tuple[str, str]] = (),
        seconds: float = WAIT_SECONDS,
    ) -> None:
        self._link = link
        self._state_dir = state_dir
        self._masker = masker
        self._replace = replace
        self._seconds = seconds
        self._unmatched: list[Any] = []
        self._ids: dict[str, Any] = {}  # of the daemon's requests: in the transcript → in this run

    def run(self, entries: Sequence[Entry]) -> list[str]:
        """Return what was different, one sentence each."""
        spoken = [_present(entry, self._replace) for entry in entries if entry.exit is None]
        try:
            found = [*self._play(spoken), *self._read_rest()]
        finally:
            code = self._link.close()
        wrong_ends = [entry for entry in entries if entry.exit not in (None, code)]
        return found + [f"line {entry.number}: the daemon ended with {code}, not {entry.exit}" for entry in wrong_ends]

    def _play(self, entries: Sequence[Entry]) -> Iterator[str]:
        """Send what the host sends, and compare what the daemon says between."""
        for sender, group in itertools.groupby(entries, key=lambda entry: entry.sender):
            run = list(group)
            if sender == "host":
                for entry in run:
                    self._send(entry)
                continue
            missing = self._collect(run)
            if missing:
                yield missing
                return
            yield from self._compare(run)

    def _send(self, entry: Entry) -> None:
        if entry.line is not None:
            self._link.send_line(entry.line.encode())
        else:
            self._link.send(self._fit(entry.message))

    def _fit(self, message: Any) -> Any:
        """Exchange what belongs to the recorded run: ids of answers, the host's process, its state."""
        if not isinstance(message, dict):
            return message
        if "method" not in message and repr(message.get("id")) in self._ids:
            return message | {"id": self._ids[repr(message["id"])]}
        params = message.get("params")
        if message.get("method") != "initialize" or not isinstance(params, dict):
            return message
        changed: dict[str, Any] = {}
        if isinstance(params.get("host"), dict) and "pid" in params["host"]:
            changed["host"] = params["host"] | {"pid": os.getpid()}
        if "state_dir" in params:
            changed["state_dir"] = self._state_dir
        return message | {"params": params | changed}

    def _collect(self, run: Sequence[Entry]) -> str:
        """Receive until there is a message for each entry; return a sentence about one that did not come."""
        wanted: Counter[_Key] = Counter()
        for entry in run:
            key = _key(entry.message)
            wanted[key] += 1
            try:
                while sum(_key(message) == key for message in self._unmatched) < wanted[key]:
                    self._unmatched.append(self._link.receive(self._seconds))
            except TimeoutError:
                return f"line {entry.number}: nothing came in {self._seconds:g} s; wanted {_name(entry.message)}"
            except DaemonFailed as failure:
                wish = f"wanted {_name(entry.message)}"
                return f"line {entry.number}: {failure.message}; {wish}\n  {failure.advice}"
        return ""

    def _compare(self, run: Sequence[Entry]) -> Iterator[str]:
        """Pair entries with messages, first those that fit exactly, and yield what differs in the others."""
        left = list(run)
        for exactly in (True, False):
            for entry in list(left):
                for message in self._candidates(entry):
                    found = list(self._differences(entry, message))
                    if found and exactly:
                        continue
                    left.remove(entry)
                    self._unmatched.remove(message)
                    self._remember(entry.message, message)
                    yield from (f"line {entry.number}: {_name(message)}: {difference}" for difference in found)
                    break

    def _candidates(self, entry: Entry) -> list[Any]:
        return [message for message in self._unmatched if _key(message) == _key(entry.message)]

    def _differences(self, entry: Entry, message: Any) -> Iterator[str]:
        given = mask_value(message, self._masker)
        return differences(_comparable(entry.message), _comparable(given), entry.expect)

    def _remember(self, recorded: Any, present: Any) -> None:
        """Remember under which id a request of the daemon came."""
        if isinstance(recorded, dict) and "method" in recorded and "id" in recorded:
            self._ids[repr(recorded["id"])] = present.get("id")

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


def _present(entry: Entry, replace: Sequence[tuple[str, str]]) -> Entry:
    """Return an entry with this run's texts in the place of the recorded ones."""

    def change(value: Any) -> Any:
        if isinstance(value, str):
            for recorded, present in replace:
                value = value.replace(recorded, present)
            return value
        if isinstance(value, list):
            return [change(item) for item in value]
        return {name: change(item) for name, item in value.items()} if isinstance(value, dict) else value

    return dataclasses.replace(entry, message=change(entry.message), line=change(entry.line))


def _key(message: Any) -> _Key:
    """Return what tells messages apart before they are compared."""
    if isinstance(message, list):
        return "batch", " ".join(sorted(_key(part)[1] for part in message))
    if not isinstance(message, dict):
        return "value", ""
    if "method" in message:
        return "method", str(message["method"])
    return "answer", encode(message.get("id")).decode()


def _comparable(message: Any) -> Any:
    """Sort a batch, whose answers may come in any order, and leave out the ids that the daemon makes up."""
    if isinstance(message, list):
        return sorted(message, key=_key)
    if not isinstance(message, dict) or "method" not in message:
        return message
    params = message.get("params")
    left = {name: value for name, value in message.items() if name != "id"}
    if isinstance(params, dict):
        left["params"] = {name: value for name, value in params.items() if name != "id"}
    return left


def _name(message: Any) -> str:
    kind, what = _key(message)
    return {"method": what, "answer": f"the answer to {what}", "batch": "a batch of answers"}.get(kind, "a message")
