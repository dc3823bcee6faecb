"""The web server of the benchmark, in a process of its own: raw sockets, a thread for each connection.

It prints its port. Pages are made when they are first asked for: `/small`, `/wait` (20 ms late), `/page` and `/bomb`,
with `.gzip`, `.br` or `.zstd` after it encoded so.
"""

from __future__ import annotations

import contextlib
import random
import socket
import sys
import threading
import time
import zlib
from collections.abc import Iterable
from functools import cache
from itertools import takewhile

import brotli

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PAGE_BYTES = 2 * 2**20
BOMB_MIB = {"gzip": 1024, "br": 256, "zstd": 1024}  # Brotli takes minutes for more
WAIT_SECONDS = 0.02
WORDS = ("the", "of", "and", "to", "in", "is", "that", "for", "it", "as", "was", "with", "be", "by", "on", "not")


@cache
def answer(path: str) -> bytes:
    """Return the whole response for a path."""
    name, _, coding = path.strip("/").partition(".")
    body = encode(name, coding)
    kind = "text/html; charset=utf-8" if name == "page" else "text/plain"
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
    return (head + (f"Content-Encoding: {coding}\r\n" if coding else "") + "\r\n").encode() + body


def encode(name: str, coding: str) -> bytes:
    """Return a body, encoded."""
    if name == "bomb":
        return compress(coding, (bytes(2**20) for _ in range(BOMB_MIB[coding])))
    body = page() if name == "page" else b"x" * 200
    return compress(coding, [body]) if coding else body


def compress(coding: str, chunks: Iterable[bytes]) -> bytes:
    """Return chunks in one stream of a content coding."""
    if coding == "br":
        encoder = brotli.Compressor(quality=5)
        return b"".join(encoder.process(chunk) for chunk in chunks) + encoder.finish()
    encoder = zlib.compressobj(6, wbits=31) if coding == "gzip" else zstd.ZstdCompressor()
    return b"".join(encoder.compress(chunk) for chunk in chunks) + encoder.flush()


@cache
def page() -> bytes:
    """Return HTML of exactly the size that a fetch takes whole, with the redundancy that text has."""
    choose = random.Random(7)
    parts, size = [b"<!doctype html><title>Page</title><body>"], 0
    while size < PAGE_BYTES:
        words = " ".join(choose.choice(WORDS) for _ in range(60))
        parts.append(f'<p class="c{choose.randrange(9)}">{words}</p>\n'.encode())
        size += len(parts[-1])
    return b"".join(parts)[:PAGE_BYTES]


def converse(connection: socket.socket) -> None:
    """Answer requests on one connection until the client ends it."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with contextlib.suppress(ConnectionError), connection, connection.makefile("rb") as stream:
        while request := stream.readline():
            headers = list(takewhile(lambda line: line != b"\r\n", iter(stream.readline, b"")))
            path = request.split()[1].decode()
            if path == "/wait":
                time.sleep(WAIT_SECONDS)
            if b"connection: close\r\n" in map(bytes.lower, headers):
                connection.sendall(answer(path).replace(b"\r\n", b"\r\nConnection: close\r\n", 1))
                return
            connection.sendall(answer(path))


def main() -> None:
    """Serve until standard input ends."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=256)
    print(listener.getsockname()[1], flush=True)
    threading.Thread(target=accept, args=(listener,), daemon=True).start()
    sys.stdin.read()


def accept(listener: socket.socket) -> None:
    """Take connections; ends with the process."""
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=converse, args=(connection,), daemon=True).start()


if __name__ == "__main__":
    main()
