"""Room for thousands of tunnels: two descriptors each."""

from __future__ import annotations

import resource
from contextlib import suppress
from typing import Final

_WANTED: Final = 65_536


def raise_descriptor_limit() -> None:
    """Let this process open as many descriptors as the system lets it; many systems begin with 1,024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _WANTED if hard == resource.RLIM_INFINITY else min(_WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):  # macOS says infinity and means less
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
