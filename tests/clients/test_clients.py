"""The host clients of protocol/clients, checked and tested by the tools of their own languages, against this daemon."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from tests.support.covers import covers
from tests.support.host import ROOT

CLIENTS = ROOT / "protocol" / "clients"
SECONDS = 300  # for a first run, which compiles everything

pytestmark = pytest.mark.timeout(SECONDS)


def needs(program):
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")


def run(folder, *command):
    """Run a program in a client's folder; return what it wrote, or fail with it."""
    environ = {**os.environ, "BLITZWEB_PYTHON": sys.executable, "CARGO_TARGET_DIR": str(ROOT / "build" / "rust")}
    done = subprocess.run(
        command,
        cwd=CLIENTS / folder,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(command)}:\n{done.stdout}"
    return done.stdout


@needs("go")
class TestGo:
    def test_it_is_formatted(self) -> None:
        assert run("go", "gofmt", "-l", ".") == ""

    def test_vet_finds_nothing(self) -> None:
        run("go", "go", "vet", "./...")

    def test_it_needs_the_standard_library_alone(self) -> None:
        assert run("go", "go", "list", "-m", "all") == "blitzweb\n"

    @covers("WIRE-43", "WIRE-45")
    def test_its_tests_pass(self) -> None:
        assert "SKIP" not in run("go", "go", "test", "-count=1", "-v", "./...")


@pytest.fixture(scope="module")
def crates():
    """Fetch what Cargo.lock names, unless it is there already."""
    command = ["cargo", "fetch", "--quiet", "--locked"]
    done = subprocess.run(command, cwd=CLIENTS / "rust", capture_output=True, text=True, timeout=SECONDS, check=False)
    if done.returncode != 0:
        pytest.skip(f"the crates cannot be fetched: {done.stderr.strip().splitlines()[-1]}")


@needs("cargo")
@pytest.mark.usefixtures("crates")
class TestRust:
    def test_it_is_formatted(self) -> None:
        run("rust", "cargo", "fmt", "--check")

    def test_clippy_finds_nothing(self) -> None:
        run("rust", "cargo", "clippy", "--quiet", "--locked", "--all-targets", "--", "-D", "warnings")

    @covers("WIRE-43", "WIRE-45")
    def test_its_tests_pass(self) -> None:
        assert " 0 ignored" in run("rust", "cargo", "test", "--quiet", "--locked")


@needs("tsc")
def test_the_typescript_types_are_sound() -> None:
    run("typescript", "tsc", "--noEmit", "--strict", "types.ts")
