"""The stages of a navigation, from CDP's events."""

from __future__ import annotations

import pytest

from blitzweb.browser.navigation import Navigation, Stage
from tests.support.covers import covers


def play(*events):
    navigation = Navigation()
    for name, *arguments in events:
        if name == "commit":
            navigation.commit(arguments[0], restored=len(arguments) > 1)
        else:
            getattr(navigation, name)(*arguments)
    return navigation


@covers("WEB-31", "BROWSER-03")
@pytest.mark.parametrize(
    ("events", "stage", "committed"),
    [
        ([], Stage.IDLE, 0),
        ([("request",)], Stage.REQUESTED, 0),
        ([("request",), ("give_up_request",)], Stage.IDLE, 0),
        ([("request",), ("begin", "a")], Stage.LOADING, 0),
        ([("begin", "a"), ("request",)], Stage.LOADING, 0),
        ([("begin", "a"), ("give_up_request",)], Stage.LOADING, 0),
        ([("begin", "a"), ("commit", "a")], Stage.LOADING, 1),
        ([("begin", "a"), ("commit", "a"), ("load", "a")], Stage.IDLE, 1),
        ([("begin", "a"), ("load", "a"), ("commit", "a")], Stage.IDLE, 1),
        ([("begin", "a"), ("load", "old")], Stage.LOADING, 0),
        ([("begin", "a"), ("commit", "a"), ("begin", "b"), ("load", "a")], Stage.LOADING, 1),
        ([("begin", "a"), ("stop",)], Stage.IDLE, 0),
        ([("begin", "a"), ("commit", "kept", "restored")], Stage.IDLE, 1),
        ([("begin", "a"), ("begin",), ("commit", "a"), ("load", "a")], Stage.IDLE, 1),
    ],
)
def test_stages(events, stage, committed):
    navigation = play(*events)
    assert (navigation.stage, navigation.committed, navigation.over) == (stage, committed, stage is Stage.IDLE)


@covers("BROWSER-03")
def test_signs_of_the_page_before_do_not_count():
    navigation = play(("begin", "new"), ("stop",))
    assert not navigation.is_shown("new")
    navigation.commit("new", restored=False)
    assert navigation.is_shown("new")
    assert not play(("begin", "new"), ("commit", "new")).is_shown("new")
    assert play(("begin", "new"), ("commit", "new"), ("load", "new")).is_shown("new")


def test_each_navigation_counts_once():
    assert play(("begin", "a"), ("begin", "a"), ("stop",), ("begin", "b")).begun == 2
