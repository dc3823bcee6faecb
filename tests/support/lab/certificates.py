"""TLS for every host of the world, from a test CA; certificates that are no good for those that a scene lists."""

from __future__ import annotations

import datetime as dt
import socket
import ssl
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

import trustme

from tests.support.lab.scene import Certificate


class Certificates:
    """One CA, and one certificate for each host, issued when it is first asked for."""

    def __init__(self) -> None:
        self._authority = trustme.CA()
        self._contexts: dict[tuple[str, str], ssl.SSLContext] = {}

    def write_authority(self, path: Path) -> None:
        """Write the CA's certificate for clients to trust."""
        self._authority.cert_pem.write_to_path(str(path))

    def accept(
        self, connection: socket.socket, address: str, faults: Mapping[str, Certificate]
    ) -> tuple[ssl.SSLSocket, str]:
        """Shake hands with the certificate of the name that the client sends, which is returned too ("" for none)."""
        named = [""]

        def choose(stream: ssl.SSLObject, name: str | None, _context: ssl.SSLContext) -> None:
            named[0] = name or ""
            host = name or address
            stream.context = self._context(host, faults.get(host, "good"))

        greeting = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        greeting.sni_callback = choose
        return greeting.wrap_socket(connection, server_side=True), named[0]

    def _context(self, host: str, quality: str) -> ssl.SSLContext:
        key = (host, quality)
        if key not in self._contexts:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._issue(host, quality).configure_cert(context)
            self._contexts[key] = context
        return self._contexts[key]

    def _issue(self, host: str, quality: str) -> trustme.LeafCert:
        if quality == "unknown-ca":
            return self._stranger.issue_cert(host)
        if quality == "expired":
            end = dt.datetime.now(dt.UTC) - dt.timedelta(days=1)
            return self._authority.issue_cert(host, not_before=end - dt.timedelta(days=9), not_after=end)
        return self._authority.issue_cert("somebody-else.example" if quality == "other-name" else host)

    @cached_property
    def _stranger(self) -> trustme.CA:
        return trustme.CA(organization_name="a CA that nobody trusts")
