"""Charsets by the WHATWG rules, one by one and together; nothing raises, whatever the bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.content.charset import decode
from blitzweb.content.prescan import declared_label
from tests.support.covers import covers

PAGE = "<!DOCTYPE html><html><head><title>t</title></head><body><p>{}</p></body></html>"
SENTENCES = {
    "shift_jis": "日本語の文章です。東京は晴れ、大阪は雨でしょう。",
    "euc_jp": "日本語の文章です。東京は晴れ、大阪は雨でしょう。",
    "iso2022_jp": "日本語の文章です。東京は晴れ、大阪は雨でしょう。",
    "utf-16le": "日本語の文章です。",
    "utf-16be": "日本語の文章です。",
    "utf-8": "日本語の文章です。",
    "gb18030": "朱镕基这是一个普通的中文网页，内容为新闻报道。",
    "gb2312": "这是一个普通的中文网页，内容为新闻报道。",
    "big5": "這是一個普通的中文網頁，內容為新聞報導。",
    "euc_kr": "이것은 한국어 문장입니다. 서울의 날씨는 맑습니다.",
    "cp1250": "Příliš žluťoučký kůň úpěl ďábelské ódy",
    "cp1251": "Это обычный русский текст на странице сайта.",
    "koi8-r": "Это обычный русский текст на странице сайта.",
    "cp1252": "“smart” – quotes € and café",
    "cp1253": "Ελληνικά είναι μια γλώσσα",
    "cp1254": "İstanbul'da güneşli bir gün yaşıyoruz",
    "cp1255": "שלום עולם זה טקסט",
    "cp1256": "هذا نص عربي عادي",
    "cp874": "ไทยภาษา สวัสดีครับ",
}


@covers("CONTENT-01")
@pytest.mark.parametrize("encoding", SENTENCES)
def test_what_nothing_declares_is_detected(encoding: str) -> None:
    text, _ = decode(PAGE.format(SENTENCES[encoding]).encode(encoding), None)
    assert SENTENCES[encoding] in text


@covers("CONTENT-01")
@pytest.mark.parametrize(
    ("body", "header", "name", "expected"),
    [
        (b"\xef\xbb\xbf\xc3\xa9", "koi8-r", "utf-8", "é"),
        (b"\xfe\xff\x00e", "utf-8", "utf-16be", "e"),
        (b"<meta charset=koi8-r>\xc3\xa9", "UTF-8", "utf-8", "é"),
        (b"\x80", " 'us-ascii' ", "windows-1252", "€"),
        (b"\xc3\xa9", "no-such-charset", "utf-8", "é"),
        (b"<meta charset=no-such>\xc3\xa9", None, "utf-8", "é"),
        (b"<meta charset=utf-16>\xc3\xa9", None, "utf-8", "é"),
        (b"<meta charset=x-user-defined>\x80", None, "windows-1252", "€"),
        (b"<!-- <meta charset=koi8-r> --><meta charset=utf-8>\xc3\xa9", None, "utf-8", "é"),
        (b"<!--><meta charset=windows-1251>\xe9", None, "windows-1251", "й"),
        (b"<a title='<meta charset=koi8-r>'><meta charset=windows-1251>\xe9", None, "windows-1251", "й"),
        (
            b"<META\tHTTP-EQUIV=content-type content='text/html;charset=\"windows-1251\"'/>\xe9",
            None,
            "windows-1251",
            "й",
        ),
        (b"<meta content='text/html;charset=koi8-r'><meta charset=windows-1251>\xe9", None, "windows-1251", "й"),
        (b"<?xml version='1.0' encoding='windows-1251'?>\xe9", None, "windows-1251", "й"),
        (b"+ADw-b+AD4-", "utf-7", "utf-8", "+ADw-b+AD4-"),
        (b"", None, "utf-8", ""),
        (
            PAGE.format("bad \udcff but " + "é" * 20).encode("utf-8", "surrogateescape"),
            None,
            "utf-8",
            "bad \ufffd but é",
        ),
    ],
)
def test_rules(body: bytes, header: str | None, name: str, expected: str) -> None:
    text, encoding = decode(body, header)
    assert encoding == name
    assert expected in text


def test_a_declaration_is_looked_for_where_browsers_look() -> None:
    assert declared_label(b" " * 900 + b"<meta charset=koi8-r>") == "koi8-r"
    assert declared_label(b" " * 1024 + b"<meta charset=koi8-r>") is None


@covers("CONTENT-01")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16le", "gb18030", "shift_jis"])
def test_half_a_character_at_a_cut_is_left_out(encoding: str) -> None:
    text, _ = decode("日本".encode(encoding)[:-1], encoding, truncated=True)
    assert text == "日"


@given(st.binary(max_size=200), st.none() | st.text(max_size=12), st.booleans(), st.booleans())
def test_no_bytes_raise(body: bytes, header: str | None, markup: bool, truncated: bool) -> None:  # noqa: FBT001
    text, _ = decode(body, header, markup=markup, truncated=truncated)
    text.encode()
