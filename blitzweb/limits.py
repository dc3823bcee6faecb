"""Every number of the seeds and of the specification, once, with its requirement and its reason.

Units are in the names: `_BYTES`, `_CHARS`, `_SECONDS`, `_MS`; a bare name counts things. A number that a user may set
is here only as the bound or the default that the setting has.
"""

from __future__ import annotations

from typing import Final

KIB: Final = 1024
MIB: Final = 1024 * 1024

# --- wire and rpc ---------------------------------------------------------
PROTOCOL_VERSION: Final = 1
MAX_LINE_BYTES: Final = 4 * MIB  # host → daemon, without the newline
MAX_BATCH: Final = 32
MAX_JSON_DEPTH: Final = 128  # far above any schema of ours, far below the parser's recursion limit
MAX_CALLS: Final = 64  # running and waiting together
MAX_NETWORK_THREADS: Final = 64
MAX_TIMEOUT_MS: Final = 600_000  # the longest `timeout_ms` that a host may ask for

# --- web_fetch -------------------------------------------------------------------------------------------------------
MAX_REDIRECTS: Final = 5  # WEB-05: the sixth is refused
DIAL_SECONDS: Final = 10.0  # WEB-06
TLS_SECONDS: Final = 10.0  # WEB-06
MAX_HEADER_BYTES: Final = 64 * KIB  # all header bytes of one response, interim ones included
MAX_LOCATION_BYTES: Final = 8 * KIB
READ_CHUNK_BYTES: Final = 64 * KIB  # decoded bytes asked of a decoder at a time: what bounds a bomb
MAX_CONTENT_BYTES: Final = 100 * KIB  # WEB-07: content handed to the model, and text, HTML and script results (WEB-31)
FETCH_USER_AGENT: Final = "blitz/2 (+web_fetch)"  # WEB-08
