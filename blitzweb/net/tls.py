"""TLS for our own requests: one context, made on first use, since it costs 17 ms (WEB-06a, SETTING-07)."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable

from urllib3.util.ssltransport import SSLTransport

from blitzweb.limits import TLS_SECONDS
from blitzweb.net.failures import FOREIGN, Phase, map_failure
from blitzweb.net.tcp import Stream, shut_down
from blitzweb.net.timed_socket import Clock, TimedSocket


class TlsContext:
    """The system's roots, and those of `network.ca_file`. Safe from any thread."""

    def __init__(self, ca_file: str = "") -> None:
        self._ca_file = ca_file
        self._lock = threading.Lock()
        self._context: ssl.SSLContext | None = None

    def get(self) -> ssl.SSLContext:
        """Return the context. A `ca_file` that cannot be used has been told as a warning at the start."""
        with self._lock:
            if self._context is None:
                self._context = make_context(self._ca_file)
            return self._context


def make_context(ca_file: str) -> ssl.SSLContext:
    """Return a context that verifies, speaks TLS 1.2 or newer, and offers HTTP/1.1 alone."""
    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    if ca_file and why_unusable(ca_file) is None:
        context.load_verify_locations(ca_file)
    return context


def why_unusable(ca_file: str) -> str | None:
    """Return why a file of certificates cannot be used, or `None`."""
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(ca_file)
    except ssl.SSLError:
        return "it holds no certificates in PEM form"
    except OSError as error:
        return error.strerror or type(error).__name__
    return None


def set_up(
    stream: Stream,
    context: Callable[[], ssl.SSLContext],
    host: str,
    clock: Clock,
    *,
    seconds: float = TLS_SECONDS,
) -> Stream:
    """Set up TLS with a host on a connected stream; the stream is closed if it fails.

    Raises:
        FetchFailed: phase "tls"; says which check failed.
        CallCancelled: the call was cancelled meanwhile.
    """
    with clock.narrowed(seconds) as limit:
        try:
            with clock.cancel.stopping(lambda: shut_down(stream)):
                return _shake_hands(stream, context(), host, clock)
        except FOREIGN as error:
            stream.close()
            clock.cancel.check()
            raise map_failure(error, Phase.TLS, host, limit.seconds) from None


def _shake_hands(stream: Stream, context: ssl.SSLContext, host: str, clock: Clock) -> Stream:
    if isinstance(stream, socket.socket) and not isinstance(stream, ssl.SSLSocket):
        stream.settimeout(clock.remaining())  # of the whole handshake
        return context.wrap_socket(stream, server_hostname=host)
    # TLS inside the TLS of a proxy: each read and write of the handshake is timed by itself.
    return SSLTransport(TimedSocket(stream, clock), context, server_hostname=host)  # type: ignore[arg-type]
