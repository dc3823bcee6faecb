"""TLS: what is offered, what is trusted, and which check failed."""

from __future__ import annotations

import datetime as dt
import socket
import ssl
import time

import pytest
import trustme

from blitzweb.errors import FetchFailed
from blitzweb.net.fetch import Fetcher
from blitzweb.net.tls import TlsContext, why_unusable
from tests.support.covers import covers
from tests.support.fetching import LIMIT, OK, PLAN, answering, dripping, fetch
from tests.support.raw_server import RawServer

ANSWER = OK + b"Content-Length: 2\r\n\r\nok"
LONG_AGO = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)


@pytest.fixture(scope="module")
def authority():
    return trustme.CA()


@pytest.fixture(scope="module")
def trusting(authority, tmp_path_factory):
    file = tmp_path_factory.mktemp("tls") / "ca.pem"
    authority.cert_pem.write_to_path(str(file))
    fetcher = Fetcher(tls=TlsContext(str(file)), environ={})
    yield fetcher
    fetcher.close()


def context(certificate, **options):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.set_alpn_protocols(["h2", "http/1.1"])
    certificate.configure_cert(made)
    for name, value in options.items():
        setattr(made, name, value)
    return made


@covers("WEB-06a", "SETTING-07")
def test_http_1_1_alone_is_offered_and_ca_file_is_trusted(authority, trusting):
    with RawServer(answering(ANSWER, keep=True), context=context(authority.issue_cert("127.0.0.1"))) as server:
        assert fetch(server.url, fetcher=trusting).body == b"ok"
        assert fetch(server.url, fetcher=trusting).body == b"ok"
        assert server.connections == 1
        trusting.close()
    assert server.protocols == ["http/1.1"]


@covers("FETCH-09")
@pytest.mark.parametrize(
    ("issue", "words"),
    [
        (lambda ca: ca.issue_cert("127.0.0.1", not_after=LONG_AGO), "has expired"),
        (lambda ca: ca.issue_cert("other.example"), "for another"),
        (lambda _ca: trustme.CA().issue_cert("127.0.0.1"), "issuer"),
    ],
)
def test_the_error_says_which_check_failed(authority, trusting, issue, words):
    server = RawServer(answering(ANSWER), context=context(issue(authority)))
    with server, pytest.raises(FetchFailed, match=words) as caught:
        fetch(server.url, fetcher=trusting)
    assert caught.value.phase == "tls"
    assert caught.value.advice
    assert server.requests == []


@covers("FETCH-09")
def test_what_the_system_does_not_trust_is_refused(authority):
    server = RawServer(answering(ANSWER), context=context(authority.issue_cert("127.0.0.1")))
    with server, pytest.raises(FetchFailed, match="issuer"):
        fetch(server.url)
    assert server.requests == []


@covers("FETCH-09")
def test_a_server_that_speaks_no_tls_is_told_apart(trusting):
    server = RawServer(answering(b"HTTP/1.1 400 Bad\r\n\r\n"), at_once=True)
    with server, pytest.raises(FetchFailed) as caught:
        fetch(server.url.replace("http:", "https:"), fetcher=trusting)
    assert caught.value.phase == "tls"
    assert "1.2 or newer" in caught.value.advice


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1_1 is deprecated")
def test_old_versions_are_not_spoken(authority, trusting):
    old = context(authority.issue_cert("127.0.0.1"), maximum_version=ssl.TLSVersion.TLSv1_1)
    old.minimum_version = ssl.TLSVersion.TLSv1_1
    old.set_ciphers("ALL:@SECLEVEL=0")
    with RawServer(answering(ANSWER), context=old) as server, pytest.raises(FetchFailed) as caught:
        fetch(server.url, fetcher=trusting)
    assert caught.value.phase == "tls"


@covers("FETCH-06")
@pytest.mark.parametrize(("start", "drop"), [(b"", b""), (b"\x16\x03\x03\x40\x00", b"\x02"), (b"", b"\x16")])
def test_a_slow_handshake_cannot_stretch_the_deadline(trusting, start, drop):
    with RawServer(dripping(start, drop), at_once=True) as server:
        began = time.monotonic()
        with pytest.raises(FetchFailed) as caught:
            fetch(server.url.replace("http:", "https:"), fetcher=trusting, seconds=LIMIT)
    assert time.monotonic() - began < LIMIT + 0.5
    assert caught.value.phase == "tls"


def test_a_client_may_give_tls_less_time(trusting):
    with RawServer(dripping(b"", b""), at_once=True) as server, pytest.raises(FetchFailed, match=r"after 0\.1 s"):
        fetch(server.url.replace("http:", "https:"), PLAN._replace(tls_seconds=0.1), fetcher=trusting)


@covers("FETCH-06")
def test_records_that_drip_cannot_stretch_the_deadline(authority, trusting):
    with RawServer(dripping(OK, b"X"), context=context(authority.issue_cert("127.0.0.1"))) as server:
        began = time.monotonic()
        with pytest.raises(FetchFailed) as caught:
            fetch(server.url, fetcher=trusting, seconds=LIMIT)
    assert time.monotonic() - began < LIMIT + 0.5
    assert caught.value.phase == "headers"


def test_half_a_record_cannot_stretch_the_deadline(authority, trusting):
    def script(connection, _head, closing):
        connection.sendall(OK)
        number = connection.detach()  # below TLS: the beginning of a record, byte by byte
        with socket.socket(fileno=number) as plain:
            plain.sendall(b"\x17\x03\x03\x40\x00")
            while not closing.wait(0.02):
                plain.sendall(b"x")

    with RawServer(script, context=context(authority.issue_cert("127.0.0.1"))) as server:
        began = time.monotonic()
        with pytest.raises(FetchFailed) as caught:
            fetch(server.url, fetcher=trusting, seconds=LIMIT)
        assert time.monotonic() - began < LIMIT + 0.5
    assert caught.value.phase == "headers"


@covers("SETTING-07")
def test_a_file_without_certificates_is_told(tmp_path, authority):
    good, bad = tmp_path / "good.pem", tmp_path / "bad.pem"
    authority.cert_pem.write_to_path(str(good))
    bad.write_text("nothing")
    assert why_unusable(str(good)) is None
    assert why_unusable(str(bad)) == "it holds no certificates in PEM form"
    assert why_unusable(str(tmp_path / "none.pem")) == "No such file or directory"
    assert TlsContext(str(bad)).get().minimum_version is ssl.TLSVersion.TLSv1_2
