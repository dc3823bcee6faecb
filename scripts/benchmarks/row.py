"""What a row of the table is, and how its samples are taken."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

WARM_UP_ROUNDS = 2

Sample = Callable[[], float]
"""Does the thing once (or many times) and returns one figure in the row's unit."""


class Unavailable(Exception):
    """This machine, or this version, lacks what a row needs; the text says what. That row alone is skipped."""


@dataclass(frozen=True)
class Bench:
    """A row before it is measured.

    The target is on the ratio to the floor, or with `absolute` on our own figure. Rows whose floor is a figure that
    cannot be bettered, rather than a run, give a sample that returns it.
    """

    name: str
    what: str
    floor: str
    target: float
    prepare: Callable[[], AbstractContextManager[tuple[Sample, Sample]]]  # ours, the floor
    unit: str = "ms"
    rounds: int = 15
    absolute: bool = False


@dataclass(frozen=True)
class Spread:
    """Samples of one side: the median, and how far half of them lie apart."""

    median: float
    quartiles: float

    @classmethod
    def over(cls, samples: list[float]) -> Spread:
        """Return the spread of some samples."""
        low, _, high = statistics.quantiles(samples, n=4) if len(samples) > 1 else samples * 3
        return cls(statistics.median(samples), high - low)


@dataclass(frozen=True)
class Measured:
    """A row of the table."""

    bench: Bench
    ours: Spread
    floor: Spread

    @property
    def ratio(self) -> float | None:
        """Return how many times the floor ours is."""
        return self.ours.median / self.floor.median if self.floor.median else None

    @property
    def met(self) -> bool:
        """Tell whether the target is met."""
        figure = self.ours.median if self.bench.absolute else self.ratio
        return figure is not None and figure <= self.bench.target


def measure(bench: Bench, rounds: int | None = None) -> Measured:
    """Take rounds of the floor and ours in turn; once more if the target is missed, since machines are noisy."""
    with bench.prepare() as (ours, floor):
        measured = _take(bench, ours, floor, rounds or bench.rounds)
        return measured if measured.met else _take(bench, ours, floor, rounds or bench.rounds)


def _take(bench: Bench, ours: Sample, floor: Sample, rounds: int) -> Measured:
    for _ in range(WARM_UP_ROUNDS):
        floor(), ours()
    pairs = [(floor(), ours()) for _ in range(rounds)]
    return Measured(bench, Spread.over([pair[1] for pair in pairs]), Spread.over([pair[0] for pair in pairs]))


def timed(act: Callable[[], object], times: int = 1) -> Sample:
    """Return a sample of the milliseconds that something takes, the mean over some repetitions."""

    def sample() -> float:
        begin = time.perf_counter()
        for _ in range(times):
            act()
        return (time.perf_counter() - begin) * 1000 / times

    return sample
