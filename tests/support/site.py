"""A site for browser tests: pages from texts and from the cases, and a log of what the pages say really happened.

Every page gets `say(text)`, which reports to `/log`; `OTHER` in a page becomes the address of the same site under
another host name, so that frames and links can lead to another origin, and `QUERY` the query that came.
"""

from __future__ import annotations

import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

CASES = Path(__file__).parents[1] / "cases" / "browser"
_SAY = "<script>function say(t){navigator.sendBeacon('/log?'+encodeURIComponent(t))}</script>"


class Site:
    """Serves on 127.0.0.1; `url` is the site by that address, `other` by the name localhost."""

    def __init__(self, pages: dict[str, str] | None = None) -> None:
        self.pages = dict(pages or {})
        self.headers: dict[str, tuple[str, str]] = {}  # of pages, one more each, or another Content-Type
        self.said: list[str] = []
        self.requests: list[str] = []
        self._changed = threading.Condition()
        self._release = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.site = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._release.set()  # whoever waits for the end of a page that never loads
        self._server.shutdown()
        self._thread.join(5)
        self._server.server_close()

    @property
    def url(self) -> str:
        """The site's address."""
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def other(self) -> str:
        """The same site as another one."""
        return f"http://localhost:{self._server.server_port}"

    def say(self, text: str) -> None:
        """Take down what a page says."""
        with self._changed:
            self.said.append(text)
            self._changed.notify_all()

    def wait_for(self, text: str, seconds: float = 5.0) -> None:
        """Wait until a page has said something."""
        with self._changed:
            said = self._changed.wait_for(lambda: text in [one.strip() for one in self.said], seconds)
            assert said, f"{text!r} was never said: {self.said}"

    def answer(self, path: str) -> tuple[int, str, bytes] | None:
        """Return status, media type and body of a path; None for one that never answers."""
        name, _, query = path.partition("?")
        if special := self._special(name, query):
            return special
        if name == "/never":
            self._release.wait(60)
            return None
        text = self.pages.get(name)
        if text is None and (CASES / name[1:]).is_file():
            text = (CASES / name[1:]).read_text()
        if text is None:
            return 404, "text/html", b"<title>missing</title>no such page"
        text = text.replace("OTHER", self.other).replace("QUERY", urllib.parse.unquote(query))
        if name.endswith(".js"):
            return 200, "text/javascript", text.encode()
        return 200, "text/html; charset=utf-8", (_SAY + text).encode()

    def _special(self, name: str, query: str) -> tuple[int, str, bytes] | None:
        if name == "/log":
            self.say(urllib.parse.unquote(query))
            return 204, "", b""
        if name == "/204":
            time.sleep(0.1)  # as slow as a real answer
            return 204, "", b""
        if name == "/slow":
            time.sleep(int(urllib.parse.parse_qs(query)["ms"][0]) / 1000)
            return 200, "text/plain", b"late"
        if name == "/download.bin":
            return 200, "application/octet-stream", b"0123456789"
        if name == "/to":
            return 302, urllib.parse.unquote(query), b""
        return None


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    site: Site

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a browser that went away."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Any

    def do_GET(self) -> None:
        site: Site = self.server.site
        site.requests.append(f"{self.command} {self.path}")
        answer = site.answer(self.path)
        if answer is None:
            self.close_connection = True
            return
        status, kind, body = answer
        name, _, query = self.path.partition("?")
        more, value = site.headers.get(name, ("", ""))
        self.send_response(status)
        if more:
            self.send_header(more, value.replace("QUERY", urllib.parse.unquote(query)))
        if self.path.startswith("/download"):
            self.send_header("Content-Disposition", 'attachment; filename="report.bin"')
        if kind and more != "Content-Type":
            self.send_header("Location" if status == 302 else "Content-Type", kind)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.do_GET()

    def log_message(self, *_: Any) -> None:
        return
