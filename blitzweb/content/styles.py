"""Which inline styles hide an element's text from a person: hidden text is where injections live (CONTENT-02).

Only what one `style` attribute proves by itself. Styles are read as browsers read them: comments and escapes resolved,
the last valid declaration of a property wins, `!important` before the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

Style = dict[str, str]

_TELLING = re.compile(
    r"none|hidden|collapse|opacity|font|clip|indent|-\d|\d{4}|transparent|rgba?\(|hsl|#|color|scale|translate|vis|\b0|\\|/\*",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"/\*.*?(?:\*/|$)", re.DOTALL)
_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})[ \t\r\n\f]?|\\([^\r\n\f0-9a-fA-F])")
_LENGTH = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z]*|%)", re.IGNORECASE)
_PIXELS: Final = {
    "em": 16.0,
    "rem": 16.0,
    "ex": 8.0,
    "ch": 8.0,
    "vw": 12.8,
    "vh": 8.0,
    "pt": 1.33,
    "cm": 37.8,
    "in": 96.0,
}
_PIXELS_PER_PERCENT: Final = 12.8  # of a page 1,280 pixels wide
_OFF_SCREEN: Final = 900.0  # pixels left of, or above, the page
_SMALLEST_FONT: Final = 2.0  # pixels
_FAINTEST: Final = 0.05
_INVALIDATING: Final = frozenset({"display", "visibility"})
_KEYWORDS: Final = frozenset(
    [
        "none",
        "block",
        "inline",
        "inline-block",
        "flex",
        "inline-flex",
        "grid",
        "inline-grid",
        "table",
        "inline-table",
        "table-row",
        "table-cell",
        "contents",
        "list-item",
        "flow-root",
        "table-caption",
        "table-row-group",
        "table-header-group",
        "ruby",
        "-webkit-box",
        "-webkit-inline-box",
        "visible",
        "hidden",
        "collapse",
        "inherit",
        "initial",
        "unset",
        "revert",
        "revert-layer",
    ]
)
_COLOURS: Final = {"white": "ffffff", "black": "000000", "red": "ff0000", "yellow": "ffff00", "snow": "fffafa"}
_RGB = re.compile(r"rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)(?:[\s,/]+([\d.]+%?))?\s*\)")
_INVISIBLE_COLOUR = re.compile(
    r"transparent|(?:rgb|hsl)a?\((?:[^,/)]+,){3}\s*0*\.?0+%?\s*\)|(?:rgb|hsl)a?\([^/)]+/\s*0*\.?0+%?\s*\)|#[0-9a-f]{6}00|#[0-9a-f]{3}0"
)
_CLIPPED = re.compile(
    r"rect\(\s*(?:0[a-z%]*[\s,]*){4}\)|rect\(\s*(\d+px)(?:[\s,]+\1){3}\s*\)"
    r"|inset\(\s*(?:[5-9]\d|100)(?:\.\d+)?%|(?:circle|ellipse)\(\s*0"
)
_MOVED_AWAY = re.compile(
    r"translate(?:x|y|3d)?\([^)]*-\s*(?:\d{4,}px|\d{3,}v[wh]|\d{3,}r?em)|scale(?:3d|x|y)?\(\s*0*\.?0*[\s,)]"
)
_TINY_FONT = re.compile(r"(?:^|\s)0(?:[a-z]+|%)?(?=\s|/)")


@lru_cache(maxsize=2048)
def hides(style: str) -> bool:
    """Tell whether an element with this style shows no text."""
    if _TELLING.search(style) is None:
        return False
    declared = _read(style)
    return any(rule(declared) for rule in _RULES)


def _read(style: str) -> Style:
    """Return the declarations that count, by property, all in lower case."""
    if "\\" in style or "/*" in style:
        style = _ESCAPE.sub(_unescape, _COMMENT.sub("", style))
    declared: Style = {}
    important: set[str] = set()
    for declaration in style.lower().split(";"):
        name, colon, value = declaration.partition(":")
        name, value = name.strip(), value.strip()
        value, _, bang = (part.strip() for part in value.partition("!"))
        if not (colon and value) or bang.strip() not in {"", "important"}:
            continue
        if name in _INVALIDATING and value not in _KEYWORDS:
            continue
        if bang:
            important.add(name)
        if bang or name not in important:
            declared[name] = value
    return declared


def _unescape(found: re.Match[str]) -> str:
    if found.group(2):
        return found.group(2)
    code = int(found.group(1), 16)
    return chr(code) if 0 < code <= 0x10FFFF else "\ufffd"  # noqa: PLR2004


def _is_not_drawn(style: Style) -> bool:
    return (
        style.get("display") == "none"
        or style.get("visibility") in {"hidden", "collapse"}
        or style.get("content-visibility") == "hidden"
        or _is_faint(style.get("opacity"))
        or "opacity(0" in style.get("filter", "").replace("0.0", "0")
    )


def _is_tiny(style: Style) -> bool:
    size = _pixels(style.get("font-size"))
    return (size is not None and size < _SMALLEST_FONT) or _TINY_FONT.search(style.get("font", "")) is not None


def _is_off_screen(style: Style) -> bool:
    shifts = [style.get("text-indent"), style.get("margin-left"), style.get("margin-top"), style.get("margin")]
    if style.get("position") in {"absolute", "fixed", "relative"}:
        shifts += [style.get(side) for side in ("left", "top", "right", "bottom", "inset")]
    moved = [_pixels(shift.split()[0]) for shift in shifts if shift and shift.split()]
    return any(pixels is not None and pixels <= -_OFF_SCREEN for pixels in moved) or (
        _MOVED_AWAY.search(style.get("transform", "") + style.get("scale", "")) is not None
    )


def _is_clipped(style: Style) -> bool:
    if _CLIPPED.search(style.get("clip", "") + " " + style.get("clip-path", "")):
        return True
    if not any(style.get(name, "").startswith(("hidden", "clip")) for name in ("overflow", "overflow-x", "overflow-y")):
        return False
    sizes = [_pixels(style.get(name)) for name in ("width", "height", "max-width", "max-height")]
    return any(size is not None and size <= 1 for size in sizes)


def _is_colourless(style: Style) -> bool:
    colour = style.get("-webkit-text-fill-color") or style.get("color")
    if colour is None or "text" in style.get("background-clip", "") + style.get("-webkit-background-clip", ""):
        return False
    if _INVISIBLE_COLOUR.fullmatch(colour):
        return True
    ground = style.get("background-color") or style.get("background")
    return ground is not None and _colour(colour) is not None and _colour(colour) == _colour(ground)


_RULES: Final[tuple[Callable[[Style], bool], ...]] = (
    _is_not_drawn,
    _is_tiny,
    _is_off_screen,
    _is_clipped,
    _is_colourless,
)


def _is_faint(value: str | None) -> bool:
    if value is None or (found := _LENGTH.fullmatch(value)) is None:
        return False
    return float(found.group(1)) / (100 if found.group(2) == "%" else 1) < _FAINTEST


def _pixels(value: str | None) -> float | None:
    """Return a length in pixels; None for what is none."""
    if not value or (found := _LENGTH.fullmatch(value)) is None:
        return None
    number, unit = float(found.group(1)), found.group(2)
    return number * (_PIXELS_PER_PERCENT if unit == "%" else _PIXELS.get(unit, 1.0))


def _colour(text: str) -> str | None:
    """Return six hexadecimal digits for a colour that is known; None for others."""
    text = text.strip()
    if found := _RGB.fullmatch(text):
        return "".join(f"{min(int(part), 255):02x}" for part in found.group(1, 2, 3))
    if re.fullmatch(r"#[0-9a-f]{3}", text):
        return "".join(digit * 2 for digit in text[1:])
    return text[1:] if re.fullmatch(r"#[0-9a-f]{6}", text) else _COLOURS.get(text)
