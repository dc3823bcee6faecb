from __future__ import annotations

import pytest

from blitzweb.console.compare import VOLATILE, differences
from tests.support.covers import covers


def compare(wanted, given, **expect):
    return list(differences(wanted, given, {place.replace("__", "."): rule for place, rule in expect.items()}))


@pytest.mark.parametrize(
    "value", [None, True, 0, 1.5, "text", [], {}, [1, {"a": [None]}], {"a": {"b": "c"}}, {"id": 1, "result": None}]
)
def test_a_value_is_the_same_as_itself(value: object) -> None:
    assert compare(value, value) == []


@pytest.mark.parametrize(
    ("wanted", "given", "sentence"),
    [
        ("a", "b", 'message is "b", not "a"'),
        ({"a": 1}, {"a": 2}, "a is 2, not 1"),
        ({"a": 1}, {"a": "1"}, 'a is "1", not 1'),
        ({"a": 1}, {"a": True}, "a is true, not 1"),
        ({"a": None}, {"a": False}, "a is false, not null"),
        ({"a": 1}, {}, "a is missing; it was 1"),
        ({}, {"a": 1}, "a is new: 1"),
        ({"r": {"a": [1, 2]}}, {"r": {"a": [1]}}, "r.a has 1 items, not 2"),
        ({"r": {"a": [1, {"b": 1}]}}, {"r": {"a": [1, {"b": 2}]}}, "r.a.1.b is 2, not 1"),
        ([1], {"0": 1}, 'message is {"0": 1}, not [1]'),
    ],
)
@covers("WIRE-43")
def test_what_differs_is_said_with_its_place(wanted: object, given: object, sentence: str) -> None:
    assert compare(wanted, given) == [sentence]


def test_one_number_is_the_same_however_it_is_spelt() -> None:
    assert compare(1, 1.0) == []


@pytest.mark.parametrize("name", sorted(VOLATILE))
def test_what_differs_from_run_to_run_need_only_be_of_the_same_type(name: str) -> None:
    assert compare({"result": {name: 1}}, {"result": {name: 2}}) == []
    assert compare({"result": {name: 1}}, {"result": {name: "2"}}) != []
    assert compare({"result": {name: 1}}, {"result": {}}) != []


def test_the_texts_of_errors_may_change_and_their_codes_may_not() -> None:
    def error(**changes):
        return {"error": {"code": 1, "message": "m", "data": {"reason": "r", "advice": "a"}} | changes}

    assert compare(error(), error(message="other", data={"reason": "r", "advice": "b"})) == []
    assert compare([error()], [error(message="other")]) == []
    assert compare(error(), error(code=2)) == ["error.code is 2, not 1"]
    assert compare(error(), error(data={"reason": "x", "advice": "a"})) == ['error.data.reason is "x", not "r"']


def test_tokens_and_times_in_texts_are_not_compared() -> None:
    text = "--- {} --- at {}"
    wanted = text.format("0123456789abcdef" * 2, "2026-01-02T03:04:05Z")
    assert compare(wanted, text.format("f" * 32, "2027-01-02T03:04:05.678Z")) == []
    assert compare(wanted, text.format("f" * 31, "2026-01-02T03:04:05Z")) != []


def test_expect_any_takes_anything_and_nothing() -> None:
    assert compare({"a": 1, "b": 2}, {"a": "x", "b": 2}, a="any") == []
    assert compare({"a": 1, "b": 2}, {"b": 2}, a="any") == []
    assert compare({"a": 1}, {"a": {"deep": [1]}}, a="any") == []


def test_expect_type_takes_the_same_type() -> None:
    assert compare({"a": [1]}, {"a": []}, a="type") == []
    assert compare({"a": [1]}, {"a": {}}, a="type") != []


def test_expect_contains_takes_more_and_holds_for_what_is_inside() -> None:
    wanted = {"result": {"text": "be", "list": [{"name": "x"}, "c"]}}
    given = {"result": {"text": "abed", "list": ["b", "cd", {"name": "xy", "more": 1}], "more": 1}}
    assert compare(wanted, given, result="contains") == []
    assert compare(wanted, {"result": {"text": "abed", "list": ["cd"]}}, result="contains") == [
        'result.list does not hold {"name": "x"}'
    ]
    assert compare(wanted, {"result": {"text": "x", "list": [{"name": "x"}, "c"]}}, result="contains") == [
        'result.text is "x", not "be"'
    ]


def test_a_rule_may_stand_for_every_member() -> None:
    assert compare({"r": [{"a": 1}, {"a": 2}]}, {"r": [{"a": 3}, {"a": 4}]}, r__0__a="any") == ["r.1.a is 4, not 2"]
    assert list(differences({"r": [{"a": 1}, {"a": 2}]}, {"r": [{"a": 3}, {"a": 4}]}, {"r.*.a": "any"})) == []
