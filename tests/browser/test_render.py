"""`web_fetch` with `render`: pages that are empty until their scripts have run (FETCH-13)."""

from __future__ import annotations

import pytest

from tests.support.browsing import Browsing
from tests.support.covers import covers
from tests.support.host import request

PAGE = """<title>app</title><div id=root></div><script>
setTimeout(() => {
  root.innerHTML = '<h1>Built</h1><p>by a script, <a href=/more>more</a></p><input type=password value=s3cretvalue>'
}, 100)</script>"""


def fetch(browsing, url, **more):
    browsing.host.send(
        request(
            "fetch", "tools/call", {"name": "web_fetch", "arguments": {"url": url, **more.pop("arguments", {})}, **more}
        )
    )
    return browsing.await_answer("fetch")


@covers("FETCH-13")
def test_a_page_is_read_as_its_scripts_left_it(site):
    site.pages["/app.html"] = PAGE
    with Browsing(web={"allow_private": True}) as browsing:
        plain = fetch(browsing, f"{site.url}/app.html")["result"]["output"]
        assert "Built" not in plain["content"]
        browsing.do("navigate", url=f"{site.url}/b05.html")
        message = fetch(browsing, f"{site.url}/app.html", arguments={"render": True, "format": "markdown"})
        output = message["result"]["output"]
        assert output["content"].startswith(f"# Built\n\nby a script, [more]({site.url}/more)")
        assert output["title"] == "app"
        assert "s3cretvalue" not in str(message)
        assert browsing.do("console")["title"] == "b05"
        assert len(browsing.do("tabs")["tabs"]) == 1


@covers("FETCH-13")
def test_it_asks_like_navigate_and_is_refused_where_only_reading_is_allowed(site):
    site.pages["/app.html"] = PAGE
    with Browsing(answers=lambda _question: {"decision": "deny"}, web={"allow_domains": []}) as browsing:
        told = fetch(browsing, f"{site.url}/app.html", arguments={"render": True})["result"]
        assert told["is_error"]
        assert [one["key"] for one in browsing.asked] == ["web:127.0.0.1"]
        context = {"mode": "plan"}
        told = fetch(browsing, f"{site.url}/app.html", arguments={"render": True}, context=context)["result"]
        assert "plan mode" in told["text"]
        assert browsing.host.call("$/status")["result"]["browsers"] == []


@covers("FETCH-13")
@pytest.mark.parametrize("url", ["http://169.254.169.254/", "http://localhost:1/"])
def test_what_is_refused_is_refused_here_too(site, url):
    with Browsing() as browsing:
        assert fetch(browsing, url, arguments={"render": True})["result"]["is_error"]


@covers("FETCH-13")
def test_without_a_browser_it_is_said(site):
    with Browsing(browser={"enabled": False}, web={"allow_private": True}) as browsing:
        told = fetch(browsing, f"{site.url}/b05.html", arguments={"render": True})["result"]
        assert "browser.enabled" in told["text"]
