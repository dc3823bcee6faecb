"""`browser.endpoint`: a Chrome elsewhere, behind a proxy of ours that was seen at work (BROWSER-10, EGRESS-08)."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import contextmanager

import pytest

from blitzweb.browser.find import find_browser
from tests.support.browsing import Browsing, engine_or_skip
from tests.support.covers import covers
from tests.support.grid import grid, sessions


class Elsewhere:
    """A browser that somebody else has started, and its devtools."""

    def __init__(self, folder: str) -> None:
        program = find_browser(engine=engine_or_skip("headless-shell")).path
        switches = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--remote-debugging-port=0",
            f"--user-data-dir={folder}",
        ]
        self.process = subprocess.Popen([program, *switches, "about:blank"], stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if "DevTools listening on " in line:
                self.url = line.partition("listening on ")[2].strip()
                break
        self.http = "http://" + self.url.split("/")[2]

    def pages(self) -> list[str]:
        """Return the addresses of the pages that are open."""
        with urllib.request.urlopen(f"{self.http}/json/list", timeout=5) as answer:
            return [page["url"] for page in json.load(answer) if page["type"] == "page"]


@pytest.fixture(scope="module")
def elsewhere():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Elsewhere(folder)
        try:
            yield browser
        finally:
            browser.process.kill()
            browser.process.wait()
            browser.process.stderr.close()


@contextmanager
def egress(tmp_path, *settings):
    """Run `blitzweb egress`; give its address and its token's file."""
    token = tmp_path / "token"
    token.write_text("a-token-of-sufficient-length-for-this")
    token.chmod(0o600)
    command = [sys.executable, "-m", "blitzweb", "egress", "--listen", "127.0.0.1:0", "--token-file", str(token)]
    command += [word for one in settings for word in ("--set", one)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        for line in process.stderr:
            if "listens on " in line:
                yield line.partition("listens on ")[2].strip(), str(token)
                break
    finally:
        process.terminate()
        process.wait()
        process.stderr.close()


@covers("BROWSER-10")
def test_a_context_of_our_own_in_a_browser_that_others_use(site, elsewhere):
    before = elsewhere.pages()
    with Browsing(browser={"endpoint": elsewhere.url}) as browsing:
        assert browsing.do("navigate", url=f"{site.url}/b05.html")["title"] == "b05"
        assert browsing.do("click", selector="#part")["title"] == "b05"
        assert browsing.pid() == 0
        browsing.do("script", script="document.cookie = 'ours=1'")
        assert len(elsewhere.pages()) == len(before) + 1
        browsing.do("close")
        assert elsewhere.pages() == before
        assert elsewhere.process.poll() is None
        browsing.do("navigate", url=f"{site.url}/b05.html")
        assert browsing.do("script", script="document.cookie")["result"] == ""
    wait_for(lambda: elsewhere.pages() == before)  # the daemon was killed


def wait_for(condition, seconds=5.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


@covers("BROWSER-10")
def test_policy_holds_there_too(site, elsewhere):
    with Browsing(
        browser={"endpoint": elsewhere.url}, web={"allow_domains": ["127.0.0.1"], "deny_domains": ["localhost"]}
    ) as browsing:
        site.pages["/mixed.html"] = "<title>mixed</title><img src=OTHER/picture.png><a href=OTHER/b05.html>away</a>"
        browsing.do("navigate", url=f"{site.url}/mixed.html")
        refused = str(browsing.do("click", selector="text=away"))
        assert "deny_domains" in refused


@covers("BROWSER-10", "WEB-34")
def test_windows_are_guarded_beside_another_host_that_lets_them_go(site, elsewhere):
    """Both see every new page; that the other one lets it run must not let it run before our guard stands."""
    site.pages["/opener.html"] = "<title>opener</title><button onclick=\"window.open('OTHER/away.html')\">pop</button>"
    settings = {"browser": {"endpoint": elsewhere.url}, "web": {"allow_domains": ["127.0.0.1"]}}
    with Browsing(**settings) as ours, Browsing(**settings) as theirs:
        theirs.do("navigate", url=f"{site.url}/b05.html")
        ours.do("navigate", url=f"{site.url}/opener.html")
        for _ in range(10):
            note = ours.do("click", selector="text=pop")["note"]
            tab = note.partition("opened: ")[2].split()[0]
            output = ours.do("tabs", op="switch", tab=tab)
            assert "localhost" in str(output["refused"])
            ours.do("tabs", op="close", tab=tab)
    assert not [one for one in site.requests if "away.html" in one]


@covers("BROWSER-10", "EGRESS-08")
def test_the_proxy_is_a_service_of_another_machine(site, elsewhere, tmp_path):
    with egress(tmp_path, "browser.allow_local=true") as (address, token):
        browser = {"endpoint": elsewhere.url, "endpoint_proxy": address, "endpoint_token_file": token}
        with Browsing(browser=browser) as browsing:
            assert browsing.do("navigate", url=f"{site.url}/b05.html")["title"] == "b05"


@covers("BROWSER-10")
@pytest.mark.parametrize("wrong", ["address", "token", "no proxy"])
def test_without_our_proxy_at_work_nothing_is_done(site, elsewhere, tmp_path, wrong):
    before = elsewhere.pages()
    other = tmp_path / "other"
    other.write_text("another-token-of-sufficient-length")
    other.chmod(0o600)
    with egress(tmp_path) as (address, token):
        named = {"address": "127.0.0.1:9", "no proxy": site.url.partition("//")[2]}.get(wrong, address)
        file = str(other) if wrong == "token" else token
        browser = {"endpoint": elsewhere.url, "endpoint_proxy": named, "endpoint_token_file": file}
        with Browsing(browser=browser) as browsing:
            error = browsing.call("navigate", url=f"{site.url}/b05.html")["error"]
            assert error["data"]["reason"] == "no_browser"
            assert "do not go through our proxy" in error["message"]
    assert elsewhere.pages() == before


@covers("BROWSER-10")
@pytest.mark.parametrize(
    ("endpoint", "words"),
    [
        ("ws://127.0.0.1:9/devtools/browser/x", "cannot be reached"),
        ("ftp://x/", "no hub"),
        ("http://127.0.0.1:9", "cannot be asked"),
    ],
)
def test_an_endpoint_that_is_none(site, endpoint, words):
    with Browsing(browser={"endpoint": endpoint}) as browsing:
        error = browsing.call("navigate", url=f"{site.url}/b05.html")["error"]
        assert (error["code"], words in error["message"]) == (-31020, True)


@covers("BROWSER-10")
@pytest.mark.timeout(120)
def test_a_grid(site):
    with grid() as hub, Browsing(browser={"endpoint": hub, "interface": "both"}) as browsing:
        assert browsing.do("navigate", url=f"{site.url}/b08.html")["title"] == "b08"
        assert sessions(hub) == 1
        assert "3 elements" in browsing.do("click", selector="text=Delete", fails=True)["error"]
        assert browsing.do("screenshot")["result"]
        browsing.do("close")
        wait_for(lambda: sessions(hub) == 0)
        assert browsing.do("navigate", url=f"{site.url}/b05.html")["title"] == "b05"
        browsing.host.call("shutdown")
        wait_for(lambda: sessions(hub) == 0)
