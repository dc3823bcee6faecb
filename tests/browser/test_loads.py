"""Loads, history, tabs, dialogs and downloads, with a real browser (WEB-31, BROWSER-03, BROWSER-06, BROWSER-08)."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.support.browsing import Browsing
from tests.support.covers import covers

PAGES = {
    "/a.html": """<title>a</title><a href=/b.html>to b</a> <a href=/b.html target=_blank>blank</a>
        <button onclick="window.open('/b.html')">pop</button><a href=/download.bin>file</a><a href=/204>empty</a>
        <button onclick="history.pushState({}, '', '/spa'); document.title = 'spa'">push</button>
        <button onclick="setTimeout(() => { location = '/b.html' }, 0)">later</button>
        <button onclick="alert('hello'); document.title = 'told'">alert</button>
        <button onclick="r.textContent = prompt('Name?', 'bob')">ask</button><p id=r></p>""",
    "/b.html": "<title>b</title>Page B",
    "/never.html": "<title>never</title>partial<img src=/never>",
    "/onload.html": "<title>onload</title><body onload=\"location.replace('/b.html')\">x",
    "/loop.html": """<title>loop</title><button onclick="for(;;){}">now</button>
        <button onclick="setTimeout(() => { for(;;){} }, 20)">soon</button><p>still here</p>""",
    "/shadow.html": """<title>shadow</title><div id=h></div><script>
        const root = h.attachShadow({mode: 'open'}); root.innerHTML = '<button id=deep>Deep</button>';
        root.firstChild.onclick = () => say('deep')</script>""",
    "/alerting.html": "<title>alerting</title><script>alert('at load')</script>loaded",
    "/popular.html": "<title>popular</title><button>Save</button><button>Save as</button><p>Saves</p>",
}


@pytest.fixture(scope="module", autouse=True)
def pages(site):
    site.pages.update(PAGES)


def at(browsing, site, name):
    return browsing.do("navigate", url=f"{site.url}/{name}.html")


@covers("WEB-31", "BROWSER-03")
def test_history(both, site):
    at(both, site, "a")
    assert both.do("click", selector="text=to b")["title"] == "b"
    assert both.do("back")["title"] == "a"
    assert both.do("forward")["title"] == "b"
    assert both.do("reload")["title"] == "b"
    assert "no page to go forward" in both.do("forward", fails=True)["error"]


@covers("BROWSER-03")
def test_same_document_navigation(browsing, site):
    at(browsing, site, "a")
    output = browsing.do("click", selector="text=push")
    assert (output["url"], output["title"]) == (f"{site.url}/spa", "spa")
    assert browsing.do("back")["url"] == f"{site.url}/a.html"


@covers("WEB-31")
def test_a_click_that_leads_elsewhere_a_little_later(browsing, site):
    at(browsing, site, "a")
    assert browsing.do("click", selector="text=later")["title"] == "b"


@covers("BROWSER-03")
def test_a_page_that_goes_on_by_itself(browsing, site):
    assert browsing.do("wait", url="*/b.html")["title"] == "b" if at(browsing, site, "onload")["title"] != "b" else True


@covers("BROWSER-03")
def test_a_page_that_never_loads_is_taken_as_it_is(both, site):
    message = both.call("navigate", url=f"{site.url}/never.html", timeout_ms=1500)
    output = message["result"]["output"]
    assert (output["title"], "had not finished loading" in output["note"]) == ("never", True)
    assert both.text() == "partial"
    assert at(both, site, "b")["title"] == "b"


@covers("BROWSER-03")
def test_an_answer_without_a_page(browsing, site):
    at(browsing, site, "a")
    output = browsing.do("navigate", url=f"{site.url}/204")
    assert (output["title"], "without a page" in output["note"]) == ("a", True)
    begin = time.monotonic()
    assert browsing.do("click", selector="text=empty")["title"] == "a"
    assert time.monotonic() - begin < 2


@covers("BROWSER-08")
def test_new_windows_become_tabs(both, site):
    at(both, site, "a")
    for text in ("blank", "pop"):
        note = both.do("click", selector=f"text={text}")["note"]
        tab = note.partition("opened: ")[2].split()[0]
        output = both.do("tabs", op="switch", tab=tab)
        assert output["title"] == "b"
        left = both.do("tabs", op="close", tab=tab)["tabs"]
        assert [one["title"] for one in left] == ["a"]
    assert "there is no tab" in both.do("tabs", op="switch", tab=tab, fails=True)["error"]


@covers("BROWSER-06")
def test_alerts_are_accepted_and_told(both, site):
    at(both, site, "a")
    output = both.do("click", selector="text=alert")
    assert 'alert: "hello"' in output["note"]
    assert output["title"] == "told"
    assert 'alert: "at load"' in at(both, site, "alerting")["note"]


@covers("BROWSER-06")
def test_prompts(both, site):
    at(both, site, "a")
    assert both.do("click", selector="text=ask")["dialog"] == {"type": "prompt", "message": "Name?", "default": "bob"}
    both.do("dialog", accept=True, text="eve")
    assert both.do("read", selector="#r")["text"] == "eve"
    both.do("click", selector="text=ask")
    both.do("dialog", accept=True)
    assert both.do("read", selector="#r")["text"] == "bob"
    both.do("dialog", accept=True, text="first")
    assert "as was said before" in both.do("click", selector="text=ask")["note"]
    assert both.do("read", selector="#r")["text"] == "first"


@covers("BROWSER-07")
@pytest.mark.parametrize("script", ["for(;;){}", "new Promise(() => {})", "while (true) document.title += 'x'"])
def test_an_endless_script_ends_at_the_deadline(both, site, script):
    at(both, site, "loop")
    begin = time.monotonic()
    message = both.call("script", script=script, timeout_ms=1000)
    assert time.monotonic() - begin < 3
    assert message["result"]["is_error"]
    assert "still here" in both.text()


@covers("BROWSER-07")
def test_what_a_script_sets_off_in_the_page_is_not_cut_off(both, site):
    at(both, site, "b")
    busy = "const end = performance.now() + 300; while (performance.now() < end);"
    both.do("script", script=f"onhashchange = () => {{ {busy} document.title = 'went on' }}; location.hash = '#there'")
    both.do("wait", text="b")
    assert both.do("read")["title"] == "went on"


@covers("BROWSER-07")
@pytest.mark.parametrize(
    "action", [{"action": "wait", "text": "never shown"}, {"action": "script", "script": "new Promise(() => {})"}]
)
def test_a_page_that_reacts_is_not_cut_off_when_the_time_is_up(both, site, action):
    at(both, site, "b")
    busy = "const end = performance.now() + 30; while (performance.now() < end);"
    both.do("script", script=f"window.begun = window.ended = 0; setInterval(() => {{ begun++; {busy} ended++ }}, 1)")
    assert both.call(timeout_ms=1000, **action)["result"]["is_error"]
    assert both.do("script", script="`${begun > 9} ${begun - ended}`")["result"] == "true 0"


@covers("BROWSER-07")
@pytest.mark.parametrize("text", ["now", "soon"])
def test_an_endless_loop_of_the_page_ends_at_the_deadline(both, site, text):
    at(both, site, "loop")
    begin = time.monotonic()
    both.call("click", selector=f"text={text}", timeout_ms=1500)
    both.call("read", timeout_ms=1500)
    assert time.monotonic() - begin < 8
    assert at(both, site, "b")["title"] == "b"


@covers("BROWSER-04")
def test_shadow_roots_are_looked_into(both, site):
    at(both, site, "shadow")
    for selector in ("#deep", "text=deep"):
        site.said.clear()
        both.do("click", selector=selector)
        site.wait_for("deep")


@covers("BROWSER-04")
def test_the_exact_text_wins_and_a_missing_one_has_neighbours(browsing, site):
    at(browsing, site, "popular")
    assert browsing.do("click", selector="text=save")["result"].endswith('"Save"')
    assert browsing.do("click", selector="text=save as")["result"].endswith('"Save as"')
    assert '"save as"' in browsing.do("click", selector="text=Save the world", fails=True)["error"]
    assert "3 visible elements" not in browsing.do("click", selector="button")["note"]
    assert "2 visible elements" in browsing.do("click", selector="button")["note"]
    assert "no CSS selector" in browsing.do("click", selector="b[", fails=True)["error"]
    assert "matches nothing" in browsing.do("click", selector="#nothing", fails=True)["error"]


@covers("WEB-32")
@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://127.0.0.1:9/", "port 9"),
        ("file:///etc/passwd", 'scheme "file"'),
        ("chrome://version", 'scheme "chrome"'),
        ("http://169.254.169.254/", "link-local"),
    ],
)
def test_what_is_refused_says_why(browsing, url, words):
    assert words in browsing.do("navigate", url=url, fails=True)["error"].replace("cloud metadata", "link-local")


@covers("WEB-32")
def test_a_dead_host_is_told_apart_from_a_refusal(browsing, site):
    import socket

    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port = listening.getsockname()[1]
    error = browsing.do("navigate", url=f"http://127.0.0.1:{port}/", fails=True)["error"]
    assert "refused" in error
    assert "not approved" not in error


@covers("BROWSER-08")
def test_downloads_are_refused_unless_there_is_a_folder(browsing, site):
    at(browsing, site, "a")
    output = browsing.do("click", selector="text=file")
    assert "files.download_dir is not set" in output["note"]
    assert output["title"] == "a"


@covers("BROWSER-08")
@pytest.mark.parametrize("decision", ["once", "deny"])
def test_downloads_are_asked_about_and_saved_for_the_owner(site, tmp_path, decision):
    answers = lambda _question: {"decision": decision}  # noqa: E731
    with Browsing(answers=answers, files={"download_dir": str(tmp_path / "in")}) as browsing:
        at(browsing, site, "a")
        note = browsing.do("click", selector="text=file")["note"]
        assert [one["kind"] for one in browsing.asked] == ["download"]
        saved = list((tmp_path / "in").glob("*")) if (tmp_path / "in").exists() else []
        if decision == "deny":
            assert "refused" in note
            assert saved == []
        else:
            assert [path.name for path in saved] == ["report.bin"]
            assert Path(saved[0]).read_bytes() == b"0123456789"
            assert saved[0].stat().st_mode & 0o777 == 0o600
            assert str(saved[0]) in note
