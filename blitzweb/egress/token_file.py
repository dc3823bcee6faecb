"""The token of a proxy that is shared with other machines: in a file that its owner alone can read (EGRESS-08)."""

from __future__ import annotations

import os
import re
import stat
from typing import Final

from blitzweb.errors import SettingsError
from blitzweb.limits import MIN_TOKEN_CHARS

_TOKEN: Final = re.compile(r"[\x21-\x7e]+")
MAKE_ONE: Final = "make one: (umask 077; python3 -c 'import secrets; print(secrets.token_urlsafe(32))' > FILE)"


def read_token_file(path: str) -> str:
    """Return the token that a file holds.

    Raises:
        SettingsError: others may read it, or what it holds is no token.
    """
    try:
        with open(path, encoding="ascii") as file:
            status = os.fstat(file.fileno())
            text = file.read(64 * 1024).strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not ASCII"
        raise SettingsError(f"the token file {path} cannot be read: {reason}", advice=MAKE_ONE) from None
    if stat.S_IMODE(status.st_mode) & 0o077:
        raise SettingsError(f"the token file {path} can be read by other users", advice=f"chmod 600 {path}")
    if not _TOKEN.fullmatch(text) or len(text) < MIN_TOKEN_CHARS:
        what = f"one word of at least {MIN_TOKEN_CHARS} ASCII characters"
        raise SettingsError(f"the token file {path} does not hold {what}", advice=MAKE_ONE)
    return text
