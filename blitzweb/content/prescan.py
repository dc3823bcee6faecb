"""The encoding that markup declares about itself, found as browsers find it before they parse (CONTENT-01).

The WHATWG algorithm "prescan a byte stream to determine its encoding", with its XML declaration. It knows tags and
comments and nothing else. It returns the label as written; what labels mean is `charset`'s.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from blitzweb.limits import PRESCAN_BYTES

_XML = re.compile(rb"""<\?xml[^>]*?encoding[\t\n\f\r ]*=[\t\n\f\r ]*(["'])([^"'>]*)\1""")
_THING = re.compile(rb"<!--|<(?=[mM][eE][tT][aA][\t\n\f\r /])|</?(?=[A-Za-z])|<[!/?]")
_TAG_NAME_END = re.compile(rb"[\t\n\f\r >]")
_ATTRIBUTE = re.compile(
    rb"""[\t\n\f\r /]*(?P<name>[^\t\n\f\r />=][^\t\n\f\r />=]*|=[^\t\n\f\r />=]*)"""
    rb"""(?:[\t\n\f\r ]*=[\t\n\f\r ]*"""
    rb"""(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^\t\n\f\r >"'][^\t\n\f\r >]*)))?"""
)
_CHARSET = re.compile(r"""charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r ;"']+))""", re.IGNORECASE)


def declared_label(body: bytes) -> str | None:
    """Return the label of the first declaration; None where there is none."""
    head = body[:PRESCAN_BYTES]
    if (xml := _XML.match(head)) is not None:
        return xml.group(2).decode("latin-1")
    return next(_labels(head), None)


def charset_in(content: str) -> str | None:
    """Return the charset named in a Content-Type, as in a `meta` element's `content`."""
    found = _CHARSET.search(content)
    return None if found is None else found.group(1) or found.group(2) or found.group(3)


def _labels(head: bytes) -> Iterator[str]:
    """Give the labels of all `meta` elements that the algorithm sees."""
    place = 0
    while (found := _THING.search(head, place)) is not None:
        place = found.end()
        if found.group() == b"<!--":
            # `<!-->` is a whole comment: the dashes that end it may be those that begin it.
            end = head.find(b"-->", place - 2)
            place = len(head) if end < 0 else end + 3
        elif head[place : place + 4].lower() == b"meta" and found.group() == b"<":
            attributes, place = _read_attributes(head, place + 4)
            if (label := _label(attributes)) is not None:
                yield label
        elif head[place : place + 1].isalpha():
            name_end = _TAG_NAME_END.search(head, place)
            _, place = _read_attributes(head, len(head) if name_end is None else name_end.start())
        else:
            place = _after(head, b">", place)


def _read_attributes(head: bytes, place: int) -> tuple[dict[str, str], int]:
    """Return the attributes of the tag whose name ends at `place`, the first of each name, and where the tag ends."""
    attributes: dict[str, str] = {}
    while (found := _ATTRIBUTE.match(head, place)) is not None:
        value = found["double"] or found["single"] or found["bare"] or b""
        attributes.setdefault(found["name"].lower().decode("latin-1"), value.decode("latin-1"))
        place = found.end()
    return attributes, _after(head, b">", place)


def _label(attributes: dict[str, str]) -> str | None:
    """Return the label that a `meta` element declares."""
    if "charset" in attributes:
        return attributes["charset"]
    if attributes.get("http-equiv", "").lower() == "content-type":
        return charset_in(attributes.get("content", ""))
    return None


def _after(head: bytes, what: bytes, place: int) -> int:
    end = head.find(what, place)
    return len(head) if end < 0 else end + len(what)
