"""Run the whole suite for `scripts/test`: the checks, then pytest once for each group, then one summary.

The end-to-end group runs the programs of the wheel, installed into an environment of its own, that it finds on PATH.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
WHEEL_FOLDER = ROOT / "build" / "e2e"
NO_TESTS = 5  # pytest's exit code

# Programs of the system that tests need, and the Debian packages that they come in.
PROGRAMS = {
    "ip": "iproute2",
    "nsenter": "util-linux",
    "chromium-headless-shell": "chromium-headless-shell",
    "chromium": "chromium",
}


@dataclass(frozen=True)
class Group:
    """Folders that pytest runs in one process."""

    name: str
    paths: tuple[str, ...]
    wheel: bool = False


GROUPS = (
    Group("unit", ("tests/unit",)),
    Group("wire and net", ("tests/wire", "tests/net")),
    Group("lab", ("tests/lab",)),
    Group("end to end", ("tests/e2e",), wheel=True),
    Group("clients", ("tests/clients",)),
    Group("browser", ("tests/browser",)),
    Group("conformance", ("tests/conformance",)),
)


@dataclass
class Outcome:
    """How a group went."""

    name: str
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        return f"{self.name:14} {count(self)} ({self.seconds:.1f} s)"


def main(arguments: list[str]) -> int:
    """Run everything, or the tests that are named; return 1 if anything failed."""
    provide_programs()
    marks = [] if "--all" in arguments else ["-m", "not long"]
    options = [argument for argument in arguments if argument != "--all"]
    if any(Path(option.split("::")[0]).exists() for option in options):
        outcomes = [run_group(Group("chosen", ()), [*marks, *options])]
    else:
        outcomes = [run_checks(), *(run_group(group, [*marks, *options]) for group in GROUPS if has_tests(group))]
    return summarise(outcomes)


def provide_programs() -> None:
    """Install what the system lacks, where that is possible; else say it. Tests that need it then skip and say so."""
    missing = sorted({package for program, package in PROGRAMS.items() if shutil.which(program) is None})
    if not missing:
        return
    if os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(["apt-get", "install", "--yes", "--quiet", *missing], check=False, stdin=subprocess.DEVNULL)
    else:
        say(f"Some tests will be skipped. To run them, install: {' '.join(missing)}")


def has_tests(group: Group) -> bool:
    """Tell whether a group has any test file yet."""
    return any(any((ROOT / path).rglob("test_*.py")) for path in group.paths)


def run_checks() -> Outcome:
    """Run `scripts/check`, which counts as one test."""
    heading("checks")
    begin = time.monotonic()
    failed = subprocess.run([ROOT / "scripts" / "check"], check=False).returncode != 0
    return Outcome("checks", passed=int(not failed), failed=int(failed), seconds=time.monotonic() - begin)


def run_group(group: Group, options: Sequence[str]) -> Outcome:
    """Run pytest on a group."""
    heading(group.name)
    begin = time.monotonic()
    environment = dict(os.environ)
    if group.wheel:
        try:
            environment["PATH"] = f"{install_wheel()}{os.pathsep}{environment['PATH']}"
        except subprocess.CalledProcessError as error:
            say(f"The wheel could not be built or installed: {error}")
            return Outcome(group.name, failed=1, seconds=time.monotonic() - begin)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        paths = [path for path in group.paths if (ROOT / path).exists()]
        command = [sys.executable, "-m", "pytest", "--quiet", f"--junit-xml={report}", *paths, *options]
        code = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
        outcome = read_report(group.name, report) if report.exists() else Outcome(group.name)
    if code not in {0, NO_TESTS} and not outcome.failed:
        outcome.failed = 1  # pytest itself failed
    outcome.seconds = time.monotonic() - begin
    return outcome


def read_report(name: str, report: Path) -> Outcome:
    """Read the counts of a JUnit report."""
    outcome = Outcome(name)
    for suite in ET.parse(report).iter("testsuite"):
        failed = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
        skipped = int(suite.get("skipped", 0))
        outcome.failed += failed
        outcome.skipped += skipped
        outcome.passed += int(suite.get("tests", 0)) - failed - skipped
    return outcome


def install_wheel() -> Path:
    """Install the wheel into a fresh environment, unless one of the same sources stands; return its programs."""
    stamp, digest = WHEEL_FOLDER / "sources", digest_sources()
    if not stamp.exists() or stamp.read_text() != digest:
        say("Building the wheel and installing it into a fresh environment.")
        shutil.rmtree(WHEEL_FOLDER, ignore_errors=True)
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
        run(*pip, "wheel", "--no-deps", "--wheel-dir", WHEEL_FOLDER, ROOT)
        run(sys.executable, "-m", "venv", "--without-pip", WHEEL_FOLDER / "venv")
        (wheel,) = WHEEL_FOLDER.glob("*.whl")
        run(*pip, "--python", WHEEL_FOLDER / "venv", "install", f"{wheel}[console]")
        stamp.write_text(digest)
    return WHEEL_FOLDER / "venv" / "bin"


def digest_sources() -> str:
    """Return a digest of all that goes into the wheel."""
    digest = hashlib.sha256(str(ROOT).encode())
    sources = [path for path in (ROOT / "blitzweb").rglob("*") if path.is_file() and path.suffix != ".pyc"]
    for path in (ROOT / "pyproject.toml", *sorted(sources)):
        digest.update(f"{path}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def summarise(outcomes: list[Outcome]) -> int:
    """Print a line for each group, and the sum; return the exit code."""
    heading("summary")
    total = Outcome("all")
    for outcome in outcomes:
        say(str(outcome))
        total.passed += outcome.passed
        total.failed += outcome.failed
        total.skipped += outcome.skipped
    say("")
    say(count(total))
    return 1 if total.failed else 0


def count(outcome: Outcome) -> str:
    """Return the counts as a sentence."""
    return f"{outcome.passed} passed, {outcome.failed} failed, {outcome.skipped} skipped"


def heading(text: str) -> None:
    """Print what comes now."""
    say(f"\n=== {text} ===")


def say(text: str) -> None:
    """Print a line, in order with what the programs print that are run from here."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def run(*command: object) -> None:
    """Run a command that has to succeed."""
    subprocess.run([str(part) for part in command], check=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
