"""Rows about the egress proxy: bulk through tunnels, its cost in CPU, set-up, plain HTTP, and what idle tunnels hold.

Ours is `blitzweb egress` with token, decision and address checks. The floor is a bare relay without any of them; where
squid is installed, the CPU is held against squid's.
"""

from __future__ import annotations

import base64
import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from row import Bench, Sample, Unavailable, timed

MIB = 2**20
BULK_MIB = 512  # of one sample, over all its tunnels
SET_UPS, GETS = 100, 200  # in one sample
IDLE_TUNNELS = 500
CREDENTIALS = USER, TOKEN = "blitzweb", "a-token-of-the-benchmark"
AUTHORIZATION = f"Proxy-Authorization: Basic {base64.b64encode(f'{USER}:{TOKEN}'.encode()).decode()}\r\n"
BULK_SERVER = Path(__file__).with_name("bulk_server.py")
HEADERS_END = b"\r\n\r\n"


class Proxy:
    """A proxy that runs as a process, and clients of it that all go to one server."""

    def __init__(self, pid: int, port: int, server_port: int) -> None:
        self.pid = pid
        self.port = port
        self.server = f"127.0.0.1:{server_port}"

    def connect(self) -> socket.socket:
        """Return a connection to the proxy."""
        connection = socket.create_connection(("127.0.0.1", self.port))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def tunnel(self) -> socket.socket:
        """Return a tunnel."""
        connection = self.connect()
        connection.sendall(f"CONNECT {self.server} HTTP/1.1\r\nHost: {self.server}\r\n{AUTHORIZATION}\r\n".encode())
        status = receive(connection, HEADERS_END)
        if b" 200 " not in status:
            raise Unavailable(f"a proxy answered {status[:60]!r}")
        return connection

    def set_up(self) -> None:
        """Open a tunnel and get one small answer through it."""
        with self.tunnel() as connection:
            connection.sendall(b"GET /2 HTTP/1.1\r\n\r\n")
            receive(connection, b"\0\0")

    def download(self, size: int) -> None:
        """Take bytes through a tunnel and drop them."""
        with self.tunnel() as connection:
            connection.sendall(b"GET /%d HTTP/1.1\r\n\r\n" % size)
            head, _, _rest = receive(connection, HEADERS_END, exact=False).partition(HEADERS_END)
            left = size - len(_rest)
            assert head
            buffer = bytearray(MIB)
            while left:
                left -= connection.recv_into(buffer)

    def download_all(self, tunnels: int) -> None:
        """Take the bulk through so many tunnels at once."""
        each = BULK_MIB * MIB // tunnels
        threads = [threading.Thread(target=self.download, args=(each,)) for _ in range(tunnels)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def cpu(self) -> float:
        """Return the CPU seconds that the process has taken."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        """Return what the process holds, in KiB."""
        rows = Path(f"/proc/{self.pid}/smaps_rollup").read_text().splitlines()
        return sum(int(row.split()[1]) for row in rows if row.startswith("Pss:"))


def receive(connection: socket.socket, end: bytes, *, exact: bool = True) -> bytes:
    """Receive up to some bytes, which come last or, if not `exact`, somewhere."""
    data = b""
    while not (data.endswith(end) if exact else end in data):
        part = connection.recv(65536)
        if not part:
            raise Unavailable("a proxy ended a connection")
        data += part
    return data


@contextmanager
def other_end(kind: str) -> Iterator[tuple[int, int]]:
    """Run the server or the bare relay; give pid and port."""
    command = [sys.executable, str(BULK_SERVER), kind]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            yield process.pid, int(process.stdout.readline())
        finally:
            process.stdin.close()


@contextmanager
def ours() -> Iterator[tuple[int, int]]:
    """Run our proxy."""
    with tempfile.TemporaryDirectory() as folder:
        token = Path(folder) / "token"
        token.touch(mode=0o600)
        token.write_text(TOKEN)
        options = ["--listen", "127.0.0.1:0", "--token-file", str(token), "--set", "browser.allow_local=true"]
        command = [sys.executable, "-m", "blitzweb", "egress", *options]
        environ = {**os.environ, "HOME": folder}
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environ) as process:
            try:
                line = process.stderr.readline()
                if "listens on" not in line:
                    raise Unavailable(f"`blitzweb egress` did not start: {line.strip()}")
                yield process.pid, int(line.rpartition(":")[2])
            finally:
                process.terminate()


SQUID_CONF = """\
http_port 127.0.0.1:{port}
http_access allow all
cache deny all
access_log none
cache_log /dev/null
pid_filename none
coredump_dir {folder}
pinger_enable off
shutdown_lifetime 0 seconds
"""


@contextmanager
def squid() -> Iterator[tuple[int, int]]:
    """Run squid without its cache, if there is one."""
    program = shutil.which("squid", path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")
    if program is None:
        raise Unavailable("squid is not installed; it is what the target is set against")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        conf = Path(folder) / "squid.conf"
        conf.write_text(SQUID_CONF.format(port=port, folder=folder))
        with subprocess.Popen([program, "-N", "-f", str(conf)], stderr=subprocess.DEVNULL) as process:
            try:
                wait_for(port, process)
                yield process.pid, port
            finally:
                process.kill()


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until something listens."""
    limit = time.monotonic() + 20
    while process.poll() is None and time.monotonic() < limit:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.05)
    raise Unavailable("squid did not start")


@contextmanager
def proxies(*, against_squid: bool = False) -> Iterator[tuple[Proxy, Proxy]]:
    """Give our proxy and what it is compared with, in front of one server."""
    with (
        other_end("serve") as (_, server),
        squid() if against_squid else other_end("relay") as (other_pid, other_port),
        ours() as (pid, port),
    ):
        yield Proxy(pid, port, server), Proxy(other_pid, other_port, server)


@contextmanager
def bulk(tunnels: int) -> Iterator[tuple[Sample, Sample]]:
    """The bulk through some tunnels at once."""
    with proxies() as (mine, floor):
        yield timed(lambda: mine.download_all(tunnels)), timed(lambda: floor.download_all(tunnels))


@contextmanager
def cpu(tunnels: int) -> Iterator[tuple[Sample, Sample]]:
    """What the bulk costs in CPU, in milliseconds for each GiB."""
    with proxies(against_squid=True) as (mine, floor):
        yield partial(cpu_of, mine, tunnels), partial(cpu_of, floor, tunnels)


def cpu_of(proxy: Proxy, tunnels: int) -> float:
    """Return the CPU of the bulk."""
    before = proxy.cpu()
    for _ in range(4):  # the kernel counts in steps of 10 ms
        proxy.download_all(tunnels)
    return (proxy.cpu() - before) * 1000 / (4 * BULK_MIB / 1024)


@contextmanager
def set_up() -> Iterator[tuple[Sample, Sample]]:
    """CONNECT and the first answer."""
    with proxies() as (mine, floor):
        yield timed(mine.set_up, SET_UPS), timed(floor.set_up, SET_UPS)


@contextmanager
def keep_alive() -> Iterator[tuple[Sample, Sample]]:
    """A small answer in plain HTTP on a connection that is kept."""
    with proxies() as (mine, floor), mine.connect() as one, floor.connect() as other:
        request = f"GET http://{mine.server}/200 HTTP/1.1\r\nHost: {mine.server}\r\n{AUTHORIZATION}\r\n".encode()

        def get(connection: socket.socket) -> None:
            connection.sendall(request)
            receive(connection, b"\0" * 200)

        yield timed(partial(get, one), GETS), timed(partial(get, other), GETS)


@contextmanager
def idle() -> Iterator[tuple[Sample, Sample]]:
    """What an idle tunnel holds, in KiB."""
    if not Path("/proc/self/smaps_rollup").exists():
        raise Unavailable("the kernel gives no smaps_rollup here")
    with proxies() as (mine, floor):
        for proxy in (mine, floor):
            proxy.set_up()  # has its first allocations made
        yield partial(memory_of, mine, mine.memory()), partial(memory_of, floor, floor.memory())


def memory_of(proxy: Proxy, before: float) -> float:
    """Return the growth of a process by one idle tunnel, in which something has been said."""
    with contextlib.ExitStack() as stack:
        for _ in range(IDLE_TUNNELS):
            connection = stack.enter_context(proxy.tunnel())
            connection.sendall(b"GET /2 HTTP/1.1\r\n\r\n")
            receive(connection, b"\0\0")
        return (proxy.memory() - before) / IDLE_TUNNELS


BENCHES = (
    Bench("proxy-1", f"{BULK_MIB} MiB, 1 tunnel", "bare relay", 1.1, partial(bulk, 1), rounds=7),
    Bench("proxy-8", f"{BULK_MIB} MiB, 8 tunnels", "bare relay", 1.25, partial(bulk, 8), rounds=7),
    Bench("proxy-cpu-1", "CPU for each GiB, 1 tunnel", "squid", 0.5, partial(cpu, 1), rounds=3),
    Bench("proxy-cpu-8", "CPU for each GiB, 8 tunnels", "squid", 0.5, partial(cpu, 8), rounds=3),
    Bench("proxy-connect", "CONNECT + first answer", "bare relay", 2, set_up),
    Bench("proxy-get", "plain HTTP, kept", "bare relay", 4, keep_alive),
    Bench("proxy-idle", f"each of {IDLE_TUNNELS} idle tunnels", "bare relay", 8, idle, "KiB", rounds=3, absolute=True),
)
