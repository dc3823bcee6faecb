"""One line a message, short, without secrets."""

from __future__ import annotations

from typing import Any

from hypothesis import given

from blitzweb.wire.render import render
from tests.support.covers import covers
from tests.unit.wire.test_encoding import JSON_VALUES


def test_a_message_is_one_line_with_its_direction() -> None:
    assert render("→", {"method": "m", "params": {"text": "a\nb"}}) == '→ {"method":"m","params":{"text":"a\\nb"}}'
    assert render("←", [1, None]) == "← [1,null]"


def test_long_texts_are_cut_and_counted() -> None:
    line = render("←", {"text": "x" * 1000, "short": "y"})
    assert line == '← {"text":"' + "x" * 200 + '…(+800)","short":"y"}'
    assert len(render("←", ["x" * 100] * 1000)) < 2100


@covers("AUDIT-04")
def test_a_secret_is_masked_before_it_could_be_cut_in_two() -> None:
    text = "x" * 195 + "hunter2-hunter2" + "x" * 1000
    assert "hunter" not in render("→", {"text": text}, lambda part: part.replace("hunter2-hunter2", "*"))


@covers("AUDIT-04")
def test_a_secret_known_by_its_key_is_masked() -> None:
    line = render("→", {"api_key": "abc"}, lambda part: part.replace('"api_key":"abc"', '"api_key":"*"'))
    assert line == '→ {"api_key":"*"}'


def test_what_is_no_json_or_too_deep_is_said() -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    assert render("→", deep) == "→ " + "[" * 8 + '"…"' + "]" * 8
    assert "not JSON" in render("→", {"x": float("nan")})
    while isinstance(deep, list):
        deep = deep.pop()


@given(JSON_VALUES)
def test_any_value_is_one_bounded_line(value: object) -> None:
    line = render("→", value)
    assert "\n" not in line
    assert len(line) < 2100
