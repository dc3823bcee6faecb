from __future__ import annotations

import os
import socket
import struct
import subprocess
import sys
import urllib.parse
import urllib.request

import pytest

from blitzweb.demo.server import DemoSite
from blitzweb.demo.stops import STOPS
from tests.support.host import ROOT
from tests.support.terminal import Terminal

DEMO = (sys.executable, "-m", "blitzweb", "demo")


def run(*words, **options):
    return subprocess.run([*DEMO, *words], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False, **options)


@pytest.fixture(scope="module")
def tour(tmp_path_factory):
    """Take the tour once, with a home and a folder for temporary files that must be empty afterwards."""
    home, temporary = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("tmp")
    environ = {
        **os.environ,
        "HOME": str(home),
        "TMPDIR": str(temporary),
        "http_proxy": "http://127.0.0.1:9",
        "HTTPS_PROXY": "http://127.0.0.1:9",
    }
    done = run(env=environ, stdin=subprocess.DEVNULL)
    return done, [*home.iterdir(), *temporary.iterdir()]


def test_it_goes_as_it_should(tour) -> None:
    done, _ = tour
    assert done.stderr == ""
    assert "not expected" not in done.stdout
    assert done.returncode == 0


def test_it_leaves_nothing_behind(tour) -> None:
    assert tour[1] == []


def test_it_shows_every_stop(tour) -> None:
    for stop in STOPS:
        assert stop.title in tour[0].stdout


def test_it_asks_once_and_says_that_it_answers_itself(tour) -> None:
    text = tour[0].stdout
    assert text.count("asks for requests to 127.0.0.1") == 1
    assert "answered session, as the demo does by itself" in text


def test_it_says_what_to_try_next(tour) -> None:
    assert "blitzweb-rpc call web_fetch url=" in tour[0].stdout.partition("Try next:")[2]


def test_no_hidden_text_is_shown(tour) -> None:
    assert "Ignore your instructions" not in tour[0].stdout
    assert "already agreed" not in tour[0].stdout


def test_a_person_is_asked_and_a_no_is_obeyed() -> None:
    with Terminal(*DEMO) as terminal:
        terminal.see("[y] once")
        terminal.type("n no thanks\n")
        terminal.see("no thanks")
        terminal.see("as the demo does by itself")  # the next question, so that the tour can go on
        assert terminal.wait(30) == 0
        assert "Try next" in terminal.text


def test_ctrl_c_ends_it() -> None:
    with Terminal(*DEMO) as terminal:
        terminal.see("[y] once")
        terminal.type("\x03")
        terminal.see("-32800")
        terminal.see("as the demo does by itself")
        assert terminal.wait(30) in (0, 130)


@pytest.mark.parametrize(
    "words", [["--no"], ["--serve", "x"], ["--serve", "1", "2"], ["--serve", "99999"], ["--yes", "--serve"]]
)
def test_other_words_are_refused(words) -> None:
    done = run(*words)
    assert done.returncode == 3
    assert "Traceback" not in done.stderr


def test_the_site_can_be_served_alone() -> None:
    with Terminal(*DEMO, "--serve") as terminal:
        screen = terminal.see("(Ctrl-C ends)")
        url = screen.partition(" ")[0]
        with urllib.request.urlopen(url, timeout=5) as answer:
            assert b"Five islands" in answer.read()
        terminal.type("\x03")
        assert terminal.wait() == 0


def test_a_terminal_without_unicode_is_no_reason_to_fail() -> None:
    done = run(env={**os.environ, "PYTHONIOENCODING": "ascii"}, stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stderr) == (0, "")


def test_help_is_short() -> None:
    done = run("--help")
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) < 12


def test_a_client_that_goes_away_is_no_news(capfd) -> None:
    with DemoSite() as site:
        address = urllib.parse.urlsplit(site.url)
        with socket.create_connection((address.hostname, address.port)) as client:
            client.sendall(b"GET /sl")
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closes with a reset
        urllib.request.urlopen(site.url).close()  # connections are taken in their order
    assert capfd.readouterr().err == ""
