"""The token that a browser shows to its proxy: against other users and stray programs of this machine (EGRESS-05)."""

from __future__ import annotations

import base64
import hmac
import secrets
from typing import Final

from blitzweb.egress.head import Head

USER: Final = "blitzweb"
_TOKEN_BYTES: Final = 32  # 256 bits


def make_token() -> str:
    """Return a random token."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


class TokenCheck:
    """Compares in constant time, before anything of the request's target is looked at."""

    def __init__(self, token: str) -> None:
        self._expected = base64.b64encode(f"{USER}:{token}".encode())

    def passes(self, head: Head) -> bool:
        """Tell whether a request shows the token, once."""
        given = head.values(b"proxy-authorization")
        scheme, _, credentials = given[0].partition(b" ") if len(given) == 1 else (b"", b"", b"")
        right = hmac.compare_digest(credentials.strip(b" "), self._expected)
        return right and scheme.lower() == b"basic"
