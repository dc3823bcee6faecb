"""One at a time per lane, prompt answers whatever the work does, bounded admission."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from blitzweb.errors import CallCancelled, DeadlinePassed, Overloaded, ProtocolError, ShuttingDown
from blitzweb.limits import MAX_ADMITTED_BYTES
from blitzweb.rpc.lanes import Job
from blitzweb.rpc.log import Log
from blitzweb.rpc.running import Answer, Running
from blitzweb.rpc.scheduler import Scheduler
from blitzweb.timing import CancelToken, Deadline
from tests.support.covers import covers


class Outcome:
    """A reply that can be waited for, and notes when it came."""

    def __init__(self) -> None:
        self.came = threading.Event()
        self.values: list[Any] = []
        self.at = 0.0

    def result(self, value: Any) -> None:
        self._note(value)

    def error(self, error: ProtocolError) -> None:
        self._note(error)

    def _note(self, value: Any) -> None:
        self.at = time.monotonic()
        self.values.append(value)
        self.came.set()

    def wait(self) -> Any:
        assert self.came.wait(10)
        return self.values[0]


class Gate:
    """Work that says that it runs, then waits to be let go, deaf to cancels."""

    def __init__(self) -> None:
        self.entered = threading.Event()
        self.open = threading.Event()

    def __call__(self, _running: Running) -> str:
        self.entered.set()
        assert self.open.wait(10)
        return "late"


@pytest.fixture
def scheduler():
    made: list[Scheduler] = []

    def make(**options: int) -> Scheduler:
        made.append(Scheduler(Log(level="error"), **options))
        return made[-1]

    yield make
    for each in made:
        each.cancel_all()
        assert each.wait_until_idle(10)
        each.finish(10)
        assert not any(thread.is_alive() for thread in each._threads)


def submit(
    scheduler: Scheduler,
    work: Callable[[Running], Any],
    identity: Any = 1,
    *,
    lane: str | None = None,
    seconds: float = 30,
    size: int = 10,
) -> Outcome:
    outcome = Outcome()
    running = Running(identity, None, Answer(outcome), deadline=Deadline(seconds), cancel=CancelToken())  # type: ignore[arg-type]
    scheduler.submit(Job(work, running, method="test", lane=lane, size=size))
    return outcome


def test_work_is_answered_with_what_it_returns_or_raises(scheduler) -> None:
    own = scheduler()

    def refuse(_running: Running) -> None:
        raise CallCancelled("its own words")

    assert submit(own, lambda running: running.phase).wait() == "running"
    assert submit(own, refuse).wait().message == "its own words"
    fault = submit(own, lambda _running: 1 / 0).wait()
    assert (fault.code, fault.data["log_id"] in fault.advice) == (-32603, True)


def test_calls_without_a_lane_run_side_by_side(scheduler) -> None:
    own = scheduler()
    meeting = threading.Barrier(20)
    outcomes = [submit(own, lambda _running: meeting.wait(10), number) for number in range(20)]
    assert sorted(outcome.wait() for outcome in outcomes) == list(range(20))


def test_a_lane_runs_one_at_a_time_in_order_and_lanes_run_side_by_side(scheduler) -> None:
    own = scheduler()
    busy: dict[str, int] = {"a": 0, "b": 0}
    order: dict[str, list[int]] = {"a": [], "b": []}
    both = threading.Barrier(2)

    def work(lane: str, number: int) -> None:
        busy[lane] += 1
        assert busy[lane] == 1
        order[lane].append(number)
        both.wait(10)
        busy[lane] -= 1

    outcomes = [
        submit(own, lambda _running, lane=lane, number=number: work(lane, number), (lane, number), lane=lane)  # type: ignore[misc]
        for number in range(10)
        for lane in "ab"
    ]
    assert [outcome.wait() for outcome in outcomes] == [None] * 20
    assert order == {"a": list(range(10)), "b": list(range(10))}


@covers("WIRE-24")
def test_running_work_that_is_deaf_is_answered_at_once_and_its_result_dropped(scheduler) -> None:
    own, gate = scheduler(), Gate()
    outcome = submit(own, gate)
    assert gate.entered.wait(10)
    begun = time.monotonic()
    assert own.cancel(1)
    assert isinstance(outcome.wait(), CallCancelled)
    assert outcome.at - begun < 0.1
    gate.open.set()
    assert own.wait_until_idle(10)
    assert len(outcome.values) == 1


@covers("WIRE-24")
def test_queued_work_is_answered_at_once_and_never_runs(scheduler) -> None:
    own, gate, second = scheduler(), Gate(), Gate()
    first = submit(own, gate, 1, lane="a")
    assert gate.entered.wait(10)
    waiting = submit(own, second, 2, lane="a")
    third = submit(own, lambda _running: "third", 3, lane="a")
    assert own.snapshot()[:2] == (1, 2)
    assert own.cancel(2)
    assert isinstance(waiting.wait(), CallCancelled)
    gate.open.set()
    assert (first.wait(), third.wait()) == ("late", "third")
    assert not second.entered.is_set()


def test_a_lane_stays_taken_until_cancelled_work_has_come_back(scheduler) -> None:
    own, gate = scheduler(), Gate()
    submit(own, gate, 1, lane="a")
    assert gate.entered.wait(10)
    own.cancel(1)
    following = submit(own, lambda _running: "next", 2, lane="a")
    assert not following.came.wait(0.05)
    gate.open.set()
    assert following.wait() == "next"


def test_an_id_is_free_as_soon_as_its_call_was_answered(scheduler) -> None:
    own, gate, second = scheduler(), Gate(), Gate()
    submit(own, gate, 1)
    assert gate.entered.wait(10)
    own.cancel(1)
    again = submit(own, second, 1)
    assert second.entered.wait(10)
    gate.open.set()
    assert own.cancel(1), "the first call's return must not make the second forgotten"
    assert isinstance(again.wait(), CallCancelled)
    second.open.set()


def test_unknown_ids_are_not_cancelled(scheduler) -> None:
    assert not scheduler().cancel("nobody")


def test_the_work_sees_its_token_cancelled(scheduler) -> None:
    own, seen, entered = scheduler(), threading.Event(), threading.Event()

    def work(running: Running) -> None:
        with running.cancel.stopping(seen.set):
            entered.set()
            assert running.cancel.wait(10)

    submit(own, work)
    assert entered.wait(10)
    own.cancel(1)
    assert seen.is_set()


@covers("WIRE-26")
def test_a_deadline_is_answered_in_time_naming_the_phase(scheduler) -> None:
    own, gate = scheduler(), Gate()

    def work(running: Running) -> str:
        running.phase = "looking up the name"
        return gate(running)

    begun = time.monotonic()
    outcome = submit(own, work, seconds=0.2)
    error = outcome.wait()
    assert isinstance(error, DeadlinePassed)
    assert "0.2 s; it was looking up the name" in error.message
    assert 0.2 <= outcome.at - begun < 0.5
    gate.open.set()


@covers("WIRE-26")
def test_a_deadline_counts_while_waiting_for_the_lane(scheduler) -> None:
    own, gate = scheduler(), Gate()
    submit(own, gate, 1, lane="a")
    late = submit(own, gate, 2, lane="a", seconds=0.05).wait()
    assert isinstance(late, DeadlinePassed)
    assert "it was waiting" in late.message
    gate.open.set()


def test_a_later_call_with_a_sooner_deadline_is_not_forgotten(scheduler) -> None:
    own, gate = scheduler(), Gate()
    submit(own, gate, 1, seconds=100)
    assert gate.entered.wait(10)
    for number in range(2, 5):
        assert isinstance(submit(own, gate, number, seconds=0.01).wait(), DeadlinePassed)
    gate.open.set()


@covers("WIRE-26")
def test_a_call_without_a_limit_holds_up_no_other_deadline(scheduler) -> None:
    own, gate = scheduler(), Gate()
    endless = submit(own, gate, 1, seconds=math.inf)
    assert isinstance(submit(own, gate, 2, seconds=0.05).wait(), DeadlinePassed)
    own.cancel(1)
    assert isinstance(endless.wait(), CallCancelled)
    gate.open.set()


@covers("WIRE-26")
def test_no_deadline_passes_while_the_clock_stands_still(scheduler) -> None:
    own, pausing, go_on = scheduler(), threading.Event(), threading.Event()

    def work(running: Running) -> str:
        with running.deadline.stopwatch.pause():
            pausing.set()
            assert go_on.wait(10)
        return "in time"

    outcome = submit(own, work, seconds=0.3)
    assert pausing.wait(10)
    assert not outcome.came.wait(0.5)
    go_on.set()
    assert outcome.wait() == "in time"


@covers("WIRE-25")
def test_what_is_too_much_is_refused_and_room_comes_back(scheduler) -> None:
    own, gate = scheduler(max_calls=3), Gate()
    outcomes = [submit(own, gate, number, lane="a" if number else None) for number in range(3)]
    with pytest.raises(Overloaded) as refusal:
        submit(own, gate, 4)
    assert refusal.value.data["retry_after_ms"] > 0
    gate.open.set()
    assert [outcome.wait() for outcome in outcomes] == ["late"] * 3
    assert own.wait_until_idle(10)
    assert submit(own, gate, 4).wait() == "late"


@covers("WIRE-14")
def test_params_are_bounded_in_bytes_and_one_call_always_fits(scheduler) -> None:
    own, gate = scheduler(), Gate()
    submit(own, gate, 1, size=MAX_ADMITTED_BYTES * 2)
    with pytest.raises(Overloaded):
        submit(own, gate, 2)
    gate.open.set()


def test_more_calls_than_threads_wait_their_turn(scheduler) -> None:
    own, gate = scheduler(max_threads=2), Gate()
    outcomes = [submit(own, gate, number) for number in range(10)]
    gate.open.set()
    assert [outcome.wait() for outcome in outcomes] == ["late"] * 10
    assert own.snapshot().threads == 2


def test_idle_threads_are_used_again(scheduler) -> None:
    own = scheduler()
    for number in range(50):
        submit(own, lambda _running: None, number).wait()
        own.wait_until_idle(10)
    assert own.snapshot().threads <= 2


def test_a_system_without_threads_is_overload(scheduler, monkeypatch) -> None:
    def fail(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    own = scheduler()
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", fail)
        with pytest.raises(Overloaded, match="no thread"):
            submit(own, lambda _running: None, 1, lane="a")
    assert own.snapshot() == (0, 0, 0)
    assert submit(own, lambda _running: "well", 1, lane="a").wait() == "well"


def test_the_end_answers_everything_and_takes_no_more() -> None:
    own, gate = Scheduler(Log(level="error")), Gate()
    outcomes = [submit(own, gate, number, lane="a") for number in range(3)]
    assert gate.entered.wait(10)
    own.cancel_all()
    assert all(isinstance(outcome.wait(), CallCancelled) for outcome in outcomes)
    assert not own.wait_until_idle(0.01)
    begun = time.monotonic()
    own.finish(0.05)
    assert time.monotonic() - begun < 1, "a stuck thread is left behind"
    with pytest.raises(ShuttingDown):
        submit(own, gate, 9)
    gate.open.set()
    assert own.wait_until_idle(10)
    for thread in own._threads:
        thread.join(10)


def test_many_threads_and_cancels_leave_nothing_behind(scheduler) -> None:
    own = scheduler(max_calls=1000)
    outcomes = [
        submit(own, lambda running: running.cancel.wait(0.001), number, lane=str(number % 7) if number % 2 else None)
        for number in range(500)
    ]
    for number in range(0, 500, 3):
        own.cancel(number)
    for outcome in outcomes:
        outcome.wait()
    assert own.wait_until_idle(10)
    assert all(len(outcome.values) == 1 for outcome in outcomes)
    assert not own._by_id
    assert not own._lanes._lanes
    assert not own._lanes._ready
