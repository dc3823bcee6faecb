"""`doctor --online` tries the ways around the browser's proxy for real (EGRESS-06)."""

from __future__ import annotations

import pytest

from blitzweb import self_test
from blitzweb.browser import process
from blitzweb.settings import load_settings
from tests.support.browsing import engine_or_skip
from tests.support.covers import covers


def check(engine: str):
    settings = load_settings(flags={"browser": {"engine": engine_or_skip(engine)}}, environ={})
    return self_test.check_egress(settings)


@covers("EGRESS-06")
@pytest.mark.parametrize("engine", ["headless-shell", "chrome"])
def test_nothing_goes_around_the_proxy(engine):
    found = check(engine)
    assert (found.id, found.status) == ("browser.egress", "ok")
    assert "tried for real" in found.summary


@covers("EGRESS-06")
def test_a_browser_without_its_guards_is_found_out(monkeypatch):
    whole = process.command_line

    def bare(*arguments):
        return [word for word in whole(*arguments) if "bypass-list" not in word and "ip-handling" not in word]

    monkeypatch.setattr(process, "command_line", bare)
    found = check("headless-shell")
    assert found.status == "fail"
    assert "beside its proxy" in found.summary
