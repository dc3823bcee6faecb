"""Keys as Chrome wants them told: names, codes, and chords such as `Control+A` (BROWSER-08). Values only."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from blitzweb.browser.failures import BrowserFailure


class Key(NamedTuple):
    """One key; `text` is what it writes."""

    key: str
    code: str
    number: int
    text: str = ""


MODIFIERS: Final = {"alt": 1, "control": 2, "ctrl": 2, "meta": 4, "command": 4, "cmd": 4, "shift": 8}
_MODIFIER_KEYS: Final = {
    1: Key("Alt", "AltLeft", 18),
    2: Key("Control", "ControlLeft", 17),
    4: Key("Meta", "MetaLeft", 91),
    8: Key("Shift", "ShiftLeft", 16),
}
NAMED: Final = {
    "enter": Key("Enter", "Enter", 13, "\r"),
    "return": Key("Enter", "Enter", 13, "\r"),
    "tab": Key("Tab", "Tab", 9),
    "escape": Key("Escape", "Escape", 27),
    "esc": Key("Escape", "Escape", 27),
    "backspace": Key("Backspace", "Backspace", 8),
    "delete": Key("Delete", "Delete", 46),
    "insert": Key("Insert", "Insert", 45),
    "home": Key("Home", "Home", 36),
    "end": Key("End", "End", 35),
    "pageup": Key("PageUp", "PageUp", 33),
    "pagedown": Key("PageDown", "PageDown", 34),
    "arrowleft": Key("ArrowLeft", "ArrowLeft", 37),
    "left": Key("ArrowLeft", "ArrowLeft", 37),
    "arrowup": Key("ArrowUp", "ArrowUp", 38),
    "up": Key("ArrowUp", "ArrowUp", 38),
    "arrowright": Key("ArrowRight", "ArrowRight", 39),
    "right": Key("ArrowRight", "ArrowRight", 39),
    "arrowdown": Key("ArrowDown", "ArrowDown", 40),
    "down": Key("ArrowDown", "ArrowDown", 40),
    "space": Key(" ", "Space", 32, " "),
    **{f"f{number}": Key(f"F{number}", f"F{number}", 111 + number) for number in range(1, 13)},
    **{name: _MODIFIER_KEYS[bit] for name, bit in MODIFIERS.items()},
}
_PUNCTUATION: Final = {
    **dict.fromkeys("-_", ("Minus", 189)),
    **dict.fromkeys("=+", ("Equal", 187)),
    **dict.fromkeys(",<", ("Comma", 188)),
    **dict.fromkeys(".>", ("Period", 190)),
    **dict.fromkeys("/?", ("Slash", 191)),
    **dict.fromkeys(";:", ("Semicolon", 186)),
    **dict.fromkeys("'\"", ("Quote", 222)),
    **dict.fromkeys("`~", ("Backquote", 192)),
    **dict.fromkeys("[{", ("BracketLeft", 219)),
    **dict.fromkeys("]}", ("BracketRight", 221)),
    **dict.fromkeys("\\|", ("Backslash", 220)),
}
_SHIFTED_DIGITS: Final = ")!@#$%^&*("
_BLANKS: Final = {"\n": "enter", "\t": "tab", " ": "space"}


def key_of(character: str) -> Key:
    """Return the key that writes a character; for what no key writes, the text alone."""
    if character in _BLANKS:
        return NAMED[_BLANKS[character]]
    if character.isascii() and character.isalpha():
        return Key(character, f"Key{character.upper()}", ord(character.upper()), character)
    digit = character if character.isascii() and character.isdigit() else str(_SHIFTED_DIGITS.find(character))
    if len(digit) == 1:
        return Key(character, f"Digit{digit}", ord(digit), character)
    code, number = _PUNCTUATION.get(character, ("", 0))
    return Key(character, code, number, character)


class Chord(NamedTuple):
    """A key with the modifiers that are held meanwhile."""

    key: Key
    modifiers: int


def read_chord(text: str) -> Chord:
    """Read `Control+Shift+A`, `Enter`, `a`, `+`.

    Raises:
        BrowserFailure: it names no key.
    """
    *held, last = (part.strip() for part in text.replace("++", "+plus").split("+")) if text != "+" else ("plus",)
    modifiers = 0
    for name in held:
        if name.lower() not in MODIFIERS:
            raise BrowserFailure(f'"{text}" is no key chord: "{name}" is no modifier', advice=_ADVICE)
        modifiers |= MODIFIERS[name.lower()]
    key = _named(last)
    if key is None:
        raise BrowserFailure(f'"{text}" names no key', advice=_ADVICE)
    if modifiers & 8 and len(key.key) == 1:
        key = key._replace(key=key.key.upper(), text=key.text.upper())
    return Chord(key._replace(text="") if modifiers & 7 else key, modifiers)


def _named(name: str) -> Key | None:
    if name == "plus":
        return key_of("+")
    return NAMED.get(name.lower()) or (key_of(name) if len(name) == 1 else None)


def key_events(chord: Chord) -> list[dict[str, Any]]:
    """Return the events of pressing a chord and letting go: modifiers down, the key, modifiers up."""
    events, held = [], 0
    bits = [bit for bit in (2, 1, 8, 4) if chord.modifiers & bit]
    for bit in bits:
        held |= bit
        events.append(_event("rawKeyDown", _MODIFIER_KEYS[bit], held))
    events += [_event("keyDown" if chord.key.text else "rawKeyDown", chord.key, held), _event("keyUp", chord.key, held)]
    for bit in reversed(bits):
        held &= ~bit
        events.append(_event("keyUp", _MODIFIER_KEYS[bit], held))
    return events


def _event(kind: str, key: Key, modifiers: int) -> dict[str, Any]:
    event: dict[str, Any] = {"type": kind, "key": key.key, "code": key.code, "modifiers": modifiers}
    if key.number:
        event["windowsVirtualKeyCode"] = event["nativeVirtualKeyCode"] = key.number
    if kind == "keyDown" and key.text:
        event["text"] = event["unmodifiedText"] = key.text
    if commands := _EDITING.get((key.code, modifiers)) if kind != "keyUp" else None:
        event["commands"] = commands
    return event


# What an editor does at a chord is the window system's business, which a browser without windows does not have.
_EDITING: Final = {
    ("KeyA", 2): ["selectAll"],
    ("KeyC", 2): ["copy"],
    ("KeyX", 2): ["cut"],
    ("KeyV", 2): ["paste"],
    ("KeyZ", 2): ["undo"],
    ("KeyY", 2): ["redo"],
    ("KeyZ", 10): ["redo"],
}
_ADVICE: Final = "write Enter, Tab, Escape, ArrowDown, F5, a, or Control+A"
