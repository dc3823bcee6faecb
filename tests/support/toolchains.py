"""Runs what other languages bring for checks and tests, against the daemon of this Python; skips what is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.host import ROOT

SECONDS = 300  # for a first run, which compiles everything


def needs(program: str) -> pytest.MarkDecorator:
    """Skip where a program is missing."""
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")


def run(folder: Path, *command: str, typed: str = "") -> str:
    """Run a program in a folder, with that as its input; return what it wrote, or fail with that."""
    done = attempt(folder, *command, typed=typed)
    assert done.returncode == 0, f"{' '.join(command)}:\n{done.stdout}"
    return done.stdout


def fetch(folder: Path, *command: str) -> None:
    """Run what fetches the packages of a folder, unless they are there; skip where the registry is out of reach."""
    done = attempt(folder, *command)
    if done.returncode != 0:
        pytest.skip(f"`{' '.join(command)}` cannot fetch what is needed: {done.stdout.strip()[-300:]}")


def attempt(folder: Path, *command: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run a program in a folder. What Cargo builds goes where git ignores it; Go keeps its own cache."""
    target = ROOT / "build" / "cargo" / folder.relative_to(ROOT)
    return subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"BLITZWEB_PYTHON": sys.executable, "PYTHONPATH": str(ROOT), "CARGO_TARGET_DIR": str(target)},
        input=typed,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        check=False,
    )
