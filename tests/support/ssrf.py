"""The SSRF cases of tests/cases/ssrf, for every layer that they are about."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "cases" / "ssrf"


def load_cases(name: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return what holds for all cases of a file, and the cases."""
    whole = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return whole, whole.pop("cases")
