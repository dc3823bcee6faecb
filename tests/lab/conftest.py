"""One lab for the whole session; every test begins with the everyday scene. Where there can be none, tests skip."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.lab.lab import Lab, LabUnavailable
from tests.support.lab.scene import EVERYDAY


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is in this folder."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.lab)


@pytest.fixture(scope="session")
def running_lab() -> Iterator[Lab]:
    """Start the lab."""
    with contextlib.ExitStack() as stack:
        try:
            lab = stack.enter_context(Lab())
        except LabUnavailable as error:
            pytest.skip(f"no private network here: {str(error).splitlines()[0]}")
        yield lab


@pytest.fixture
def lab(running_lab: Lab) -> Lab:
    """Return the lab with nothing seen yet."""
    running_lab.play(EVERYDAY)
    return running_lab
