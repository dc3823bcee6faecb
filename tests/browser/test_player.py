"""The page that plays a walkthrough, driven as a person would: in our own browser, and from a file."""

from __future__ import annotations

import http.server
import json
import re
import subprocess
import threading
from base64 import b64encode
from functools import partial
from pathlib import Path

import pytest

from blitzweb.browser.find import find_browser
from blitzweb.pictures.player import render
from blitzweb.pictures.step import Step, tell
from tests.support.browsing import Browsing, engine_or_skip
from tests.support.covers import covers
from tests.support.png import make_png

HOSTILE = "</script><script>document.title='pwned'</script><img src=x onerror=\"document.title='pwned'\"><!--{{policy}}"
STEPS = [
    Step("navigate", "https://site.test/", "https://site.test/", "Home", frame="001-navigate.png"),
    Step("click", "text=Go", "https://site.test/", "Home", (10, 5), frame="002-click.png", seconds=61.5),
    Step("type", "#name", "https://site.test/", HOSTILE, text=HOSTILE, refused=(HOSTILE,), seconds=65),
    Step("click", HOSTILE, "javascript:alert(1)", HOSTILE, (10, 5), frame="004-click.png", seconds=70),
]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        return


def put(folder, steps):
    (folder / "index.html").write_text(render(tell("2026-03-04T05:06:07+0000", steps), folder.name), "utf-8")
    for step in steps:
        if step.frame:
            (folder / step.frame).write_bytes(make_png(size=(40, 20)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("walkthrough")
    put(folder, STEPS)
    return folder


@pytest.fixture(scope="module")
def address(folder):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/index.html"
        server.shutdown()
        thread.join(5)


@pytest.fixture
def player(browsing, address):
    output = browsing.do("navigate", url=address)
    assert output.get("console") is None, output
    assert output.get("refused") is None, output
    return browsing


def ask(player, script):
    return player.do("script", script=script)["result"]


def count(player):
    return ask(player, "document.getElementById('count').textContent")


RING = "(r => r.hidden ? 'none' : `${r.className} ${r.style.left} ${r.style.top}`)(document.getElementById('ring'))"


@covers("BROWSER-09")
def test_keys(player):
    assert count(player) == "1 / 4"
    for key, where in [
        ("ArrowRight", "2 / 4"),
        ("ArrowLeft", "1 / 4"),
        ("ArrowLeft", "1 / 4"),
        ("End", "4 / 4"),
        ("ArrowRight", "4 / 4"),
        ("Home", "1 / 4"),
    ]:
        player.do("press", text=key)
        assert count(player) == where, key


@covers("BROWSER-09")
def test_a_frame_that_comes_too_late_is_not_shown(player):
    back_and_forth = """new Promise(done => {
      for (const key of ['ArrowRight', 'ArrowLeft']) dispatchEvent(new KeyboardEvent('keydown', {key}));
      const image = new Image();
      image.onload = () => setTimeout(() => done(document.querySelector('#shot img.on').dataset.name), 50);
      image.src = '002-click.png?later';
    })"""
    assert ask(player, back_and_forth) == "001-navigate.png"


@covers("BROWSER-09")
def test_space_plays_and_pauses_and_the_end_ends_it(player):
    player.do("select", selector="#speed", value="4")
    player.do("click", selector="header")
    player.do("press", text="Space")
    assert ask(player, "document.getElementById('toggle').ariaLabel") == "Pause"
    player.do("press", text="Space")
    assert ask(player, "document.getElementById('toggle').ariaLabel") == "Play"
    player.do("click", selector="#toggle")
    player.do("wait", text="4 / 4")
    waiting = (
        "new Promise(done => setInterval(() => document.getElementById('toggle').ariaLabel === 'Play' && done(1)))"
    )
    assert ask(player, waiting) == "1"


@covers("BROWSER-09")
def test_where_the_click_went(player):
    assert ask(player, RING) == "none"
    player.do("click", selector="#list li:nth-child(2) button")
    player.do("wait", text="2 / 4")
    assert ask(player, RING) == "ring 25% 25%"
    player.do("press", text="End")
    assert ask(player, RING) == "ring past 25% 25%"  # it went to the page before


@covers("BROWSER-09")
def test_all_that_was_recorded_is_said(player):
    texts = json.loads(ask(player, "JSON.stringify([...document.querySelectorAll('#list li')].map(l => l.innerText))"))
    assert [text.split("\n")[0].lower() for text in texts] == ["navigate", "click", "type", "click"]
    assert "1:01" in texts[1]
    assert f"Refused: {HOSTILE}" in texts[2]
    assert "javascript:alert(1)" in texts[3]
    ask(player, "location.hash = '#3'")
    player.do("wait", text="No frame could be taken")
    assert ask(player, "document.getElementById('title').textContent") == HOSTILE


@covers("BROWSER-09")
def test_what_was_recorded_is_no_markup(player):
    player.do("press", text="End")
    assert ask(player, "document.title").startswith("Walkthrough ")
    assert ask(player, "String(document.querySelectorAll('script').length)") == "2"
    assert ask(player, "[...document.images].map(i => i.getAttribute('src')).sort().join()") == (
        "001-navigate.png,004-click.png"
    )
    assert ask(player, "String(document.querySelectorAll('a, iframe, form, link').length)") == "0"


@covers("BROWSER-09")
def test_no_other_script_runs_and_nothing_else_is_loaded(player):
    inject = "document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.ran = 1'}))"
    player.do("script", script=inject)
    assert ask(player, "String(window.ran)") == "undefined"
    picture = (
        "new Promise(done => { const i = new Image(); i.onload = () => done(1); i.onerror = () => done('blocked'); "
    )
    assert ask(player, picture + f"i.src = 'data:image/png;base64,{b64encode(make_png()).decode()}'; }})") == "blocked"
    blocked = "new Promise(done => fetch('walkthrough.json').then(() => done('loaded'), () => done('blocked')))"
    assert ask(player, blocked) == "blocked"


@covers("BROWSER-09")
def test_everything_has_a_name(player):
    controls = "[...document.querySelectorAll('button, input, select')]"
    named = f"{controls}.every(c => c.ariaLabel || c.innerText.trim())"
    assert ask(player, f"String({named})") == "true"
    assert ask(player, "[...document.images].every(i => i.alt) + ''") == "true"
    assert ask(player, "document.getElementById('seek').getAttribute('aria-valuetext')") == "1 of 4: navigate"


@covers("BROWSER-09")
def test_it_plays_from_a_file(folder):
    dom = dump(folder, "#2")
    assert "2 / 4" in dom
    assert re.search(r'id="window" style="--w: ?40; --h: ?20;"', dom)  # so the frame was loaded
    assert re.search(r'class="ring" id="ring" style="left: 25%; top: 25%;"', dom)


@covers("BROWSER-09")
def test_a_walkthrough_without_steps(tmp_path):
    put(tmp_path, [])
    assert '<p class="empty">Nothing was recorded' in dump(tmp_path)


def dump(folder, fragment=""):
    """Return the page's tree after its script has run."""
    program = find_browser(engine=engine_or_skip("headless-shell")).path
    command = [program, "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000", "--dump-dom"]
    url = f"file://{folder}/index.html{fragment}"
    return subprocess.run([*command, url], capture_output=True, text=True, check=True, timeout=50).stdout


@covers("WEB-37", "BROWSER-09")
def test_a_recording_can_be_played(site, tmp_path):
    site.pages["/form.html"] = "<title>form</title><input type=password id=p><button>Go</button>"
    with Browsing(web={}, browser={"allow_sensitive_fill": True}) as browsing:
        browsing.do("record", format="gif")
        browsing.do("navigate", url=f"{site.url}/form.html")
        browsing.do("type", selector="#p", text="opensesame")
        browsing.do("click", selector="text=Go")
        output = browsing.do("stop_recording")
        folder = tmp_path / "moved"
        subprocess.run(["cp", "-r", output["recording"], folder], check=True)
    assert len(output["frames"]) == 3
    dom = dump(folder, "#3")
    assert "3 / 3" in dom
    assert 'class="ring" id="ring" style="left:' in dom
    assert not [path.name for path in folder.iterdir() if b"opensesame" in path.read_bytes()]
    story = json.loads((folder / "walkthrough.json").read_text())
    assert [step["text"] for step in story["steps"]] == [None, "[REDACTED]", None]


@covers("BROWSER-09")
def test_a_click_is_told_in_pixels_of_its_frame(browsing, site):
    """A page without a viewport of its own is shrunk on a phone: 980 CSS pixels on 390."""
    site.pages["/at.html"] = (
        "<button style='position:absolute;left:450px;top:180px;width:100px;height:40px'>Go</button>"
    )
    browsing.do("navigate", url=f"{site.url}/at.html")
    browsing.do("record")
    browsing.do("click", selector="text=Go")
    browsing.do("emulate", viewport="390x844", mobile=True)
    browsing.do("click", selector="text=Go")
    output = browsing.do("stop_recording")
    browsing.do("close")
    assert "1 of 2 frames are not in walkthrough.png" in output["note"]
    story = json.loads(Path(output["recording"], "walkthrough.json").read_text())
    wide, narrow = (step["point"] for step in story["steps"])
    assert wide == {"x": 500, "y": 200}
    assert (round(narrow["x"]), round(narrow["y"])) == (round(500 * 390 / 980), round(200 * 390 / 980))
