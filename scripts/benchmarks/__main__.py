"""The benchmark's command line and its table; `scripts/bench` starts it."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

import browser_rows
import content_rows
import fetch_rows
import peer_rows
import picture_rows
import process_rows
import proxy_rows
from row import Bench, Measured, Spread, Unavailable, measure

BENCHES: tuple[Bench, ...] = (
    *process_rows.BENCHES,
    *fetch_rows.BENCHES,
    *content_rows.BENCHES,
    *picture_rows.BENCHES,
    *proxy_rows.BENCHES,
    *browser_rows.BENCHES,
)


def main() -> int:
    """Measure the rows that are named; 1 if a target was missed twice."""
    parser = argparse.ArgumentParser(prog="scripts/bench", description="Speed and memory, each beside its floor.")
    parser.add_argument("names", nargs="*", help="rows whose names begin so; all by default")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--list", action="store_true", help="print the names of the rows")
    parser.add_argument("--rounds", type=int, help="samples of each side, instead of a row's own number")
    parser.add_argument("--peers", action="store_true", help="also rows beside peers, installed from npm for it")
    options = parser.parse_args()
    known = BENCHES + (peer_rows.BENCHES if options.peers else ())
    benches = [bench for bench in known if bench.name.startswith(tuple(options.names) or "")]
    if not benches:
        parser.error(f"no row is named so; there are {', '.join(bench.name for bench in known)}")
    if options.list:
        print(*(f"{bench.name:16} {bench.what}" for bench in benches), sep="\n")
        return 0
    return report(benches, options.rounds, as_json=options.json)


def report(benches: list[Bench], rounds: int | None, *, as_json: bool) -> int:
    """Print each row as soon as it is there, or all of them as JSON."""
    objects, missed = [], False
    if not as_json:
        print(f"{'row':16} {'ours':>21} {'floor':>21} {'ratio':>7}   target")
    for bench in benches:
        try:
            measured = measure(bench, rounds)
        except Unavailable as reason:
            objects.append({"name": bench.name, "skipped": str(reason)})
            line = f"{bench.name:16} skipped: {reason}"
        else:
            objects.append(as_object(measured))
            missed |= not measured.met
            line = as_line(measured)
        if not as_json:
            print(line, flush=True)
    if as_json:
        json.dump(objects, sys.stdout, indent=2)
        print()
    return 1 if missed else 0


def as_line(measured: Measured) -> str:
    """Return a row for a person."""
    bench = measured.bench
    ratio = "" if measured.ratio is None else f"{measured.ratio:.2f}"
    target = f"≤ {bench.target:g} {bench.unit}" if bench.absolute else f"≤ {bench.target:g} ×"
    verdict = "ok" if measured.met else "MISSED"
    sides = f"{as_figure(measured.ours, bench.unit)} {as_figure(measured.floor, bench.unit)}"
    return f"{bench.name:16} {sides} {ratio:>7}   {target:11} {verdict:7} {bench.what} / {bench.floor}"


def as_figure(spread: Spread, unit: str) -> str:
    """Return a median and its spread, right-aligned."""
    return f"{f'{spread.median:.3g} ± {spread.quartiles:.2g} {unit}':>21}"


def as_object(measured: Measured) -> dict[str, Any]:
    """Return a row for a machine."""
    bench = measured.bench
    return {
        "name": bench.name,
        "what": bench.what,
        "floor": bench.floor,
        "unit": bench.unit,
        "median": measured.ours.median,
        "quartiles": measured.ours.quartiles,
        "floor_median": measured.floor.median,
        "floor_quartiles": measured.floor.quartiles,
        "ratio": measured.ratio,
        "target": bench.target,
        "target_on": "median" if bench.absolute else "ratio",
        "met": measured.met,
    }


if __name__ == "__main__":
    raise SystemExit(main())
