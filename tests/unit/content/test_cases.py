"""Every case of tests/cases/content, through the real converter and both parsers."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from blitzweb.content.charset import decode
from blitzweb.content.convert import convert
from tests.support.content import read_cases
from tests.support.covers import covers


def named(cases: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in cases]


@covers("CONTENT-02", "CONTENT-03", "CONTENT-05", "WEB-07")
@pytest.mark.parametrize("parser", ["auto", "html5lib"])
@pytest.mark.parametrize("case", named(read_cases("markdown.json")))
def test_markdown(case: dict[str, Any], parser: Any) -> None:
    options: dict[str, Any] = {"media_type": "text/html", "charset": "utf-8", "url": case["url"]}
    options |= {"parser": parser, "bounded": True}
    content = convert(case["html"].encode(), format="markdown", **options).content
    assert [wanted for wanted in case["must_contain"] if wanted not in content] == []
    assert [unwanted for unwanted in case["must_not_contain"] if unwanted in content] == []
    text = convert(case["html"].encode(), format="text", **options).content
    assert [unwanted for unwanted in case["must_not_contain"] if unwanted in text] == []


@covers("CONTENT-01")
@pytest.mark.parametrize("case", named(read_cases("charset.json")))
def test_charset(case: dict[str, Any]) -> None:
    content, _ = decode(base64.b64decode(case["body_base64"]), case["http_charset"])
    assert case["must_contain"] in content
