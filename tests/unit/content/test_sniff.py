"""Types: what is believed, what is found out, and what is refused by name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.content.convert import convert
from blitzweb.content.sniff import Kind, classify, split_content_type
from blitzweb.errors import UnusableContent
from tests.support.content import URL
from tests.support.covers import covers

RSS = b"<?xml version='1.0'?><!-- c --><rss version='2.0'><channel></channel></rss>"


@covers("CONTENT-12", "WEB-07")
@pytest.mark.parametrize(
    ("media_type", "body", "kind"),
    [
        ("text/html", b"<p>x", Kind.HTML),
        ("application/xhtml+xml", b"<html/>", Kind.HTML),
        ("text/html", b' {"a": 1}\n', Kind.JSON),
        ("text/html", b"[1, 2]", Kind.JSON),
        ("text/html", b"[1] is a note", Kind.HTML),
        ("text/html", b"{ not: json }", Kind.HTML),
        ("text/html", RSS, Kind.FEED),
        ("text/html", b"%PDF-1.4 x", Kind.PDF),
        ("application/octet-stream", b"%PDF-1.7 x", Kind.PDF),
        (None, b"\n%PDF-1.4 x", Kind.PDF),
        ("text/plain", b"\x89PNG\r\n\x1a\n", Kind.IMAGE),
        ("image/png", b"<!DOCTYPE html><p>not found", Kind.HTML),
        (None, b" <!doctype HTML>", Kind.HTML),
        (None, b"<html>", Kind.HTML),
        (None, b"<?xml version='1.0'?><a/>", Kind.XML),
        (None, RSS, Kind.FEED),
        (None, b'{"a": 1}', Kind.JSON),
        (None, b"words", Kind.TEXT),
        (None, b"", Kind.TEXT),
        (None, "wörds".encode("utf-16"), Kind.TEXT),
        ("text/plain", b"<p>x", Kind.TEXT),
        ("text/css", b"a {}", Kind.TEXT),
        ("text/markdown", b"# x", Kind.MARKDOWN),
        ("application/json", b"x", Kind.JSON),
        ("application/ld+json", b"{}", Kind.JSON),
        ("application/javascript", b"x()", Kind.TEXT),
        ("application/xml", b"<a/>", Kind.XML),
        ("image/svg+xml", b"<svg/>", Kind.XML),
        ("application/atom+xml", b"<feed/>", Kind.FEED),
        ("application/xml", b"<feed xmlns='http://www.w3.org/2005/Atom'/>", Kind.FEED),
    ],
)
def test_kinds(media_type: str | None, body: bytes, kind: Kind) -> None:
    assert classify(body, media_type)[0] is kind


@covers("WEB-07")
@pytest.mark.parametrize(
    ("media_type", "body", "named"),
    [
        ("application/zip", b"PK\3\4", "application/zip"),
        ("video/mp4", b"x", "video/mp4"),
        ("text/plain", b"\0\1\2", "text/plain"),
        (None, b"\0\1\2", "application/octet-stream"),
        ("image/png", b"\0\1", "image/png"),
        ("application/" + "x" * 500, b"\0", "application/xxx"),
    ],
)
def test_other_types_are_named(media_type: str | None, body: bytes, named: str) -> None:
    with pytest.raises(UnusableContent, match=f'unsupported content type "{named}'):
        convert(body, media_type=media_type, charset=None, url=URL)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (None, (None, None)),
        ("", (None, None)),
        ('TEXT/HTML; Charset="UTF-8"; x=y', ("text/html", "UTF-8")),
        ("text/html;charset = koi8-r", ("text/html", "koi8-r")),
        ("nonsense; charset=x", (None, "x")),
    ],
)
def test_content_types_are_split(header: str | None, expected: tuple[str | None, str | None]) -> None:
    assert split_content_type(header) == expected


@covers("WEB-07", "FETCH-15")
@pytest.mark.parametrize("form", ["text", "markdown", "article", "links"])
def test_text_and_markdown_pass_through(form: str) -> None:
    body = "# a\r\n*b*\u200b".encode()
    for media_type in ("text/plain", "text/markdown"):
        document = convert(b"x" + body, media_type=media_type, charset="utf-8", url=URL, format=form)  # type: ignore[arg-type]
        assert document.content.startswith("x# a\n*b*")
        assert document.format == media_type.replace("plain", "text").removeprefix("text/")


@given(
    st.binary(max_size=100),
    st.sampled_from([None, "text/html", "application/json", "text/xml", "image/png", "text/plain"]),
)
def test_no_body_raises_anything_else(body: bytes, media_type: str | None) -> None:
    try:
        document = convert(
            body, media_type=media_type, charset=None, url=URL, bounded=not body.lstrip().startswith(b"%PDF")
        )
    except UnusableContent:
        return
    document.content.encode()
