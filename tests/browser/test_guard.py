"""What is decided before a browser starts, and what pages may do by themselves (WEB-33, WEB-34, WEB-35)."""

from __future__ import annotations

import time

import pytest

from tests.support.browsing import Browsing
from tests.support.covers import covers

PAGES = {
    "/home.html": """<title>home</title><a href="OTHER/away.html">link</a>
        <button onclick="location = 'OTHER/away.html'">script</button>
        <form action="OTHER/away.html" method=post><button>post</button></form>
        <button onclick="location = '/to?OTHER/away.html'">redirect</button>
        <button onclick="window.open('OTHER/away.html')">window</button>
        <button onclick="setTimeout(() => { location = 'OTHER/away.html' }, 1500)">by itself</button>
        <button onclick="location = 'data:text/html,x'">data</button>
        <iframe src="OTHER/frame.html"></iframe><a href=/near.html>near</a>""",
    "/away.html": "<title>away</title>Away<script>say('away')</script>",
    "/near.html": "<title>near</title>Near",
    "/frame.html": "<title>frame</title>Framed",
}
WAYS = ["link", "script", "post", "redirect", "window"]


@pytest.fixture(scope="module", autouse=True)
def pages(site):
    site.pages.update(PAGES)


@pytest.fixture(autouse=True)
def nothing_said(site):
    site.said.clear()


class Person:
    """Answers as told, and remembers nothing: what was asked is in `browsing.asked`."""

    decision = "once"

    def __call__(self, _question):
        return {"decision": self.decision}


@pytest.fixture(scope="module", params=["headless-shell", "chrome"])
def asking(request):
    person = Person()
    browser = {"allow_scripts": False}
    with Browsing(
        engine=request.param, answers=person, web={"allow_domains": ["127.0.0.1"]}, browser=browser
    ) as browsing:
        browsing.person = person
        yield browsing


@pytest.fixture(autouse=True)
def nothing_asked(request):
    if "asking" in request.fixturenames:
        request.getfixturevalue("asking").asked.clear()


@covers("WEB-33")
def test_nothing_starts_before_the_decision(site):
    with Browsing(
        answers=lambda _question: {"decision": "deny", "reason": "no"}, web={"allow_domains": []}
    ) as browsing:
        error = browsing.do("navigate", url=f"{site.url}/home.html", fails=True)["error"]
        assert "declined" in error
        assert browsing.asked[0]["key"] == "web:127.0.0.1"
        assert browsing.asked[0]["kind"] == "network"
        assert browsing.asked[0]["detail"] == f"GET {site.url}/home.html"
        for action, arguments in [("click", {"selector": "a"}), ("nonsense", {}), ("navigate", {})]:
            browsing.do(action, **arguments, fails=True)
        assert browsing.host.call("$/status")["result"]["browsers"] == []


@covers("WEB-33")
@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://user:pw@127.0.0.1/", "credentials"),
        ("http://169.254.169.254/latest", "not even browser.allow_local"),
        ("http://0.0.0.0/", "not even browser.allow_local"),
        ("ftp://127.0.0.1/", "scheme"),
    ],
)
def test_refused_outright(asking, url, words):
    assert words in asking.do("navigate", url=url, fails=True)["error"]
    assert asking.asked == []


@covers("WEB-33")
def test_what_is_local_needs_its_setting(site):
    with Browsing(web={"allow_domains": ["*"], "allow_private": True}, browser={"allow_local": False}) as browsing:
        for url in (site.url, site.other, "http://10.1.2.3/"):
            assert "browser.allow_local" in browsing.do("navigate", url=f"{url}/home.html", fails=True)["error"]


@covers("WEB-34")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("decision", ["once", "deny"])
def test_another_host_is_asked_about_during_an_action(asking, site, way, decision):
    asking.person.decision = decision
    asking.do("tabs", op="list")
    asking.do("navigate", url=f"{site.url}/home.html")
    declined = decision == "deny" and way != "window"
    output = asking.do("click", selector=f"text={way}", fails=declined)
    if way == "window":
        assert asking.asked == []  # a window that nobody attends to yet: it stays where it is, and that is told
        tab = output["note"].partition("opened: ")[2].split()[0]
        output = asking.do("tabs", op="switch", tab=tab)
        assert output["url"] == "about:blank"
        assert "localhost" in output["refused"][0]
        asking.do("tabs", op="close", tab=tab)
        assert site.said == []
        return
    (question,) = asking.asked
    assert question["key"] == "web:localhost"
    assert "by itself" in question["detail"]
    assert ("POST" if way == "post" else "GET") in question["detail"]
    if decision == "once":
        assert output["title"] == "away"
        site.wait_for("away")
    else:
        assert output["title"] == "home"
        assert any("localhost" in one for one in output["refused"])
        assert site.said == []


@covers("WEB-34")
def test_another_host_is_refused_when_no_action_runs(asking, site):
    asking.do("navigate", url=f"{site.url}/home.html")
    asking.do("click", selector="text=by itself")
    end = time.monotonic() + 5
    while not (refused := asking.do("console").get("refused")):
        assert time.monotonic() < end
    assert "navigate to" in refused[0]
    assert asking.asked == []
    assert asking.do("console")["title"] == "home"
    assert site.said == []


@covers("WEB-34")
def test_the_current_host_and_frames_are_not_asked_about(asking, site):
    asking.do("navigate", url=f"{site.url}/home.html")
    assert "Framed" in asking.text()
    assert asking.do("click", selector="text=near")["title"] == "near"
    assert asking.do("back")["title"] == "home"
    assert asking.asked == []


@covers("WEB-34")
def test_schemes_of_no_host_stay_where_they_are(asking, site):
    asking.do("navigate", url=f"{site.url}/home.html")
    assert asking.do("click", selector="text=data")["title"] == "home"


@covers("AUDIT-07", "WEB-32")
def test_refusals_of_the_proxy_are_told_once_for_a_host_and_page(site):
    images = "".join(f"<img src=http://{host}.example/{number}>" for host in ("one", "two") for number in range(9))
    site.pages["/refused.html"] = f"<title>refused</title>{images}"
    with Browsing(web={"deny_domains": ["*.example"]}) as browsing:
        for visit in ("first", "second"):
            browsing.do("navigate", url=f"{site.url}/refused.html?{visit}")
            events = [browsing.host.find(is_refusal)["params"] for _host in range(2)]
            assert {event["target"] for event in events} == {"one.example", "two.example"}
            assert all(event["rule"] == "web.deny_domains: *.example" for event in events)
        assert browsing.audit().count('"kind":"egress"') == 4


def is_refusal(message):
    return message.get("method") == "audit/event" and message["params"]["kind"] == "egress"


@covers("WEB-35")
def test_scripts_are_asked_about(asking, site):
    asking.person.decision = "once"
    asking.do("navigate", url=f"{site.url}/home.html")
    assert asking.do("script", script="1 + 1")["result"] == "2"
    (question,) = asking.asked
    assert (question["kind"], question["key"], question["detail"]) == ("script", "browser:script", "1 + 1")
    asking.person.decision = "deny"
    assert "declined" in asking.do("script", script="2 + 2", fails=True)["error"]
    asking.person.decision = "once"
    asking.do("script", script="'" + "x" * 5000 + "'")
    assert asking.asked[-1]["detail"].endswith("(5002 characters in all)")


@covers("WEB-35")
@pytest.mark.parametrize(
    ("rules", "runs", "asks"),
    [
        ({"allow": ["browser(script)"]}, True, 0),
        ({"deny": ["browser(script)"]}, False, 0),
        ({"ask": ["browser(script)"], "allow": ["browser(script)"]}, True, 1),
    ],
)
def test_rules_on_scripts(site, rules, runs, asks):
    with Browsing(
        answers=lambda _question: {"decision": "once"}, permissions=rules, browser={"allow_scripts": True}
    ) as browsing:
        browsing.do("navigate", url=f"{site.url}/near.html")
        browsing.do("script", script="1", fails=not runs)
        assert len(browsing.asked) == asks


@covers("WEB-35", "WEB-31")
@pytest.mark.parametrize("mode", ["plan", "read_only"])
def test_no_browser_in_modes_that_only_read(asking, site, mode):
    context = {"mode": mode}
    names = [tool["name"] for tool in asking.host.call("tools/list", {"context": context})["result"]["tools"]]
    assert "browser" not in names
    message = asking.call("navigate", url=f"{site.url}/near.html", context=context)
    assert message["error"]["data"]["reason"] == "unknown_tool"


@covers("WEB-34")
def test_unattended_turns_ask_nobody(asking, site):
    context = {"mode": "unattended"}
    asking.call("navigate", url=f"{site.url}/home.html", context=context)
    output = asking.call("click", selector="text=link", context=context)["result"]["output"]
    assert (output["title"], asking.asked) == ("home", [])
    assert "unattended" in output["refused"][0]


@covers("BROWSER-08")
def test_uploads_come_from_allowed_folders_by_a_persons_word(site, tmp_path):
    site.pages["/up.html"] = """<title>up</title><label for=f>Choose</label>
        <input type=file id=f style=display:none onchange="say('got '+this.files[0].name)"><p id=p>text</p>"""
    inside, outside = tmp_path / "in", tmp_path / "secret.txt"
    inside.mkdir()
    (inside / "a.txt").write_text("a")
    outside.write_text("s")
    (inside / "link.txt").symlink_to(outside)
    with Browsing(answers=lambda _question: {"decision": "once"}, files={"upload_dirs": [str(inside)]}) as browsing:
        browsing.do("navigate", url=f"{site.url}/up.html")
        for path in (outside, inside / "link.txt", inside / ".." / "secret.txt"):
            assert "upload_dirs" in browsing.do("upload", selector="#f", files=[str(path)], fails=True)["error"]
        assert browsing.asked == []
        browsing.do("upload", selector="text=Choose", files=[str(inside / "a.txt")])
        site.wait_for("got a.txt")
        assert [(one["kind"], one["key"]) for one in browsing.asked] == [("upload", "browser:upload")]
        assert (
            "takes no files" in browsing.do("upload", selector="#p", files=[str(inside / "a.txt")], fails=True)["error"]
        )
        assert "no file" in browsing.do("upload", selector="#f", files=[str(inside / "none")], fails=True)["error"]
