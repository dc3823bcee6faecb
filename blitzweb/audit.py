"""Every decision as one record: a line in the day's file, and an `audit/event` for a host that wants it (AUDIT-01…05).

Secrets are masked before anything is written. A write that fails is logged once and breaks nothing.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from blitzweb.masking import Masker
from blitzweb.statefiles import append_private

Sink = Callable[[Mapping[str, Any]], object]


class AuditRecord(NamedTuple):
    """One decision. `decision` is a value of `policy.verdicts.Decision`; what is empty is left out."""

    kind: str  # approval, denial, user_search, egress
    tool: str
    target: str
    detail: str
    decision: str
    session: str = ""
    key: str = ""
    rule: str = ""


class Audit:
    """Writes records; safe from any thread.

    `folder` is "" where no file is wanted; `tell` is `None` where the host wants no events. `complain` gets a text,
    once, when the file cannot be written.
    """

    def __init__(
        self,
        *,
        folder: str = "",
        tell: Sink | None = None,
        masker: Masker | None = None,
        complain: Callable[[str], object] = lambda _text: None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._folder = folder
        self._tell = tell
        self._masker = masker or Masker()
        self._complain = complain
        self._clock = clock
        self._lock = threading.Lock()  # guards `_complained` alone: a line is one write of the system
        self._complained = False

    def write(self, record: AuditRecord) -> None:
        """Record a decision."""
        event = self._to_event(record)
        if self._folder:
            self._append(event)
        if self._tell is not None:
            self._tell(event)

    def _to_event(self, record: AuditRecord) -> dict[str, str]:
        event = {"time": _rfc3339(self._clock())}
        event.update((name, self._masker.mask(value)) for name, value in record._asdict().items() if value)
        return event

    def _append(self, event: Mapping[str, str]) -> None:
        path = os.path.join(self._folder, f"audit-{event['time'][:10]}.jsonl")
        line = json.dumps(event, ensure_ascii=False, separators=(",", ":")) + "\n"
        try:
            append_private(path, line.encode("utf-8", "replace"))
        except OSError as error:
            with self._lock:
                first, self._complained = not self._complained, True
            if first:
                self._complain(
                    f"the audit file {path} cannot be written ({error.strerror}); decisions go unrecorded there"
                )


def _rfc3339(seconds: float) -> str:
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    return f"{whole}.{int(seconds % 1 * 1000):03d}Z"
