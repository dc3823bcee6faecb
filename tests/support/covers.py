"""`@covers("WEB-04", …)`: says which requirements a test proves; an id that does not exist fails at import."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest

REQUIREMENTS = Path(__file__).parents[2] / "protocol" / "requirements.toml"

T = TypeVar("T", bound=Callable[..., object])


@cache
def requirement_ids() -> frozenset[str]:
    """Return every id of protocol/requirements.toml."""
    return frozenset(tomllib.loads(REQUIREMENTS.read_text(encoding="utf-8")))


def covers(*ids: str) -> Callable[[T], T]:
    """Mark a test (or a class of tests) as the proof of these requirements."""
    unknown = [name for name in ids if name not in requirement_ids()]
    if unknown or not ids:
        raise ValueError(f"not in protocol/requirements.toml: {unknown or 'no id at all'}")
    return pytest.mark.covers(*ids)
