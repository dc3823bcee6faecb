"""What a tunnel may begin with."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.egress.tunnel import judge_greeting
from blitzweb.limits import MAX_GREETING_BYTES
from tests.support.covers import covers

HELLO = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"
REQUEST = b"GET /chat?x=1 HTTP/1.1\r\nHost: a.example\r\nUpgrade: websocket\r\n\r\n"
OTHERS = [
    b"SSH-2.0-OpenSSH_9.6\r\n",
    b"EHLO a.example\r\n",
    b"HELO a\r\nMAIL FROM:<a@b>\r\n",
    b"USER root\r\n",
    b"*1\r\n$4\r\nPING\r\n",
    b"PING\r\n",
    b"SET a b\r\n",
    b"get / HTTP/1.1\r\n",
    b"GET /\r\n",
    b"GET / HTTP/2.0\r\n",
    b"GET / HTTP/1.1 x\r\n",
    b"GET  / HTTP/1.1\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"\x00\x03\x00\x24\x21\x12\xa4\x42",  # STUN, as WebRTC sends it to a TURN server
    b"\x05\x01\x00",  # SOCKS
    b"\x16\x02\x01\x02\x00\x01",
    b"\x16\x03\x05\x02\x00\x01",
    b"\x16\x03\x01\x02\x00\x02",  # a ServerHello
    b"\x15\x03\x01\x00\x02\x01",  # an alert
    b"\x80\x2e\x01\x03\x01",  # SSL 2
    b"\r\nGET / HTTP/1.1\r\n",
    b"\x00",
]


@covers("EGRESS-05")
@pytest.mark.parametrize("data", [HELLO, HELLO + b"x" * 500, REQUEST, b"POST / HTTP/1.0\n", b"GET a "])
def test_tls_and_http_are_let_through_or_waited_for(data):
    assert judge_greeting(data) is not False


@covers("EGRESS-05")
@pytest.mark.parametrize("data", OTHERS)
def test_nothing_else_is_let_through(data):
    assert judge_greeting(data) is False


@given(st.sampled_from([HELLO, REQUEST]), st.integers(0, 60))
def test_what_may_become_right_is_waited_for(data, length):
    assert judge_greeting(data[:length]) in {None, True}
    assert judge_greeting(data) is True


@given(st.sampled_from([HELLO, REQUEST, *OTHERS]) | st.binary(max_size=60), st.integers(0, 60))
def test_a_verdict_stands_whatever_comes_after(data, length):
    early = judge_greeting(data[:length])
    assert early is None or early is judge_greeting(data)


def test_nothing_is_waited_for_without_end():
    assert judge_greeting(b"GET /" + b"x" * MAX_GREETING_BYTES) is False
