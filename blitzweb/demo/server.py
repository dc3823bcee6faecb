"""Serves the demo site on 127.0.0.1, from a thread of this process, with the odd corners that real sites have.

A redirect, a redirect to another host, one to a metadata address, a page in Shift_JIS that only its markup declares,
a page that does not answer, and a 404 with content.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final, Self

FOLDER: Final = Path(__file__).parent / "site"
TYPES: Final = {
    ".html": "text/html",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
}
METADATA: Final = "http://169.254.169.254/latest/meta-data/"


class DemoSite:
    """The site, while the block runs."""

    def __init__(self, port: int = 0) -> None:
        self._server = _Server(("127.0.0.1", port), _Handler)
        # Ends with `shutdown` in `__exit__`, which also joins the threads of requests under way.
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), name="demo-site")

    @property
    def url(self) -> str:
        """Return the address of the site, without a slash at its end."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def other_host(self) -> str:
        """Return the address of the same site under another host name."""
        return self.url.replace("127.0.0.1", "localhost")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # joined by server_close
    request_queue_size = 128  # all calls that a daemon admits may connect at once; a full queue costs them seconds

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(address, handler)
        self.closing = threading.Event()  # lets those who wait at /slow go

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a client that went away: a browser that is closed does so."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = 5.0  # for a client that keeps its connection and says nothing

    def do_GET(self) -> None:
        """Answer one request."""
        path = self.path.partition("?")[0]
        if path in _CORNERS:
            _CORNERS[path](self)
        else:
            self._send_file("index.html" if path == "/" else path.removeprefix("/"))

    def redirect(self, location: str) -> None:
        """Send somebody elsewhere."""
        self.send_response(HTTPStatus.FOUND)
        self.send_header("Location", location)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def wait(self) -> None:
        """Answer nothing until the site closes."""
        self.server.closing.wait(60)
        self.close_connection = True

    @property
    def neighbour(self) -> str:
        """Return this site under its other name."""
        return f"http://localhost:{self.server.server_address[1]}/"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the library's name)
        """Say nothing."""

    def _send_file(self, name: str) -> None:
        """Send a file of the site's one folder, or the page that says that there is none."""
        path = FOLDER / name
        found = name in _FILES
        body = (path if found else FOLDER / "404.html").read_bytes()
        if name == "ja.html":
            body = body.decode().encode("shift_jis")
        self.send_response(HTTPStatus.OK if found else HTTPStatus.NOT_FOUND)
        self.send_header("Content-Type", TYPES[path.suffix] if found else TYPES[".html"])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


_FILES: Final = frozenset(path.name for path in FOLDER.iterdir())
_CORNERS: Final[dict[str, Callable[[_Handler], None]]] = {
    "/sailings": lambda handler: handler.redirect("/timetable.html"),
    "/partner": lambda handler: handler.redirect(handler.neighbour),
    "/metadata": lambda handler: handler.redirect(METADATA),
    "/slow": lambda handler: handler.wait(),
}
