"""How far one fetch raises the peak of memory in a process that has done little else: `growth.py PORT PATH`."""

from __future__ import annotations

import sys
from pathlib import Path

from fetch_rows import Client

SELF = Path("/proc/self")


def main(port: str, path: str) -> None:
    """Print the growth in MiB."""
    client = Client(int(port))
    client.fetch("/small" + Path(path).suffix)  # with all that is loaded on first use
    (SELF / "clear_refs").write_text("5")  # the peak starts anew from here
    before = status_kib("VmRSS")
    client.fetch(path)
    print((status_kib("VmHWM") - before) / 1024)
    client.close()


def status_kib(name: str) -> int:
    """Return a figure of this process's status."""
    (figure,) = [line.split()[1] for line in (SELF / "status").read_text().splitlines() if line.startswith(name)]
    return int(figure)


if __name__ == "__main__":
    main(*sys.argv[1:])
