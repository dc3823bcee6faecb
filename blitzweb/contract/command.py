"""`blitzweb schema`: print the protocol's documents."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from blitzweb.errors import UsageError


def main(options: Sequence[str]) -> int:
    """Print the JSON Schema, or with `--openrpc` the OpenRPC document."""
    from blitzweb.contract.openrpc import openrpc_document, schema_document

    if list(options) not in ([], ["--openrpc"]):
        raise UsageError("`blitzweb schema` takes no option but --openrpc")
    document = openrpc_document() if options else schema_document()
    json.dump(document, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")
    return 0
