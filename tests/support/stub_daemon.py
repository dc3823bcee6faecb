"""A daemon that is told how to behave, for the tests of hosts: `python -m tests.support.stub_daemon`.

It speaks the protocol with the contract's own documents, and its one tool does what the URL says:
`ask:` asks first · `die:7` ends with a last word · `orphan:7` leaves a child that holds the pipes · `garbage:` writes
no JSON · `large:5` answers 5 MiB · `wait:` until cancelled · `hush:` ignores cancels, until the input ends · `steps:`
reports progress · `fail:` is an error · `controls:` holds what no terminal should see · `method:x` asks the host for a
method · else the URL comes back.
"""

from __future__ import annotations

import json
import subprocess
import sys

from blitzweb.contract.codec import encode
from blitzweb.contract.openrpc import openrpc_document
from blitzweb.contract.toolset import WEB_FETCH, describe


def send(**message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def receive():
    line = sys.stdin.buffer.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)


def until(wanted):
    """Return the first message that is wanted; pings are answered meanwhile."""
    while not wanted(message := receive()):
        if message.get("method") == "ping":
            send(id=message["id"], result=None)
    return message


def is_cancel(message):
    return message.get("method") == "$/cancelRequest"


def said(text, *, is_error=False, images=()):
    return {"output": {"url": text}, "text": text, "images": list(images), "is_error": is_error}


class Cancelled(Exception):
    pass


class Stub:
    def __init__(self):
        self.hello = {}

    def fetch(self, params):
        what, _, rest = str(params["arguments"].get("url", "")).partition(":")
        if what == "garbage":
            print("Traceback (most recent call last):\x1b[31m")  # noqa: T201
        if what == "die":
            sys.stderr.write("log line\nI was told to\n")
            sys.exit(int(rest))
        return getattr(self, f"on_{what}", self.on_echo)(params, rest)

    def on_orphan(self, _params, rest):
        subprocess.Popen(["sleep", "30"])
        sys.exit(int(rest))

    def on_echo(self, params, _rest):
        return said(json.dumps(params, sort_keys=True))

    def on_ask(self, params, rest):
        choices = ["once", "deny"] if rest == "keyless" else ["once", "session", "always", "deny"]
        question = {
            "id": "q1",
            "tool": "web_fetch",
            "kind": "network",
            "label": "requests to x",
            "detail": "GET\nx\x1b",
        }
        send(
            id="d1",
            method="approval/request",
            params=question | {"targets": ["x"], "choices": choices} | ({"key": "web:x"} if rest != "keyless" else {}),
        )
        answer = until(lambda message: is_cancel(message) or message.get("id") == "d1")
        if is_cancel(answer):
            send(method="approval/resolved", params={"id": "q1", "decision": "cancelled"})
            raise Cancelled
        decision = answer["result"]
        return said(json.dumps(decision, sort_keys=True), is_error=decision["decision"] == "deny")

    def on_method(self, _params, rest):
        send(id="d2", method=rest, params={})
        return said(json.dumps(until(lambda message: message.get("id") == "d2")["error"]))

    def on_wait(self, _params, _rest):
        sys.stderr.write("waiting\n")
        sys.stderr.flush()
        until(is_cancel)
        raise Cancelled

    def on_hush(self, _params, _rest):
        sys.stderr.write("waiting\n")
        sys.stderr.flush()
        until(lambda _message: False)

    def on_steps(self, params, _rest):
        token = params.get("progress_token", "none")
        send(method="$/progress", params={"token": token, "progress": 1, "total": 2, "message": "half"})
        send(method="log/message", params={"level": "warning", "text": "odd"})
        send(method="tools/changed", params={})
        picture = {"uri": "blitzweb-image:0", "path": "/i/0.png", "mime_type": "image/png", "audience": "user"}
        return said("done", images=[picture | {"width": 1, "height": 2, "bytes": 3}])

    def on_large(self, _params, rest):
        return said("x" * (int(rest or 17) * 2**20))

    def on_fail(self, _params, _rest):
        return said("it failed", is_error=True)

    def on_controls(self, _params, _rest):
        return said("a\x1b[2Jb\x9bc\u202ed\te")

    def answer(self, method, params):
        if method == "initialize":
            self.hello = params
            return {
                "protocol_version": 1,
                "server": {"name": "stub", "version": "0", "pid": 1},
                "capabilities": {},
                "limits": {"max_line_bytes": 2**22, "max_calls": 1},
                "tools": ["web_fetch"],
                "settings": {},
                "warnings": params.get("settings", {}).get("warn", []),
            }
        if method == "rpc.discover":
            return openrpc_document()
        if method == "tools/list":
            if params.get("context", {}).get("mode") == "odd":
                raise Cancelled
            return {"tools": [encode(describe(WEB_FETCH))]}
        if method == "tools/call":
            return self.fetch(params)
        return {"hello": self.hello, "given": params, "options": sys.argv[1:]} if method == "$/status" else None

    def serve(self):
        while True:
            message = receive()
            if "id" not in message:
                if message["method"] == "exit":
                    sys.exit(0)
                continue
            if message["method"] == "no/such":
                error = {
                    "code": -32601,
                    "message": "no such method",
                    "data": {"reason": "method_not_found", "advice": "look at rpc.discover"},
                }
                send(id=message["id"], error=error)
                continue
            try:
                send(id=message["id"], result=self.answer(message["method"], message.get("params", {})))
            except Cancelled:
                send(id=message["id"], error={"code": -32800, "message": "cancelled", "data": {"reason": "cancelled"}})


if __name__ == "__main__":
    Stub().serve()
