"""Which host and port a request means."""

from __future__ import annotations

import pytest

from blitzweb.egress.head import Malformed, read_head
from blitzweb.egress.target import Target, read_target
from tests.support.covers import covers


def target_of(line: str, host: str = "ignored.example") -> Target:
    return read_target(read_head(f"{line} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode("latin-1")))


@pytest.mark.parametrize(
    ("line", "target"),
    [
        ("CONNECT a.example:443", ("a.example", 443, "a.example:443", "")),
        ("CONNECT A.Example.:8443", ("a.example", 8443, "a.example:8443", "")),
        ("CONNECT 93.184.215.14:80", ("93.184.215.14", 80, "93.184.215.14:80", "")),
        ("CONNECT [2606:2800::1]:443", ("2606:2800::1", 443, "[2606:2800::1]:443", "")),
        ("CONNECT a.example:25", ("a.example", 25, "a.example:25", "")),  # refused, not misunderstood
        ("GET http://a.example/x?y", ("a.example", 80, "a.example", "/x?y")),
        ("GET http://a.example", ("a.example", 80, "a.example", "/")),
        ("GET http://a.example?y", ("a.example", 80, "a.example", "/?y")),
        ("GET http://a.example:80/", ("a.example", 80, "a.example", "/")),
        ("GET HTTP://A.EXAMPLE:8080//x//../%2e", ("a.example", 8080, "a.example:8080", "//x//../%2e")),
        ("POST http://[::1]:81/|{}", ("::1", 81, "[::1]:81", "/|{}")),
        ("OPTIONS http://a.example/*", ("a.example", 80, "a.example", "/*")),
    ],
)
def test_what_is_meant(line, target):
    assert target_of(line) == Target(*target)


@covers("EGRESS-05")
@pytest.mark.parametrize(
    "line",
    [
        "GET /",
        "OPTIONS *",
        "GET a.example",
        "GET a.example:80",
        "GET //a.example/",
        "GET https://a.example/",
        "GET ftp://a.example/",
        "GET file:///etc/passwd",
        "GET http:///x",
        "GET http:/a.example/",
        "GET http://a.example/#x",
        "GET http://user@a.example/",
        "GET http://user:pw@a.example/",
        "GET http://a.example\\@b.example/",
        "GET http://a.example%40b.example/",
        "GET http://a.example:x/",
        "GET http://a.example:0/",
        "GET http://a.example:65536/",
        "GET http://2130706433/",
        "GET http://0x7f.1/",
        "GET http://127.1/",
        "GET http://[::1%25lo]/",
        "GET http://[::1/",
        "GET http://a..example/",
        "CONNECT a.example",
        "CONNECT a.example:",
        "CONNECT :443",
        "CONNECT a.example:443/",
        "CONNECT http://a.example:443",
        "CONNECT user@a.example:443",
        "CONNECT a.example:0443x",
        "CONNECT ::1:443",
        "CONNECT 127.1:443",
        "CONNECT blitzweb.invalid:443",
    ],
)
def test_what_would_need_interpreting_is_refused(line):
    with pytest.raises(Malformed) as caught:
        target_of(line)
    assert "pw" not in str(caught.value)


@covers("EGRESS-05")
def test_the_host_header_has_no_say():
    assert target_of("GET http://a.example/", host="b.example").host == "a.example"
    assert target_of("CONNECT a.example:443", host="b.example:443").host == "a.example"


def test_same_origin():
    one = target_of("GET http://a.example/x")
    assert one.same_origin(target_of("POST http://A.example:80/y"))
    assert not one.same_origin(target_of("GET http://a.example:81/x"))
    assert not one.same_origin(target_of("GET http://b.example/x"))
    assert not one.same_origin(target_of("CONNECT a.example:80"))
