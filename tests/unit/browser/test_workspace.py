"""Who owns a browser, and when it is closed."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from blitzweb.browser.workspace import Workspace, Workspaces
from blitzweb.limits import BROWSER_IDLE_SECONDS
from blitzweb.timing import CancelToken, Deadline
from tests.support.covers import covers


class Running:
    """Stands for a browser that runs."""

    def __init__(self):
        self.client = SimpleNamespace(gone=False)
        self.pid = 42
        self.chrome = SimpleNamespace(active=None)
        self.closed = []

    def close(self, *, gently):
        self.closed.append(gently)


class Starter:
    fingerprint = "f"

    def __init__(self):
        self.started = []

    def start(self, _deadline, _cancel, _on_gone):
        self.started.append(Running())
        return self.started[-1]


@pytest.fixture
def clock():
    return SimpleNamespace(now=0.0)


@pytest.fixture
def told():
    return []


@pytest.fixture
def workspace(clock, told):
    return Workspace("w", lambda kind, more: told.append((kind, dict(more))), clock=lambda: clock.now)


def get(workspace, starter):
    return workspace.get(starter, Deadline(1), CancelToken())


@covers("WEB-30", "WIRE-47")
def test_started_once_and_closed_when_unused(workspace, clock, told):
    starter = Starter()
    assert get(workspace, starter) is get(workspace, starter)
    assert len(starter.started) == 1
    clock.now = BROWSER_IDLE_SECONDS - 1
    assert workspace.close_if_unused() == 1
    clock.now += 1
    workspace.close_if_unused()
    assert starter.started[0].closed == [True]
    assert told == [("opened", {"pid": 42}), ("idle_closed", {})]
    assert workspace.figures() is None


@covers("WEB-30")
def test_a_browser_in_use_is_not_closed_and_the_clock_restarts_with_every_action(workspace, clock):
    starter = Starter()
    get(workspace, starter)
    with workspace.use():
        clock.now = BROWSER_IDLE_SECONDS * 2
        assert workspace.close_if_unused() == BROWSER_IDLE_SECONDS
    assert workspace.close_if_unused() == BROWSER_IDLE_SECONDS
    assert starter.started[0].closed == []
    assert workspace.figures()["idle_s"] == 0.0


@covers("BROWSER-02", "WIRE-47")
def test_one_that_is_gone_is_replaced(workspace, told):
    starter = Starter()
    get(workspace, starter)
    starter.started[0].client.gone = True
    assert workspace.chrome is None
    get(workspace, starter)
    assert len(starter.started) == 2
    assert starter.started[0].closed == [False]
    assert [kind for kind, _ in told] == ["opened", "crashed", "opened"]


@covers("WEB-30")
def test_other_settings_start_another_one_and_that_is_told(workspace):
    starter = Starter()
    get(workspace, starter)
    starter.fingerprint = "g"
    get(workspace, starter)
    assert len(starter.started) == 2
    assert "settings" in workspace.take_notes()[0]
    assert workspace.take_notes() == []


@covers("WEB-30", "WIRE-47")
def test_all_are_closed_at_the_end():
    told = []
    workspaces = Workspaces(lambda *event: told.append(event))
    starter = Starter()
    for name in ("a", "b"):
        get(workspaces.get(name), starter)
    assert [one["workspace"] for one in workspaces.figures()] == ["a", "b"]
    assert workspaces.find("c") is None
    workspaces.close()
    assert [running.closed for running in starter.started] == [[False], [False]]
    assert sorted((name, kind) for name, kind, _ in told) == [
        ("a", "closed"),
        ("a", "opened"),
        ("b", "closed"),
        ("b", "opened"),
    ]
