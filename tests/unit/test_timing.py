"""Deadlines stand still while a person thinks; a cancel wakes whoever blocks."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.errors import CallCancelled
from blitzweb.timing import CancelToken, Deadline, Stopwatch


class HandClock:
    """A clock that moves when told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_pause_stops_every_deadline_of_the_call() -> None:
    clock = HandClock()
    whole = Deadline(10, Stopwatch(clock))
    part = whole.sooner(4)
    with whole.stopwatch.pause():
        clock.now += 1000
        assert whole.remaining() == 10
        assert part.remaining() == 4
    clock.now += 4
    assert part.expired
    assert not whole.expired
    assert whole.remaining() == 6


def test_overlapping_pauses_count_once() -> None:
    clock = HandClock()
    watch = Stopwatch(clock)
    first, second = watch.pause(), watch.pause()
    first.__enter__()
    clock.now += 1
    second.__enter__()
    clock.now += 1
    first.__exit__(None, None, None)
    clock.now += 1
    assert watch.paused
    second.__exit__(None, None, None)
    clock.now += 5
    assert watch.elapsed() == 5


def test_a_part_cannot_outlive_the_whole() -> None:
    clock = HandClock()
    whole = Deadline(2, Stopwatch(clock))
    assert whole.sooner(60).remaining() == 2


@given(st.lists(st.tuples(st.booleans(), st.integers(min_value=0, max_value=1000)), max_size=30))
def test_elapsed_is_the_time_outside_pauses(steps: list[tuple[bool, int]]) -> None:
    clock = HandClock()
    watch = Stopwatch(clock)
    counted = 0.0
    for paused, seconds in steps:
        if paused:
            with watch.pause():
                clock.now += seconds
        else:
            clock.now += seconds
            counted += seconds
    assert watch.elapsed() == counted


def test_cancel_runs_the_ways_to_stop_newest_first_and_once() -> None:
    token, stopped = CancelToken(), []
    with token.stopping(lambda: stopped.append("outer")), token.stopping(lambda: stopped.append("inner")):
        token.cancel()
        token.cancel()
    assert stopped == ["inner", "outer"]
    with pytest.raises(CallCancelled):
        token.check()


def test_a_way_that_comes_late_runs_at_once_and_one_that_left_does_not_run() -> None:
    token, stopped = CancelToken(), []
    with token.stopping(lambda: stopped.append("left")):
        pass
    token.cancel()
    with token.stopping(lambda: stopped.append("late")):
        assert stopped == ["late"]


def test_a_way_that_fails_does_not_keep_the_others_from_running() -> None:
    token, stopped = CancelToken(), []

    def fail() -> None:
        raise OSError("closed already")

    with token.stopping(lambda: stopped.append("outer")), token.stopping(fail):
        token.cancel()
    assert stopped == ["outer"]


def test_cancel_wakes_a_waiting_thread() -> None:
    token, woken = CancelToken(), []
    waiter = threading.Thread(target=lambda: woken.append(token.wait(30)))
    waiter.start()
    token.cancel()
    waiter.join(10)
    assert woken == [True]
