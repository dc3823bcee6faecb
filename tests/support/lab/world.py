"""The world's process: DNS, web servers and the packet log on the far side of the link, told what to do by a test.

Started by `lab.py` in namespaces of its own, with one end of a socket pair as standard input: a connection on which
scenes come in and logs go out, and whose end is the end of everything here. All sockets but those of conversations
are served by one loop, so a log that is asked for holds all that had happened.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

from tests.support.lab.certificates import Certificates
from tests.support.lab.inside import run
from tests.support.lab.packets import drain
from tests.support.lab.scene import EVERYDAY, GATE_IPV4, GATE_IPV6, NAMESERVER, OWN_IPV4, OWN_IPV6, Scene
from tests.support.lab.stage import Stage

# Whatever arrives on the link is for this side, since every address that no interface has is local here.
OUTSIDE = f"""
link set lo up
addr add {GATE_IPV4}/30 dev outside
addr add {GATE_IPV6}/64 dev outside nodad
link set outside up
route add local default dev lo table main
route add local ::/0 dev lo table main
"""
INSIDE = f"""
addr add {OWN_IPV4}/30 dev inside
addr add {OWN_IPV6}/64 dev inside nodad
link set inside up
route add default via {GATE_IPV4}
route add ::/0 via {GATE_IPV6}
"""


class World:
    """The loop. A `Scene` that comes in is put on; that and "log" are answered with the `Log`."""

    def __init__(
        self, control: Connection, certificates: Certificates, sniffer: socket.socket, own: socket.socket
    ) -> None:
        self._control = control
        self._certificates = certificates
        self._sniffer = sniffer
        self._own = own  # the server on the daemon's own side
        self._dns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._dns.bind(NAMESERVER)
        self._ended = False
        self._selector = selectors.DefaultSelector()
        self._stage = self._play(EVERYDAY)
        self._watch(control, self._obey)
        self._watch(self._dns, self._answer)
        self._watch(sniffer, self._note_packets)
        self._watch(own, lambda: self._stage.accept(own))

    def run(self) -> None:
        """Serve until the control connection ends."""
        while not self._ended:
            for key, _events in self._selector.select():
                key.data()

    def _obey(self) -> None:
        try:
            command = self._control.recv()
        except EOFError:
            self._ended = True
            return
        self._note_packets()
        if isinstance(command, Scene):
            self._change(command)
        self._control.send(self._stage.log)

    def _change(self, scene: Scene) -> None:
        for listener in self._stage.listeners:
            self._selector.unregister(listener)
        self._stage.close()
        self._stage = self._play(scene)

    def _play(self, scene: Scene) -> Stage:
        stage = Stage(scene, self._certificates)
        for listener in stage.listeners:
            self._watch(listener, partial(stage.accept, listener))
        return stage

    def _answer(self) -> None:
        query, client = self._dns.recvfrom(4096)
        reply = self._stage.names.reply(query)
        if reply is not None:
            self._dns.sendto(reply, client)

    def _note_packets(self) -> None:
        self._stage.log.packets.extend(drain(self._sniffer))

    def _watch(self, source: socket.socket | Connection, act: Callable[[], None]) -> None:
        self._selector.register(source, selectors.EVENT_READ, act)


def main() -> None:
    """Build both sides, say where they are, and serve."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the command inside; the control connection ends us
    control = Connection(os.dup(sys.stdin.fileno()))
    certificates = Certificates()
    with tempfile.TemporaryDirectory(prefix="lab-") as folder, contextlib.ExitStack() as stack:
        certificates.write_authority(Path(folder) / "ca.pem")
        side, lifeline, sockets = start_inside(Path(folder))
        stack.callback(side.wait)
        stack.callback(lifeline.close)
        run("ip", "link", "add", "outside", "type", "veth", "peer", "name", "inside", "netns", str(side.pid))
        configure(OUTSIDE)
        configure(INSIDE, "nsenter", "--net", "--target", str(side.pid))
        world = World(control, certificates, *sockets)
        control.send((side.pid, folder))
        world.run()


def start_inside(folder: Path) -> tuple[subprocess.Popen[bytes], socket.socket, list[socket.socket]]:
    """Start the daemon's side, which lives as long as the returned connection, and take over what it has opened."""
    lifeline, theirs = socket.socketpair()
    command = ["unshare", "--net", "--mount", sys.executable, "-m", "tests.support.lab.inside", str(folder)]
    with theirs:
        side = subprocess.Popen(command, stdin=theirs.fileno())
    _ready, descriptors, _flags, _address = socket.recv_fds(lifeline, 16, 2)
    if not descriptors:
        raise SystemExit(side.wait())  # it has said why
    sockets = [socket.socket(fileno=descriptor) for descriptor in descriptors]
    for each in sockets:
        each.settimeout(0)
    return side, lifeline, sockets


def configure(lines: str, *prefix: str) -> None:
    """Run lines of `ip` in one process."""
    subprocess.run([*prefix, "ip", "-batch", "-"], input=lines.strip().encode(), check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    try:
        main()
    except (OSError, subprocess.CalledProcessError) as error:
        raise SystemExit(str(error)) from None  # what cannot be had here is a reason to skip, no fault
