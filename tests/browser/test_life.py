"""Starting, taking turns, ending and being killed: the right error or a clean end, and nothing left (WEB-30)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from tests.support.browsing import Browsing, family, profiles, wait_until_gone
from tests.support.covers import covers
from tests.support.host import ROOT

ENGINES = ["headless-shell", "chrome"]


@pytest.fixture(autouse=True)
def no_profiles_left():
    """Look that no test leaves a profile behind that was not there before."""
    before = set(profiles())
    yield
    end = time.monotonic() + 3
    while set(profiles()) - before:
        assert time.monotonic() < end, set(profiles()) - before
        time.sleep(0.01)


@covers("WEB-30", "DIGEST-14", "BROWSER-11")
@pytest.mark.parametrize("transport", ["websocket", "pipe"])
@pytest.mark.parametrize("engine", ENGINES)
def test_a_browser_starts_on_first_use_and_leaves_nothing(site, engine, transport):
    with Browsing(engine=engine, browser={"transport": transport}) as browsing:
        assert browsing.host.call("$/status")["result"]["browsers"] == []
        assert browsing.do("navigate", url=f"{site.url}/b05.html")["title"] == "b05"
        processes = family(browsing.pid())
        (profile,) = [
            Path(word[len("--user-data-dir=") :]) for word in processes[0].cmdline() if "--user-data-dir=" in word
        ]
        assert profile.stat().st_mode & 0o777 == 0o700
        listens = [
            one for one in psutil.net_connections("tcp") if one.status == "LISTEN" and one.pid == processes[0].pid
        ]
        assert bool(listens) is (transport == "websocket")
        browsing.do("close")
        wait_until_gone(processes)
        assert not profile.exists()
        events = [message["params"]["kind"] for message in drain(browsing) if message.get("method") == "browser/event"]
        assert events == ["opened", "closed"]
        assert browsing.do("navigate", url=f"{site.url}/b05.html")["title"] == "b05"


def drain(browsing):
    browsing.host.call("ping", identity="drain")
    messages = []
    while browsing.host._unmatched:
        messages.append(browsing.host.receive())
    return messages


@covers("BROWSER-01")
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("end", ["kill the daemon", "terminate the daemon", "close stdin", "shutdown"])
def test_whatever_ends_the_daemon_ends_the_browser(site, engine, end):
    with Browsing(engine=engine) as browsing:
        browsing.do("navigate", url=f"{site.url}/b05.html")
        processes = family(browsing.pid())
        if end == "kill the daemon":
            browsing.host.process.kill()
        elif end == "terminate the daemon":
            browsing.host.process.terminate()
        elif end == "close stdin":
            browsing.host.process.stdin.close()
        else:
            assert browsing.host.call("shutdown")["result"] is None
        wait_until_gone(processes)
        if end != "shutdown":
            browsing.host.wait()


@covers("BROWSER-01")
def test_a_daemon_killed_in_the_middle_of_an_action(site):
    with Browsing() as browsing:
        browsing.do("navigate", url=f"{site.url}/b05.html")
        processes = family(browsing.pid())
        arguments = {"action": "script", "script": "new Promise(() => {})"}
        browsing.host.send(
            {"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "browser", "arguments": arguments}}
        )
        browsing.host.process.kill()
        wait_until_gone(processes)


@covers("BROWSER-01")
def test_the_browser_ends_with_the_hosts_process(site, tmp_path):
    """The host is killed; another process keeps the pipe to the daemon open."""
    script = tmp_path / "host.py"
    script.write_text(HOST)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    host = subprocess.Popen(
        [sys.executable, script, f"{site.url}/b05.html", str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=ROOT,
    )
    with host:
        processes = family(int(host.stdout.readline()))
        host.send_signal(signal.SIGKILL)
        wait_until_gone(processes, 4.0)


HOST = """
import subprocess, sys, time
from tests.support.browsing import Browsing
browsing = Browsing(folder=sys.argv[2])
browsing.do("navigate", url=sys.argv[1])
print(browsing.pid(), flush=True)
time.sleep(60)
"""


@covers("BROWSER-02")
@pytest.mark.parametrize("engine", ENGINES)
def test_a_killed_browser_is_told_and_the_next_action_starts_anew(site, engine):
    with Browsing(engine=engine) as browsing:
        browsing.do("navigate", url=f"{site.url}/b05.html")
        processes = family(browsing.pid())
        answer = []
        waiting = threading.Thread(
            target=lambda: answer.append(browsing.do("wait", text="never", seconds=20, fails=True))
        )
        waiting.start()
        wait_for_running(browsing)
        os.kill(processes[0].pid, signal.SIGKILL)
        waiting.join(10)
        assert "the browser is gone" in answer[0]["error"]
        assert browsing.do("navigate", url=f"{site.url}/b05.html")["title"] == "b05"
        wait_until_gone(processes)


def wait_for_running(browsing):
    """Wait until the daemon is at work on the call that another thread made."""
    time.sleep(0.3)


@covers("BROWSER-02")
@pytest.mark.parametrize("engine", ENGINES)
def test_a_killed_renderer_is_told_and_the_next_action_works(site, engine):
    with Browsing(engine=engine) as browsing:
        browsing.do("navigate", url=f"{site.url}/b05.html")
        renderers = [one for one in family(browsing.pid()) if "--type=renderer" in one.cmdline()]
        for renderer in renderers:
            renderer.kill()
        first = browsing.call("read")["result"]
        assert not first["is_error"] or "crashed" in first["output"]["error"]
        assert browsing.do("navigate", url=f"{site.url}/b05.html")["title"] == "b05"


@covers("WEB-30")
def test_workspaces_have_browsers_of_their_own(site):
    site.pages["/keep.html"] = "<title>keep</title><script>document.cookie = 'a=' + location.search</script>"
    with Browsing() as browsing:
        for name in ("one", "two"):
            browsing.call("navigate", url=f"{site.url}/keep.html?{name}", context={"workspace": name})
        for name in ("one", "two"):
            result = browsing.call("script", script="document.cookie", context={"workspace": name})["result"]
            assert result["output"]["result"] == f"a=?{name}"
        status = browsing.host.call("$/status")["result"]["browsers"]
        assert sorted(one["workspace"] for one in status) == ["one", "two"]
        assert len({one["pid"] for one in status}) == 2
        assert browsing.host.call("browser/close", {"workspace": "one"})["result"] is None
        status = browsing.host.call("$/status")["result"]["browsers"]
        assert [one["workspace"] for one in status] == ["two"]


@covers("WEB-30")
def test_actions_of_a_workspace_come_one_at_a_time(site):
    with Browsing() as browsing:
        browsing.do("navigate", url=f"{site.url}/b05.html")
        script = (
            "new Promise(done => setTimeout(() => done(String(globalThis.turns = (globalThis.turns ?? 0) + 1)), 100))"
        )
        calls = [
            {
                "jsonrpc": "2.0",
                "id": f"n{number}",
                "method": "tools/call",
                "params": {"name": "browser", "arguments": {"action": "script", "script": script}},
            }
            for number in range(4)
        ]
        browsing.host.send(*calls)
        results = [browsing.host.answer(f"n{number}")["result"]["output"]["result"] for number in range(4)]
        assert results == ["1", "2", "3", "4"]


@covers("WEB-30")
def test_a_cancelled_action_is_answered_and_the_next_one_works(site):
    with Browsing() as browsing:
        browsing.do("navigate", url=f"{site.url}/b05.html")
        for arguments in ({"action": "wait", "text": "never"}, {"action": "script", "script": "for(;;){}"}):
            browsing.host.send(
                {
                    "jsonrpc": "2.0",
                    "id": "c",
                    "method": "tools/call",
                    "params": {"name": "browser", "arguments": arguments},
                }
            )
            time.sleep(0.2)  # so that it is at work; a cancel before that is answered as well
            browsing.host.send({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "c"}})
            begin = time.monotonic()
            assert browsing.host.answer("c")["error"]["code"] == -32800
            assert time.monotonic() - begin < 1
            assert "Part" in browsing.text()


@covers("WIRE-46")
@pytest.mark.parametrize(
    ("browser", "words"),
    [
        ({"path": "/no/such/browser"}, "browser.path /no/such/browser"),
        ({"path": "/bin/false"}, "ended while it started"),
        ({"engine": "headless-shell", "visible": True}, "browser.visible"),
    ],
)
def test_a_browser_that_cannot_be_started(site, browser, words):
    with Browsing(browser=browser) as browsing:
        error = browsing.call("navigate", url=f"{site.url}/b05.html")["error"]
        assert (error["code"], error["data"]["reason"]) == (-31020, "no_browser")
        assert words in error["message"]


@covers("WEB-30")
def test_the_last_words_of_a_browser_that_does_not_start(site, tmp_path):
    program = tmp_path / "chrome"
    program.write_text("#!/bin/sh\necho first >&2; echo second >&2; echo third >&2; echo fourth >&2; exit 3\n")
    program.chmod(0o755)
    with Browsing(browser={"path": str(program)}) as browsing:
        message = browsing.call("navigate", url=f"{site.url}/b05.html")["error"]["message"]
        assert "exit code 3" in message
        assert message.splitlines()[1:] == ["second", "third", "fourth"]


@covers("WEB-30")
def test_new_settings_of_the_browser_start_a_new_one(site):
    with Browsing() as browsing:
        browsing.do("navigate", url=f"{site.url}/b05.html")
        before = browsing.pid()
        settings = {
            "browser": {"allow_local": True, "allow_scripts": True, "width": 640},
            "web": {"allow_domains": ["127.0.0.1"]},
        }
        browsing.host.call("settings/update", {"settings": settings})
        output = browsing.do("navigate", url=f"{site.url}/b05.html")
        assert "settings of the browser have changed" in output["note"]
        assert browsing.do("script", script="innerWidth")["result"] == "640"
        assert browsing.pid() != before
        settings["web"]["deny_domains"] = ["127.0.0.1"]
        browsing.host.call("settings/update", {"settings": settings})
        pid = browsing.pid()
        assert "deny_domains" in browsing.do("reload")["refused"][0]
        assert browsing.pid() == pid


@covers("BROWSER-01")
def test_profiles_of_daemons_that_are_gone_are_swept(site):
    from blitzweb.browser.profile import make_profile

    mine = Path(make_profile())
    gone = subprocess.Popen([sys.executable, "-c", "pass"])
    gone.wait()
    stale = mine.parent / f"{gone.pid}-1-stale"
    stale.mkdir()
    try:
        with Browsing() as browsing:
            browsing.do("navigate", url=f"{site.url}/b05.html")
            assert not stale.exists()
            assert mine.exists()
    finally:
        mine.rmdir()


@covers("WEB-37", "BROWSER-09")
def test_a_walkthrough_has_a_frame_after_each_action(both, site):
    folder = Path(both.do("record")["recording"])
    assert "being recorded already" in both.do("record")["note"]
    both.do("navigate", url=f"{site.url}/b08.html")
    both.do("read")
    both.do("click", selector="text=Delete", fails=True)
    both.do("scroll", dy=10)
    output = both.do("stop_recording")
    assert output["recording"] == str(folder)
    assert [Path(frame).name for frame in output["frames"]] == ["001-navigate.png", "002-scroll.png"]
    assert folder.stat().st_mode & 0o777 == 0o700
    assert all(Path(frame).stat().st_mode & 0o777 == 0o600 for frame in output["frames"])
    assert "no walkthrough" in both.do("stop_recording", fails=True)["error"]
    folder = Path(both.do("record")["recording"])
    assert both.do("close")["recording"] == str(folder)
