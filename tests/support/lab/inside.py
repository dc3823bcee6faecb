"""The daemon's side: holds its namespaces, with name service files of their own, until the world's process is gone.

Started by the world under `unshare`, with one end of a socket pair as standard input. It passes on the sockets that
have to be opened here and then only waits.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

from tests.support.lab.packets import open_sniffer
from tests.support.lab.scene import NAMESERVER
from tests.support.lab.stage import listen

FILES = {
    # Long enough that a deadline of a test always comes first. No search list, not even that of the host's own name.
    "resolv.conf": f"nameserver {NAMESERVER[0]}\nsearch .\noptions timeout:10 attempts:1\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
    "hosts": "127.0.0.1 localhost\n::1 localhost ip6-localhost\n",
    "gai.conf": "",
}
NAME_CACHE = Path("/run/nscd")  # the C library would ask a cache of the host's through a socket there


def main(folder: Path) -> None:
    """Set this side up, hand its sockets over, and wait."""
    world = socket.socket(fileno=os.dup(sys.stdin.fileno()))
    run("ip", "link", "set", "lo", "up")
    for name, content in FILES.items():
        mount(folder / name, content, Path("/etc") / name)
    if NAME_CACHE.is_dir():
        run("mount", "-t", "tmpfs", "none", str(NAME_CACHE))
    # A server on every address of this side, as a stray development server would be.
    sockets = [open_sniffer(), listen("::", 80)]
    socket.send_fds(world, [b"ready"], [each.fileno() for each in sockets])
    world.recv(1)  # the end of the world


def mount(source: Path, content: str, target: Path) -> None:
    """Put a file in the place of another for the processes of this side; one that does not exist is not needed."""
    if target.exists():
        source.write_text(content, encoding="ascii")
        run("mount", "--bind", str(source), str(target.resolve()))


def run(*command: str) -> None:
    """Run a command of the system; what it says goes to standard error."""
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]))
    except (OSError, subprocess.CalledProcessError) as error:
        raise SystemExit(str(error)) from None  # what cannot be had here is a reason to skip, no fault
