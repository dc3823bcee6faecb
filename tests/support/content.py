"""The content cases of tests/cases/content, and converting without saying everything each time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from blitzweb.content.convert import convert
from blitzweb.content.document import Document

CASES = Path(__file__).parents[1] / "cases" / "content"
SHARED_DATA = Path(__file__).parents[2] / ".." / "shared" / "data"
URL = "http://site.test/docs/page.html"


def read_cases(name: str) -> list[dict[str, Any]]:
    """Return the cases of a file."""
    cases: list[dict[str, Any]] = json.loads((CASES / name).read_text(encoding="utf-8"))
    return cases


def page(body: str, form: str = "markdown", **options: Any) -> Document:
    """Return the document of a page of HTML with this body."""
    html = f"<!DOCTYPE html><html><head><title>T</title></head><body>{body}</body></html>"
    options = {"media_type": "text/html", "charset": "utf-8", "url": URL, "bounded": True, **options}
    return convert(html.encode(), format=form, **options)


def markdown(body: str, **options: Any) -> str:
    """Return the markdown of a page with this body."""
    return page(body, "markdown", **options).content


def text(body: str, **options: Any) -> str:
    """Return the text of a page with this body."""
    return page(body, "text", **options).content
