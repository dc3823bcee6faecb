"""The worker process: reads a body from stdin, writes what it says to stdout, until there is nothing more to read.

Its limits are its own from the start: memory, processor time, no files, no core. It dies of an alarm at the deadline of
a request even if the daemon is gone, and leaves when it is idle for long, or when its parent has died. Whatever a
library prints goes nowhere (CONTENT-10).
"""

from __future__ import annotations

import gc
import os
import resource
import select
import signal
import threading
import time
from dataclasses import asdict
from typing import Any

from blitzweb.content.convert import convert
from blitzweb.content.outline import read_outline
from blitzweb.errors import InvalidArguments, ToolFailure
from blitzweb.limits import (
    MAX_WORKER_REQUEST_BYTES,
    MIB,
    WORKER_IDLE_SECONDS,
    WORKER_MEMORY_BYTES,
)
from blitzweb.workers.frames import pack_frame, read_frame

_PARENT_POLL_SECONDS = 0.25


def main() -> None:
    """Serve requests until the daemon closes the pipe, or sends none for a while."""
    requests, answers = _take_pipes()
    _limit()
    # Trees are thrown away whole after each request, and the process itself soon after.
    gc.disable()
    # Ends with the process; the alarm covers the case that a parser keeps it from running.
    threading.Thread(target=_watch_parent, args=(os.getppid(),), name="parent-watch", daemon=True).start()
    while select.select([requests], [], [], WORKER_IDLE_SECONDS)[0]:
        frame = read_frame(lambda length: os.read(requests, min(length, MIB)), MAX_WORKER_REQUEST_BYTES)
        if frame is None:
            return
        head, body = frame
        _arm(float(head.pop("seconds")))
        answer = memoryview(pack_frame(_answer(head, body)))
        while answer:
            answer = answer[os.write(answers, answer) :]
        signal.setitimer(signal.ITIMER_REAL, 0)


def _take_pipes() -> tuple[int, int]:
    """Return the two pipes, and leave nothing at their usual places."""
    requests, answers = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    return requests, answers


def _limit() -> None:
    """Take limits that hold for the rest of the process."""
    for what, limit in (
        (resource.RLIMIT_AS, WORKER_MEMORY_BYTES),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(what)
        if hard == resource.RLIM_INFINITY or limit <= hard:
            resource.setrlimit(what, (limit, limit))


def _arm(seconds: float) -> None:
    """Have the process killed when a request takes longer, in time or on the processor."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + seconds) + 2, hard))
    signal.setitimer(signal.ITIMER_REAL, seconds)


def _answer(options: dict[str, Any], body: bytes) -> dict[str, Any]:
    """Return what the body says, or why it cannot be read."""
    try:
        if options.pop("task") == "outline":
            return {"outline": read_outline(body, **options, bounded=True)}
        return {"document": asdict(convert(body, **options, bounded=True))}
    except MemoryError:
        return {"failed": "memory"}
    except RecursionError:
        return {"failed": "recursion"}
    except ToolFailure as failure:
        kind = "arguments" if isinstance(failure, InvalidArguments) else "content"
        return {"failed": kind, "message": failure.message, "advice": failure.advice}


def _watch_parent(parent: int) -> None:
    """End the process when the daemon is gone."""
    while os.getppid() == parent:
        time.sleep(_PARENT_POLL_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    main()
