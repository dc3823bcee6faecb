"""Which browser is started."""

from __future__ import annotations

import pytest

from blitzweb.browser import find
from blitzweb.browser.find import find_browser
from blitzweb.errors import BrowserUnavailable
from tests.support.covers import covers


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """A machine with the programs that a test names."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(find, "PROGRAMS", {})
    monkeypatch.setattr(find.sys, "platform", "linux")

    def install(*names):
        for name in names:
            program = tmp_path / name
            program.write_text("#!/bin/sh\n")
            program.chmod(0o755)
        return tmp_path

    return install


@covers("WEB-30")
@pytest.mark.parametrize(
    ("installed", "wanted", "found"),
    [
        (["chromium", "chromium-headless-shell"], {}, "chromium-headless-shell"),
        (["chromium", "chromium-headless-shell"], {"visible": True}, "chromium"),
        (["chromium", "chromium-headless-shell"], {"engine": "chrome"}, "chromium"),
        (["chromium", "google-chrome"], {}, "google-chrome"),
        (["brave-browser"], {}, "brave-browser"),
        (["microsoft-edge", "mine"], {"path": "mine"}, "mine"),
    ],
)
def test_the_order(machine, installed, wanted, found):
    folder = machine(*installed)
    program = find_browser(**wanted)
    assert program.path == str(folder / found)
    assert program.headless_shell is (found == "chromium-headless-shell")


@covers("WEB-30")
@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({}, "no browser was found"),
        ({"path": "/no/such"}, "browser.path /no/such"),
        ({"engine": "headless-shell"}, "chromium-headless-shell"),
        ({"engine": "headless-shell", "visible": True}, "browser.visible"),
    ],
)
def test_none(machine, wanted, words):
    machine()
    with pytest.raises(BrowserUnavailable, match=words) as caught:
        find_browser(**wanted)
    assert caught.value.advice


@covers("WEB-30")
def test_a_wrapper_script_of_a_package_is_left_out(machine, monkeypatch, tmp_path):
    machine("chromium", "real")
    monkeypatch.setattr(find, "PROGRAMS", {"chromium": (str(tmp_path / "gone"), str(tmp_path / "real"))})
    assert find_browser().path == str(tmp_path / "real")
