"""The lab itself: that names, addresses, TLS and the log of what left are what the other tests take them for."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.lab.lab import Lab
from tests.support.lab.scene import (
    EVERYDAY,
    NAMESERVER,
    OTHER_IPV4,
    OWN_IPV4,
    OWN_IPV6,
    WEB_IPV4,
    WEB_IPV6,
    Packet,
    Response,
    Scene,
)

RESOLVE = """
import json, socket, sys
try:
    print(json.dumps(sorted({item[4][0] for item in socket.getaddrinfo(sys.argv[1], 80)})))
except socket.gaierror as error:
    print(json.dumps(error.errno == socket.EAI_AGAIN and "again" or "no such name"))
"""
DIAL = """
import socket, sys
try:
    with socket.create_connection((sys.argv[1], int(sys.argv[2])), timeout=float(sys.argv[3])) as connection:
        connection.sendall(b"GET / HTTP/1.1\\r\\nHost: dial\\r\\nConnection: close\\r\\n\\r\\n")
        print(connection.recv(12).decode() or "closed")
except OSError as error:
    print(type(error).__name__)
"""
SHAKE_HANDS = """
import socket, ssl, sys
context = ssl.create_default_context(cafile=sys.argv[2])
try:
    with context.wrap_socket(socket.create_connection((sys.argv[1], 443)), server_hostname=sys.argv[1]) as stream:
        print(stream.version())
except ssl.SSLCertVerificationError as error:
    print(error.verify_message)
"""


def run(lab: Lab, script: str, *arguments: object) -> str:
    command = lab.command(sys.executable, "-I", "-c", script, *map(str, arguments))
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=20).stdout.strip()


def resolve(lab: Lab, name: str) -> list[str] | str:
    return json.loads(run(lab, RESOLVE, name))


def dial(lab: Lab, address: str, port: int = 80, seconds: float = 10) -> str:
    return run(lab, DIAL, address, port, seconds)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.example", [WEB_IPV4]),
        ("six.example", [WEB_IPV6]),
        ("both.example", [WEB_IPV6, WEB_IPV4]),
        ("nowhere.example", "no such name"),
        ("servfail.example", "again"),
        ("localhost", ["127.0.0.1", "::1"]),
    ],
)
def test_the_system_resolver_asks_the_worlds_name_server(lab: Lab, name: str, expected: object) -> None:
    assert resolve(lab, name) == expected
    assert {asked for asked, _kind in lab.log().lookups} == {name} - {"localhost"}


def test_answers_change_from_look_up_to_look_up_and_the_last_repeats(lab: Lab) -> None:
    assert [resolve(lab, "flip.example") for _ in range(3)] == [[WEB_IPV4], ["127.0.0.1"], ["127.0.0.1"]]


def test_a_silent_name_server_is_asked_and_says_nothing(lab: Lab) -> None:
    command = lab.command(sys.executable, "-I", "-c", RESOLVE, "timeout.example")
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        lab.wait_for(lambda log: ("timeout.example", "A") in log.lookups)
        assert process.poll() is None
        process.kill()


@pytest.mark.parametrize("address", [WEB_IPV4, WEB_IPV6, "10.0.0.5", "169.254.169.254"])
def test_servers_listen_wherever_a_name_of_the_scene_points(lab: Lab, address: str) -> None:
    assert dial(lab, address) == "HTTP/1.1 200"
    log = lab.log()
    assert log.packets == [Packet("tcp", address, 80)]
    assert log.connections == [(address, 80)]
    assert [(request.address, request.target) for request in log.requests] == [(address, "/")]


@pytest.mark.parametrize("address", ["192.0.2.1", "100.100.100.200", "fec0::1", "64:ff9b::a9fe:a9fe", "240.0.0.1"])
def test_an_attempt_on_any_other_address_is_seen_on_arrival(lab: Lab, address: str) -> None:
    assert dial(lab, address, 8080) == "ConnectionRefusedError"
    assert lab.log().attempts() == {address}


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", OWN_IPV4, OWN_IPV6])
def test_the_daemons_own_side_has_a_server_and_contact_with_it_is_seen(lab: Lab, address: str) -> None:
    assert dial(lab, address) == "HTTP/1.1 200"
    assert lab.log().attempts() == {address}


def test_a_datagram_is_seen(lab: Lab) -> None:
    run(lab, "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('8.8.8.8', 443))")
    assert lab.log().packets == [Packet("udp", "8.8.8.8", 443)]


def test_look_ups_alone_are_no_attempt(lab: Lab) -> None:
    resolve(lab, "inner.example")
    log = lab.log()
    assert set(log.packets) == {Packet("udp", *NAMESERVER)}
    assert log.attempts() == set()


@pytest.mark.parametrize(
    ("ending", "expected"),
    [("refused", "ConnectionRefusedError"), ("silent", "TimeoutError"), ("mute", "TimeoutError")],
)
def test_dials_end_as_the_scene_says(lab: Lab, ending: str, expected: str) -> None:
    lab.play(Scene(endings={OTHER_IPV4: ending}))
    assert dial(lab, OTHER_IPV4, seconds=0.2) == expected
    assert lab.log().connections == ([(OTHER_IPV4, 80)] if ending == "mute" else [])


def test_a_reset_comes_after_the_connection_stood(lab: Lab) -> None:
    lab.play(Scene(endings={OTHER_IPV4: "reset"}))
    assert dial(lab, OTHER_IPV4) in {"ConnectionResetError", "BrokenPipeError"}
    assert lab.log().connections == [(OTHER_IPV4, 80)]


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("a.example", "TLSv1.3"),
        ("six.example", "TLSv1.3"),
        ("expired.example", "certificate has expired"),
        ("other-name.example", "Hostname mismatch, certificate is not valid for 'other-name.example'."),
        ("unknown-ca.example", "unable to get local issuer certificate"),
    ],
)
def test_each_host_has_its_own_certificate_good_or_not(lab: Lab, host: str, expected: str) -> None:
    assert run(lab, SHAKE_HANDS, host, lab.ca_file) == expected


def test_responses_come_in_order_pages_by_name_and_a_plain_page_at_last(lab: Lab) -> None:
    script = """
import http.client, sys
connection = http.client.HTTPConnection(sys.argv[1])
for path in ("/1", "/page", "/2", "/3"):
    connection.request("GET", path, headers={"Host": "a.example"})
    response = connection.getresponse()
    print(response.status, len(response.read()), end=" ")
"""
    page = Response(body=b"four")
    lab.play(Scene(responses=(Response(302), Response(raw=b"HTTP/1.1 204 X\r\n\r\n")), pages={"a.example/page": page}))
    assert run(lab, script, WEB_IPV4).split() == ["302", "25", "200", "4", "204", "0", "200", "25"]
    assert [request.target for request in lab.log().requests] == ["/1", "/page", "/2", "/3"]


def test_a_scene_ends_what_the_last_one_began(lab: Lab) -> None:
    lab.play(Scene(endings={OTHER_IPV4: "mute"}))
    with subprocess.Popen(
        lab.command(sys.executable, "-I", "-c", DIAL, OTHER_IPV4, "80", "20"), stdout=subprocess.PIPE
    ) as process:
        lab.wait_for(lambda log: log.connections)
        lab.play(EVERYDAY)
        assert process.communicate(timeout=5)[0] in {b"closed\n", b"ConnectionResetError\n"}
    assert lab.log().requests == []


def test_nothing_is_left_when_the_process_of_the_test_is_killed(lab: Lab) -> None:
    script = "from tests.support.lab.lab import Lab; lab = Lab().__enter__(); print(lab.ca_file, lab._side, flush=True)"
    script += "; import signal; signal.pause()"
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as process:
        ca_file, side = process.stdout.readline().decode().split()
        process.send_signal(signal.SIGKILL)
    end = time.monotonic() + 5
    while Path(ca_file).exists() or is_running(int(side)):
        assert time.monotonic() < end, "the lab outlived its owner"
        time.sleep(0.01)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1][0] != "Z"


def test_the_listing_names_everything(lab: Lab) -> None:
    from tests.support.lab.__main__ import describe

    listing = describe(EVERYDAY)
    assert all(name in listing for name in EVERYDAY.names)
    assert "93.184.217.2 (silent)" in listing
