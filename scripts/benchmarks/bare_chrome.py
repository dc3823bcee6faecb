"""The floor of the browser's rows: the same Chrome, driven by as little as there can be: one socket, one thread."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from row import Unavailable
from websockets.client import ClientProtocol
from websockets.frames import Frame
from websockets.protocol import State
from websockets.uri import parse_uri

from blitzweb.browser.find import find_browser
from blitzweb.errors import BrowserUnavailable

SWITCHES = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--hide-scrollbars",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--window-size=1280,800",
)


class BareChrome:
    """A Chrome with one page; commands are sent, and answers and events read, by the caller's own thread.

    With the port of a proxy, everything goes through that.
    """

    def __init__(self, proxy_port: int = 0) -> None:
        try:
            program = find_browser().path
        except BrowserUnavailable as missing:
            raise Unavailable(f"{missing.message}; {missing.advice}") from None
        self.profile = tempfile.mkdtemp()
        own = ["--remote-debugging-port=0", f"--user-data-dir={self.profile}"]
        if proxy_port:
            own += [f"--proxy-server=127.0.0.1:{proxy_port}", "--proxy-bypass-list=<-loopback>"]
        command = [program, *SWITCHES, *own, "about:blank"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port, path = self._endpoint()
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._protocol = ClientProtocol(parse_uri(f"ws://127.0.0.1:{port}{path}"), max_size=None)
        self._protocol.send_request(self._protocol.connect())
        self._flush()
        self._messages: list[Any] = []
        self._number = 0
        while self._protocol.state is State.CONNECTING:
            self._receive()
        self.session = ""
        self._credentials: dict[str, str] = {}
        self._attach()

    def _endpoint(self) -> tuple[int, str]:
        file = Path(self.profile, "DevToolsActivePort")
        while True:
            if self.process.poll() is not None:
                raise Unavailable("the browser ended while it started")
            if file.exists() and "\n" in (text := file.read_text()):
                port, path = text.split("\n")[:2]
                return int(port), path
            time.sleep(0.001)

    def _attach(self) -> None:
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(one["targetId"] for one in targets if one["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Page.setLifecycleEventsEnabled", enabled=True)

    def send(self, method: str, **params: Any) -> int:
        """Send a command; return its number."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        self._protocol.send_text(json.dumps(message).encode())
        self._flush()
        return self._number

    def answer(self, number: int) -> dict[str, Any]:
        """Read until an answer comes."""
        while True:
            message = self._read()
            if message.get("id") == number:
                return message.get("result", {})

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and return its answer."""
        return self.answer(self.send(method, **params))

    def load(self, url: str, *, intercepted: bool = False) -> None:
        """Go to a URL and read until its load event."""
        number, loader, loaded = self.send("Page.navigate", url=url), None, set()
        while loader is None or loader not in loaded:
            message = self._read()
            if message.get("id") == number:
                loader = message["result"]["loaderId"]
            elif message.get("method") == "Fetch.requestPaused" and intercepted:
                self.send("Fetch.continueRequest", requestId=message["params"]["requestId"])
            elif message.get("method") == "Fetch.authRequired" and intercepted:
                self.send(
                    "Fetch.continueWithAuth",
                    requestId=message["params"]["requestId"],
                    authChallengeResponse={"response": "ProvideCredentials", **self._credentials},
                )
            elif message.get("method") == "Page.lifecycleEvent" and message["params"]["name"] == "load":
                loaded.add(message["params"]["loaderId"])

    def guard(self, user: str, password: str) -> None:
        """Turn on what every page of ours has: interception of documents, with a proxy's password, and the console."""
        self._credentials = {"username": user, "password": password}
        self.call("Fetch.enable", patterns=[{"resourceType": "Document"}], handleAuthRequests=True)
        self.call("Runtime.enable")

    def close(self) -> None:
        """End it and remove its profile."""
        self._socket.close()
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def _read(self) -> Any:
        while not self._messages:
            self._receive()
        return self._messages.pop(0)

    def _receive(self) -> None:
        self._protocol.receive_data(self._socket.recv(256 * 1024))
        frames = [one for one in self._protocol.events_received() if isinstance(one, Frame)]
        self._messages += [json.loads(bytes(frame.data)) for frame in frames]

    def _flush(self) -> None:
        for data in self._protocol.data_to_send():
            self._socket.sendall(data)
