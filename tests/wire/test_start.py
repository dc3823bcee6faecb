"""What may be imported before the first reply; how long it takes is measured by the bench, next to its floor."""

from __future__ import annotations

import subprocess
import sys

from tests.support.host import ROOT

# Each costs milliseconds, and none is needed to read a message and to answer it.
TOO_MUCH = (
    "argparse asyncio dataclasses html5lib http.client pathlib psutil selectolax socket ssl subprocess tomllib urllib3"
)

PROGRAM = """
import sys
import blitzweb.rpc.serve, blitzweb.rpc.terminal, blitzweb.wire.render
print(*(name for name in sys.argv[1:] if name in sys.modules))
"""


def test_the_wire_imports_only_what_it_needs() -> None:
    command = [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{PROGRAM}", *TOO_MUCH.split()]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout.split() == []
