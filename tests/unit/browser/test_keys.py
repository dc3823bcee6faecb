"""Keys and chords as Chrome wants them told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.browser.failures import BrowserFailure
from blitzweb.browser.keys import Chord, key_events, key_of, read_chord
from tests.support.covers import covers


@covers("BROWSER-08")
@pytest.mark.parametrize(
    ("text", "key", "code", "modifiers", "written"),
    [
        ("a", "a", "KeyA", 0, "a"),
        ("A", "A", "KeyA", 0, "A"),
        ("Shift+a", "A", "KeyA", 8, "A"),
        ("Control+A", "A", "KeyA", 2, ""),
        ("ctrl+shift+k", "K", "KeyK", 10, ""),
        ("Enter", "Enter", "Enter", 0, "\r"),
        ("esc", "Escape", "Escape", 0, ""),
        ("F5", "F5", "F5", 0, ""),
        ("+", "+", "Equal", 0, "+"),
        ("Control++", "+", "Equal", 2, ""),
        ("Alt+ArrowLeft", "ArrowLeft", "ArrowLeft", 1, ""),
        ("7", "7", "Digit7", 0, "7"),
        ("&", "&", "Digit7", 0, "&"),
        ("é", "é", "", 0, "é"),
        ("Shift", "Shift", "ShiftLeft", 0, ""),
    ],
)
def test_chords(text, key, code, modifiers, written):
    chord = read_chord(text)
    assert (chord.key.key, chord.key.code, chord.modifiers, chord.key.text) == (key, code, modifiers, written)


@covers("BROWSER-08")
@pytest.mark.parametrize("text", ["", "Nokey", "Control+", "Hyper+a", "ab", "Control+Nokey"])
def test_what_is_no_chord_is_said(text):
    with pytest.raises(BrowserFailure, match="key"):
        read_chord(text)


@covers("BROWSER-08")
def test_modifiers_are_held_and_let_go():
    events = key_events(read_chord("Control+Shift+a"))
    assert [(event["type"], event["key"], event["modifiers"]) for event in events] == [
        ("rawKeyDown", "Control", 2),
        ("rawKeyDown", "Shift", 10),
        ("rawKeyDown", "A", 10),
        ("keyUp", "A", 10),
        ("keyUp", "Shift", 2),
        ("keyUp", "Control", 0),
    ]


@given(st.characters())
def test_every_character_has_a_key_that_writes_it(character):
    down, up = key_events(Chord(key_of(character), 0))
    assert (down["type"], up["type"]) in {("keyDown", "keyUp"), ("rawKeyDown", "keyUp")}
    if character not in "\n\t":
        assert down["text"] == character
