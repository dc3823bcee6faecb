"""A daemon with made-up methods, spawned by the tests of the wire: `python -m tests.support.wire_server [options]`."""

from __future__ import annotations

import sys
import threading
import time

from blitzweb.dialects.native_lifecycle import NativeLifecycle
from blitzweb.errors import InvalidParams
from blitzweb.rpc.log import Log
from blitzweb.rpc.methods import Kind, Method
from blitzweb.rpc.serve import serve

DEAF: dict[object, threading.Event] = {}


def initialize(params, running):
    pid = (params or {}).get("host", {}).get("pid")
    if pid is not None:
        running.connection.watch_host(pid)
    if (params or {}).get("fail"):
        raise InvalidParams("as asked")
    return {"protocol_version": 1}


def echo(params, _running):
    return params


def text(params, _running):
    return {"text": "x" * params["size"]}


def ask(params, running):
    return {"answer": running.host.request("approval/request", params, cancel=running.cancel)}


def hold(params, running):
    """Run until cancelled; `deaf` work does not notice a cancel and goes on until released."""
    running.phase = "holding"
    released = DEAF[running.id] = threading.Event()
    running.host.notify("held", {"id": running.id})
    if params and params.get("deaf"):
        released.wait(30)
        return "late"
    running.cancel.wait(30)
    running.cancel.check()
    return "not cancelled"


def release(_params, _running):
    while DEAF:
        DEAF.popitem()[1].set()


def think(params, running):
    """Let the clock stand still for longer than the deadline."""
    with running.deadline.stopwatch.pause():
        time.sleep(params["thinking"])
    return {"remaining": running.deadline.remaining()}


def progress(params, running):
    report = running.progress(params.get("token"))
    for step in range(params["steps"]):
        report(step + 1, params["steps"], "x" * params.get("size", 1))
    return params["steps"]


def fail(params, _running):
    raise KeyError(params.get("secret", "no reason"))


def leave(_params, _running):
    raise SystemExit(7)


def surrogate(_params, _running):
    return {"text": "a\ud800b\udfffc\ud83d\ude00"}


def nan(_params, _running):
    return {"value": float("nan")}


def stray(params, _running):
    """Print in every way that there is."""
    import ctypes
    import os
    import subprocess
    import warnings

    print("stray: python")  # noqa: T201
    os.write(1, b"stray: descriptor\n")
    libc = ctypes.CDLL(None)
    libc.puts(b"stray: C")
    libc.fflush(None)
    subprocess.run(["sh", "-c", "echo stray: child; cat"], check=True)
    warnings.warn("stray: warning", stacklevel=1)
    sys.__stdout__.flush()


def log_something(params, _running):
    import logging

    logging.getLogger("somebody").warning("library says %s", params["text"])


def status(_params, running):
    return running.connection.snapshot()


def threads(_params, _running):
    return sorted(thread.name for thread in threading.enumerate())


def seconds(params):
    return (params or {}).get("seconds", 30.0)


def lane(params):
    return (params or {}).get("lane")


def work(handler):
    return Method(handler, Kind.WORK, lane=lane, deadline=seconds)


METHODS = {
    "initialize": Method(initialize),
    "rpc.discover": Method(lambda _params, _running: {"openrpc": "1.3.2"}),
    "$/status": Method(status),
    "echo": Method(echo),
    "echo/work": work(echo),
    "text": work(text),
    "text/quick": Method(text),
    "ask": work(ask),
    "hold": work(hold),
    "release": Method(release),
    "think": work(think),
    "progress": work(progress),
    "fail": work(fail),
    "fail/quick": Method(fail),
    "leave": work(leave),
    "leave/quick": Method(leave),
    "surrogate": Method(surrogate),
    "nan": work(nan),
    "nan/quick": Method(nan),
    "stray": work(stray),
    "log": Method(log_something),
    "threads": Method(threads),
}


def main(options: list[str]) -> int:
    log = Log(
        level="debug" if "--debug" in options else "info", mask=lambda entry: entry.replace("hunter2", "[REDACTED]")
    )
    closers = [lambda: log.info("closed")]
    if "--bad-closer" in options:
        closers.insert(0, lambda: 1 / 0)
    if "--slow-closer" in options:
        closers.append(lambda: time.sleep(60))
    return serve(METHODS, lifecycle=NativeLifecycle(), log=log, on_stop=closers)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
