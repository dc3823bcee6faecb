"""Streamable HTTP in front of MCP servers on stdio, as much of it as the official conformance suite needs.

Each legacy session gets a process of its own; everything else goes to one that is shared. Ids are made unique on the
way in and restored on the way out, since several HTTP clients share a process.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import queue
import subprocess
import threading
import uuid
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from tests.support.host import ROOT
from tests.support.mcp import PREFIX

SECONDS = 20
STATUS = {-32600: 400, -32602: 400, -32020: 400, -32021: 400, -32022: 400, -32601: 404}  # of errors of the modern era


class Process:
    """One server, and the HTTP requests that wait for what it says."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._ids = itertools.count(1)
        self._lock = threading.Lock()
        self._waiting: dict[
            int, tuple[Any, Any, queue.Queue[Any]]
        ] = {}  # by our id: the client's, its token, its queue
        self._thread = threading.Thread(target=self._read, name="bridge-reader")
        self._thread.start()

    def close(self) -> None:
        """End the server."""
        self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._thread.join()
        self._process.stdout.close()

    def send(self, message: dict[str, Any]) -> None:
        """Hand a message on as it is."""
        with self._lock:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()

    def ask(self, message: dict[str, Any]) -> queue.Queue[Any]:
        """Hand a request on; all that belongs to it comes into the queue, its answer last."""
        identity, arriving = next(self._ids), queue.Queue()
        meta = (message.get("params") or {}).get("_meta") or {}
        self._waiting[identity] = (message["id"], meta.get("progressToken"), arriving)
        self.send(message | {"id": identity})
        return arriving

    def _read(self) -> None:
        for line in self._process.stdout:
            self._route(json.loads(line))

    def _route(self, message: dict[str, Any]) -> None:
        if "method" not in message:
            theirs, _, arriving = self._waiting.pop(message["id"], (None, None, queue.Queue()))
            arriving.put(message | {"id": theirs})
            return
        params = message.get("params") or {}
        subscription = (params.get("_meta") or {}).get(f"{PREFIX}subscriptionId")
        if subscription in self._waiting:
            theirs, _, arriving = self._waiting[subscription]
            params["_meta"][f"{PREFIX}subscriptionId"] = theirs
            arriving.put(message)
            return
        token = params.get("progressToken")
        for _, asked, arriving in list(self._waiting.values()):
            if token is None or asked == token:
                arriving.put(message)
                return


class Bridge:
    """The HTTP server, while the block runs."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._processes = {"": Process(command)}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.bridge = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), name="bridge")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/mcp"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        for process in self._processes.values():
            process.close()
        self._server.server_close()
        self._thread.join()

    def open(self) -> str:
        """Start a process for a session; return the session's id."""
        session = uuid.uuid4().hex
        self._processes[session] = Process(self._command)
        return session

    def find(self, session: str) -> Process | None:
        return self._processes.get(session)

    def end(self, session: str) -> None:
        self._processes.pop(session).close()


class Handler(BaseHTTPRequestHandler):
    """One HTTP request."""

    timeout = SECONDS

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the library's name)
        """Say nothing."""

    def do_GET(self) -> None:
        self._answer(405, {"error": "there is no stream to open"})

    def do_DELETE(self) -> None:
        session = self.headers.get("Mcp-Session-Id", "")
        if session and self.server.bridge.find(session):
            self.server.bridge.end(session)
            self._answer(200, {})
        else:
            self._answer(404, {})

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        session = self.headers.get("Mcp-Session-Id", "")
        meta = (message.get("params") or {}).get("_meta") or {}
        version = meta.get(f"{PREFIX}protocolVersion")
        if version is not None and self.headers.get("MCP-Protocol-Version") != version:
            error = {"code": -32020, "message": "the header does not match"}
            self._answer(400, {"jsonrpc": "2.0", "id": message.get("id"), "error": error})
            return
        if message.get("method") == "initialize" and version is None:
            session = self.server.bridge.open()
        process = self.server.bridge.find(session)
        if process is None:
            self._answer(404, {"error": "no such session"})
        elif "method" in message and "id" in message:
            self._relay(process.ask(message), session)
        else:
            process.send(message)
            self._answer(202, {})

    def _relay(self, arriving: queue.Queue[Any], session: str) -> None:
        """Answer with JSON if the answer is all there is, else with a stream."""
        first = arriving.get(timeout=SECONDS)
        if "method" not in first:
            status = 200 if session else STATUS.get(first.get("error", {}).get("code"), 200)
            self._answer(status, first, session)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        with contextlib.suppress(OSError, queue.Empty):  # the client went away, or only wanted to listen for a while
            self._stream(first, arriving)

    def _stream(self, message: dict[str, Any], arriving: queue.Queue[Any]) -> None:
        while True:
            self.wfile.write(b"event: message\ndata: " + json.dumps(message).encode() + b"\n\n")
            self.wfile.flush()
            if "method" not in message:
                return
            message = arriving.get(timeout=SECONDS)

    def _answer(self, status: int, value: dict[str, Any], session: str = "") -> None:
        body = json.dumps(value).encode() if value else b""
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if session:
            self.send_header("Mcp-Session-Id", session)
        self.end_headers()
        self.wfile.write(body)
