"""Bytes to text by the WHATWG rules: byte order mark, HTTP charset, prescan of the markup, then detection (CONTENT-01).

Labels mean what browsers mean by them (`gb2312` is GBK, `latin1` is windows-1252, `utf-7` is nothing), through
`webencodings`. Bytes that fit no character become U+FFFD; nothing here raises.
"""

from __future__ import annotations

import codecs
import re
from typing import Final

import webencodings

from blitzweb.content.prescan import declared_label
from blitzweb.limits import DETECT_BYTES

_MARKS: Final = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16le"), (codecs.BOM_UTF16_BE, "utf-16be"))
_NOT_ASCII = re.compile(rb"[\x80-\xff\x1b]")
_ESCAPED = re.compile(rb"\x1b\$[@B]")  # ISO-2022-JP is made of ASCII bytes
_LEAD_IN_BYTES: Final = 64  # of the ASCII before the first byte that is not
_UNBROKEN_PER_BROKEN: Final = 10
_FALLBACK: Final = "windows-1252"
# WHATWG decodes GBK with the decoder of its superset, as `webencodings` does not.
_WIDER: Final = {"gbk": "gb18030"}
# What detection chooses from, as `chardet` names it, and the WHATWG name of each.
_DETECTABLE: Final = {
    "big5hkscs": "big5",
    "cp866": "ibm866",
    "cp874": "windows-874",
    "cp932": "shift_jis",
    "cp949": "euc-kr",
    **{f"cp{number}": f"windows-{number}" for number in range(1250, 1259)},
    "euc_jis_2004": "euc-jp",
    "gb18030": "gb18030",
    "iso2022_jp_2": "iso-2022-jp",
    **{f"iso8859-{part}": f"iso-8859-{part}" for part in (2, 5, 6, 7, 8)},
    "koi8-r": "koi8-r",
    "koi8-u": "koi8-u",
}


def decode(body: bytes, http_charset: str | None, *, markup: bool = True, truncated: bool = False) -> tuple[str, str]:
    """Return the text of a body and the name of its encoding.

    `markup` says that the body may declare its encoding itself, as HTML and XML do. Of a body that was cut off, half
    a character at the end is left out.
    """
    for mark, name in _MARKS:
        if body.startswith(mark):
            return _decode_as(name, body[len(mark) :], truncated=truncated), name
    name = _known(http_charset) or (markup and _declared(body)) or _detect(body)
    return _decode_as(name, body, truncated=truncated), name


def _known(label: str | None) -> str | None:
    """Return the encoding that a label means; None for one that means nothing."""
    encoding = webencodings.lookup(label.strip(" \t\r\n\f\"'")) if label else None
    return None if encoding is None else str(encoding.name)


def _declared(body: bytes) -> str | None:
    """Return the encoding that the markup declares; one that could not have been read so far means UTF-8."""
    name = _known(declared_label(body))
    if name is None:
        return None
    return {"utf-16le": "utf-8", "utf-16be": "utf-8", "x-user-defined": _FALLBACK}.get(name, name)


def _detect(body: bytes) -> str:
    """Guess the encoding of a body that declares none."""
    if body[:2] == b"<\0" or body[:2] == b"\0<":
        return "utf-16le" if body[0] else "utf-16be"
    if _is_utf8(body) and not _ESCAPED.search(body):
        return "utf-8"
    first = _NOT_ASCII.search(body)
    start = max(0, (first.start() if first else 0) - _LEAD_IN_BYTES)
    sample = body[start : start + DETECT_BYTES]
    if _is_nearly_utf8(sample):
        return "utf-8"
    import chardet  # the last resort, and the dearest import

    guess = chardet.detect(sample, include_encodings=_DETECTABLE, compat_names=False)["encoding"]
    return _DETECTABLE.get(guess or "", _FALLBACK)


def _is_utf8(body: bytes) -> bool:
    """Tell whether a body is UTF-8, apart from a character cut off at its end."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(body)
    except UnicodeDecodeError:
        return False
    return True


def _is_nearly_utf8(sample: bytes) -> bool:
    """Tell whether few of the characters beyond ASCII are broken: any other encoding breaks almost all of them."""
    beyond = [character for character in sample.decode("utf-8", "replace") if character > "\x7f"]
    return beyond.count("\ufffd") * _UNBROKEN_PER_BROKEN < len(beyond)


def _decode_as(name: str, body: bytes, *, truncated: bool) -> str:
    encoding = webencodings.lookup(_WIDER.get(name, name))
    assert encoding is not None, "every name comes from the table of labels"  # noqa: S101
    return str(encoding.codec_info.incrementaldecoder("replace").decode(body, not truncated))
