"""The strict grammar of URLs: urls.tsv documents it; properties hold it for any text."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import ada_url
import pytest
import urllib3
from hypothesis import example, given
from hypothesis import strategies as st

from blitzweb.limits import MAX_URL_CHARS
from blitzweb.policy import urls
from blitzweb.policy.ports import BAD_PORTS
from blitzweb.policy.urls import HostKind, Url, UrlRefused, parse_url, refuse_for_pages
from blitzweb.policy.verdicts import Reason, Refuse
from tests.support.covers import covers
from tests.support.ssrf import load_cases
from tests.support.tables import read_table

TABLE = read_table(Path(__file__).with_name("urls.tsv"))
CASES = load_cases("urls")[1]


def read(text: str) -> Url | UrlRefused:
    try:
        return parse_url(text)
    except UrlRefused as refused:
        return refused


@covers("POLICY-01", "POLICY-02", "WEB-01")
@pytest.mark.parametrize("row", TABLE, ids=lambda row: ascii(row["text"]))
def test_the_table(row: dict[str, str]) -> None:
    url = read(row["text"])
    if row["url"].startswith("refused: "):
        assert isinstance(url, UrlRefused), url
        assert row["url"].removeprefix("refused: ") in url.text
        assert url.verdict == Refuse(url.reason, url.text)
    else:
        assert isinstance(url, Url), url
        assert url.href == row["url"]


@covers("POLICY-01")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_cases_at_the_level_of_the_url(case: dict[str, Any]) -> None:
    url = read(case["url"])
    if case["layer"] == "url" and case["expected"] == "deny":
        assert isinstance(url, UrlRefused), case["reason"]
    if case["layer"] in {"address", "policy"} or case["expected"] == "allow":
        assert isinstance(url, Url), (case["reason"], url)


@covers("POLICY-01")
@pytest.mark.parametrize("port", sorted(BAD_PORTS - {0}))
def test_bad_ports(port: int) -> None:
    refused = read(f"https://example.com:{port}/")
    assert isinstance(refused, UrlRefused)
    assert refused.reason is Reason.PORT
    assert isinstance(read(f"https://example.com:{port + 20000}/"), Url)


@covers("POLICY-01")
def test_length_is_bounded_before_and_after_encoding() -> None:
    fits = "https://example.com/" + "x" * (MAX_URL_CHARS - 20)
    assert isinstance(read(fits), Url)
    for text in (fits + "x", "https://example.com/" + "ü" * (MAX_URL_CHARS // 2), "https://" + "ü" * 10**7):
        refused = read(text)
        assert isinstance(refused, UrlRefused)
        assert "characters" in refused.text
        assert len(refused.text) < 400


@covers("POLICY-01")
@pytest.mark.parametrize(
    ("host", "good"),
    [
        ("a" * 63 + ".example", True),
        ("a" * 64 + ".example", False),
        ("a." * 126 + "e", True),
        ("a." * 126 + "e.", True),
        ("a." * 126 + "ee", False),
        ("ü" * 56 + ".example", True),  # 63 characters as an A-label
        ("ü" * 60 + ".example", False),
        (".".join(["üüüü"] * 30), False),  # short as text, too long when encoded
        ("ü" * 1000, False),
    ],
)
def test_lengths_of_names(host: str, *, good: bool) -> None:
    assert isinstance(read(f"https://{host}/"), Url) is good


@covers("WEB-01", "POLICY-14")
@pytest.mark.parametrize(
    "text",
    [
        "https://user:hunter2@example.com/",
        "https://user:hunter2@example.com/ x",
        "https://user:hunter2@example.com/\n",
        "//user:hunter2@example.com/",
        "https:user:hunter2@example.com/",
        "https://user:hunter2\\@example.com/",
        "ftp://user:hunter2@example.com/",
    ],
)
def test_a_refusal_never_repeats_a_password(text: str) -> None:
    refused = read(text)
    assert isinstance(refused, UrlRefused)
    assert "hunter2" not in refused.text


@covers("POLICY-14")
def test_a_refusal_is_short_and_printable() -> None:
    refused = read("x\x1b[31m\u202e\u200b" + "y" * 10_000)
    assert isinstance(refused, UrlRefused)
    assert refused.text.isprintable()
    assert len(refused.text) < 400


def test_the_parts_of_a_url() -> None:
    url = parse_url("https://Bücher.example.:8443/a/../b?q=1#frag")
    assert (url.scheme, url.host, url.port, url.kind) == ("https", "xn--bcher-kva.example", 8443, HostKind.NAME)
    assert url.effective_port == 8443
    assert url.authority == "xn--bcher-kva.example:8443"
    assert url.origin == "https://xn--bcher-kva.example:8443"
    assert url.target == "/b?q=1"
    assert url.without_fragment == "https://xn--bcher-kva.example:8443/b?q=1"
    assert url.href == url.without_fragment + "#frag"


def test_the_parts_of_a_url_with_an_address() -> None:
    six, four = parse_url("http://[2A00:0::1]"), parse_url("https://93.184.215.14")
    assert (six.host, six.kind, six.authority, six.target) == ("2a00::1", HostKind.IPV6, "[2a00::1]", "/")
    assert (four.kind, four.effective_port, six.effective_port) == (HostKind.IPV4, 443, 80)
    assert not six.is_local_name
    assert six.display_host == "2a00::1"


@covers("POLICY-03")
def test_an_international_host_is_shown_in_both_forms() -> None:
    assert parse_url("https://bücher.example/").display_host == "bücher.example (xn--bcher-kva.example)"
    assert parse_url("https://example.com/").display_host == "example.com"


@covers("POLICY-08")
@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("localhost", True),
        ("LocalHost.", True),
        ("a.b.localhost", True),
        ("ⓛⓞⓒⓐⓛⓗⓞⓢⓣ", True),
        ("localhost.localdomain", True),
        ("ip6-localhost", True),
        ("ip6-loopback", True),
        ("localhost.example", False),
        ("notlocalhost", False),
        ("127.0.0.1", False),
    ],
)
def test_names_of_this_machine(host: str, *, local: bool) -> None:
    assert parse_url(f"http://{host}/").is_local_name is local


@covers("POLICY-01")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("https://93.184.215.14/", "by name"),
        ("https://[2a00::1]/", "by name"),
        ("https://example.com:8443/", "port 8443"),
        ("http://example.com:3000/", "port 3000"),
    ],
)
def test_the_stricter_client_takes_names_and_two_ports(text: str, words: str) -> None:
    with pytest.raises(UrlRefused, match=words):
        refuse_for_pages(parse_url(text))


@pytest.mark.parametrize("text", ["https://example.com/", "http://example.com:443/", "https://example.com:80/"])
def test_the_stricter_client_takes_both_ports_for_both_schemes(text: str) -> None:
    refuse_for_pages(parse_url(text))


hostile = st.text(
    st.sampled_from("aA1.:/\\@%#?[] \t\n\r\x00-_xn0fF。①é\u200d\u2028\ufeff\ud800|^`<>\"'{}+~!$&()*,;=")
    | st.characters(),
    max_size=40,
)


@covers("POLICY-01", "POLICY-02")
@given(st.sampled_from(["", "http://", "https://", "HTTPS://", "http:", "//", "http://[", "http://xn--"]), hostile)
@example("http://", "\udfff")
@example("http://", "a\x00.example")
def test_any_text_is_a_url_or_refused(start: str, rest: str) -> None:
    url = read(start + rest)
    assert isinstance(url, Url | UrlRefused)


# Pieces that parsers fall out over, put together at random.
SYNTAX = (*"/\\:@?#&[]._-|^`{}<>!$;", "//", "http://", "%", "%2e", "%00")
HOSTS = (
    "[::1]",
    "[2a00::1]",
    "127.0.0.1",
    "0x7f.1",
    "255",
    "256",
    "0",
    "80",
    "8443",
    "example.com",
    "localhost",
    "xn--",
)
LETTERS = (*"ⓛ①。．\u200d\u00adßςİſ℀٣💩", "bücher", "xn--bcher-kva", "a.example")
pieces = st.lists(st.sampled_from(SYNTAX + HOSTS + LETTERS), min_size=1, max_size=7).map("".join)


@covers("POLICY-02")
@given(st.sampled_from(["http://", "https://"]), pieces)
def test_what_passes_is_read_alike_by_all(scheme: str, rest: str) -> None:
    url = read(scheme + rest)
    if isinstance(url, UrlRefused):
        return
    assert parse_url(url.href) == url
    assert url.href.isascii()
    assert url.href.isprintable()
    assert url.origin + url.target == url.without_fragment
    first, second = urlsplit(url.href), urllib3.util.parse_url(url.href)
    assert (first.hostname, first.port, first.username) == (url.host, url.port, None)
    assert (str(second.host).strip("[]"), second.port, second.auth) == (url.host, url.port, None)
    # Browsers would go to the same host with the text as it was given.
    assert ada_url.URL(scheme + rest).hostname.strip("[]").removesuffix(".") == url.host


@covers("POLICY-01")
@given(st.lists(st.integers(0, 255), min_size=4, max_size=4), st.data())
def test_an_address_has_one_spelling(parts: list[int], data: st.DataObject) -> None:
    """Any IPv4 address written in another way than four plain decimal numbers is refused, and never looked up."""
    spell = st.sampled_from([str, hex, "{:#X}".format, "0{:o}".format, "{:03d}".format, "{:d}".format])
    text = ".".join(data.draw(spell)(part) for part in parts)
    packed = int.from_bytes(bytes(parts))
    short = data.draw(
        st.sampled_from(
            [
                text,
                str(packed),
                hex(packed),
                f"{parts[0]}.{packed & 0xFFFFFF}",
                f"{parts[0]}.{parts[1]}.{packed & 0xFFFF}",
            ]
        )
    )
    plain = ".".join(map(str, parts))
    url = read(f"http://{short}/")
    if short == plain:
        assert isinstance(url, Url)
        assert url.host == plain
    else:
        assert isinstance(url, UrlRefused)


class Disagreeing:
    """An `ada_url` that reads another host than the grammar did."""

    def __init__(self, _text: str) -> None:
        self.href = "https://example.com.evil.example/"


class Failing:
    def __init__(self, _text: str) -> None:
        raise ValueError


@covers("POLICY-02")
@pytest.mark.parametrize("other", [Disagreeing, Failing])
def test_a_second_reading_that_differs_is_a_refusal(other: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(urls.ada_url, "URL", other)
    refused = read("https://example.com/")
    assert isinstance(refused, UrlRefused)
    assert "WHATWG" in refused.text
