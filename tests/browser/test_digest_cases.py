"""The cases of tests/cases/browser, through the digest tools, on each engine; the site knows what really happened."""

from __future__ import annotations

import time

import pytest

from tests.support.covers import covers
from tests.support.digesting import Digesting


@pytest.fixture(scope="module", params=["headless-shell", "chrome"])
def digests(request):
    with Digesting(engine=request.param) as digests:
        yield digests


@pytest.fixture(autouse=True)
def nothing_said(site):
    site.said.clear()


@covers("BROWSER-06", "DIGEST-07")
@pytest.mark.parametrize(("accept", "text"), [(True, "was saved"), (False, "was dropped")])
def test_b01_late_confirm(digests, site, accept, text):
    digests.navigate(f"{site.url}/b01.html")
    begin = time.monotonic()
    told = digests.click("Save")["text"]
    assert time.monotonic() - begin < 2
    assert "Save it?" in told
    if accept:
        digests.do("dialog", accept=True)
    assert text in digests.state()["text"]
    assert time.monotonic() - begin < 4


@covers("DIGEST-19")
@pytest.mark.parametrize(("name", "why"), [("Kept", "readonly"), ("Off", "disabled")])
def test_b02_fields_that_take_nothing(digests, site, name, why):
    digests.navigate(f"{site.url}/b02.html")
    refused = digests.fill(name, "changed", fails=True)
    assert why in refused["text"]
    digests.click("Report")
    site.wait_for("KEEP/STAY")


@covers("BROWSER-05")
def test_b03_covered_button(digests, site):
    digests.navigate(f"{site.url}/b03.html")
    begin = time.monotonic()
    error = digests.click("Pay now", fails=True)["text"]
    assert time.monotonic() - begin < 1
    assert "Cookie notice" in error
    assert "Close notice" in error
    assert site.said == []
    digests.click("Close notice")
    digests.click("Pay now")
    site.wait_for("paid")


@covers("DIGEST-07")
def test_b04_empty_answer(digests, site):
    digests.navigate(f"{site.url}/b04.html")
    begin = time.monotonic()
    assert "done" in digests.click("Send")["text"]
    assert time.monotonic() - begin < 1


@covers("DIGEST-05")
def test_b05_hash(digests, site):
    digests.navigate("about:blank")
    before = digests.navigate(f"{site.url}/b05.html")["output"]["page_text"]
    assert digests.navigate(f"{site.url}/b05.html#part")["output"]["page_text"] == before


@covers("BROWSER-06")
def test_b06_leaving_a_form(digests, site):
    digests.navigate(f"{site.url}/b06.html")
    digests.fill("Note", "abc")
    told = digests.navigate(f"{site.url}/b05.html")
    assert told["output"]["title"] == "b05"
    assert "whether to leave" in told["text"]


@covers("DIGEST-12", "DIGEST-13")
def test_b07_insertion(digests, site):
    digests.navigate(f"{site.url}/b07.html")
    old, beta = digests.generation, digests.index("Delete Beta")
    digests.click("Add rows")
    stale = digests.call("browser_click", index=beta, generation=old)
    assert stale["is_error"]
    assert stale["text"].startswith("ERROR: stale element index")
    assert "Delete One" in stale["text"]
    assert site.said == []
    digests.click("Delete Beta")
    site.wait_for("Beta")
    assert site.said == ["Beta"]


@covers("DIGEST-12")
def test_b07_an_element_that_merely_moved_is_still_itself(digests, site):
    digests.navigate(f"{site.url}/b07.html")
    generation, beta = digests.generation, digests.index("Delete Beta")
    digests.do("script", script="add()")
    result = digests.call("browser_click", index=beta, generation=generation)
    assert not result["is_error"]
    site.wait_for("Beta")
    assert site.said == ["Beta"]


@covers("DIGEST-12")
def test_b07_an_element_that_is_gone_is_stale(digests, site):
    digests.navigate(f"{site.url}/b07.html")
    generation, beta = digests.generation, digests.index("Delete Beta")
    digests.do("script", script="list.innerHTML = list.innerHTML")
    result = digests.call("browser_click", index=beta, generation=generation)
    assert result["text"].startswith("ERROR: stale element index")
    assert result["output"]["generation"] == generation + 1
    assert site.said == []


@covers("DIGEST-16")
def test_b08_same_name(digests, site):
    digests.navigate(f"{site.url}/b08.html")
    buttons = [one for one in digests.elements if one["name"] == "Delete"]
    assert len(buttons) == 3
    digests.call("browser_click", index=buttons[1]["index"], generation=digests.generation)
    site.wait_for("2")


@covers("DIGEST-08")
def test_b09_typed_events(digests, site):
    digests.navigate(f"{site.url}/b09.html")
    told = digests.fill("Word", "abc")
    assert 'now holds "abc"' in told["text"]
    site.wait_for("change abc")
    site.wait_for("input abc")
    site.wait_for("keydown ab")


@covers("DIGEST-16")
def test_b10_other_origins_frame(digests, site):
    digests.navigate(f"{site.url}/b10.html")
    digests.click("Inside")
    site.wait_for("framed")


@covers("DIGEST-09")
def test_b11_password(digests, site):
    shown = [digests.navigate(f"{site.url}/b11.html")]
    assert [one["name"] for one in digests.elements if one.get("protected")] == ["Secret", "Card"]
    shown += [digests.fill(name, "4111111111111111", fails=True) for name in ("Secret", "Card")]
    assert all("protected" in one["text"] for one in shown[1:])
    for mode in ({"mode": "text"}, {"mode": "links"}, {"mode": "html", "selector": "form"}):
        shown.append(digests.call("browser_extract", **mode))
    shown += [digests.call("browser_find", pattern="value"), digests.call("browser_screenshot")]
    told = f"{shown}{digests.audit()}{digests.host.log()}"
    assert "s3cretvalue" not in told
    assert "4111" not in told


@covers("DIGEST-09")
def test_b11_where_it_is_allowed(site):
    with Digesting(browser={"allow_sensitive_fill": True}) as digests:
        digests.navigate(f"{site.url}/b11.html")
        told = digests.fill("Secret", "n3wpassword")
        assert "n3wpassword" not in f"{told}{digests.state()}"
        script = "document.forms[0].p.value.length"
        assert digests.do("script", script=script)["result"] == "11"


@covers("DIGEST-05", "DIGEST-04")
def test_b12_slow_spa(digests, site):
    digests.navigate(f"{site.url}/b12.html")
    assert "Loaded: late" in digests.click("Load")["text"]
