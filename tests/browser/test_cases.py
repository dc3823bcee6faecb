"""The cases of tests/cases/browser, through `browser`, on each engine; the site knows what really happened."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.support.covers import covers


@pytest.fixture(autouse=True)
def nothing_said(site):
    site.said.clear()


@covers("BROWSER-06")
@pytest.mark.parametrize(("accept", "text"), [(True, "was saved"), (False, "was dropped")])
def test_b01_late_confirm(both, site, accept, text):
    both.do("navigate", url=f"{site.url}/b01.html")
    begin = time.monotonic()
    output = both.do("click", selector="text=Save")
    assert time.monotonic() - begin < 2
    assert output["dialog"] == {"type": "confirm", "message": "Save it?"}
    assert both.do("dialog", accept=accept)["result"].startswith("the confirm was")
    assert text in both.text()
    assert time.monotonic() - begin < 4


@covers("BROWSER-06")
def test_b01_a_question_that_is_not_answered_is_dismissed_and_told(both, site):
    both.do("navigate", url=f"{site.url}/b01.html")
    both.do("click", selector="text=Save")
    output = both.do("read")
    assert 'confirm "Save it?" was dismissed' in output["note"]
    assert "was dropped" in both.text()


@covers("WEB-31")
@pytest.mark.parametrize(("field", "why"), [("#k", "read-only"), ("#o", "disabled")])
def test_b02_fields_that_take_nothing(both, site, field, why):
    both.do("navigate", url=f"{site.url}/b02.html")
    assert why in both.do("type", selector=field, text="changed", fails=True)["error"]
    both.do("click", selector="text=Report")
    site.wait_for("KEEP/STAY")


@covers("BROWSER-05")
def test_b03_covered_button(both, site):
    both.do("navigate", url=f"{site.url}/b03.html")
    begin = time.monotonic()
    error = both.do("click", selector="text=Pay now", fails=True)["error"]
    assert time.monotonic() - begin < 1
    assert "Cookie notice" in error
    assert "Close notice" in error
    assert site.said == []
    both.do("click", selector="text=Close notice")
    both.do("click", selector="text=Pay now")
    site.wait_for("paid")


@covers("WEB-31")
def test_b04_empty_answer(both, site):
    both.do("navigate", url=f"{site.url}/b04.html")
    begin = time.monotonic()
    both.do("click", selector="text=Send")
    assert time.monotonic() - begin < 1
    assert "done" in both.text()


@covers("BROWSER-03")
def test_b05_hash(both, site):
    both.do("navigate", url="about:blank")
    both.do("navigate", url=f"{site.url}/b05.html")
    count = both.do("read", selector="#n")["text"]
    output = both.do("navigate", url=f"{site.url}/b05.html#part")
    assert output["url"].endswith("#part")
    assert both.do("read", selector="#n")["text"] == count


@covers("BROWSER-06")
def test_b06_leaving_a_form(both, site):
    both.do("navigate", url=f"{site.url}/b06.html")
    both.do("type", selector="#i", text="abc")
    output = both.do("navigate", url=f"{site.url}/b05.html")
    assert output["title"] == "b05"
    assert "whether to leave" in output["note"]


@covers("BROWSER-04")
def test_b07_insertion(both, site):
    both.do("navigate", url=f"{site.url}/b07.html")
    both.do("click", selector="text=Add rows")
    both.do("click", selector="text=Delete Beta")
    site.wait_for("Beta")
    assert site.said == ["Beta"]


@covers("BROWSER-04")
def test_b08_same_name(both, site):
    both.do("navigate", url=f"{site.url}/b08.html")
    error = both.do("click", selector="text=Delete", fails=True)["error"]
    assert "3 elements" in error
    assert all(f"Invoice {number}" in error for number in (1, 2, 3))
    assert site.said == []


@covers("WEB-31")
def test_b09_typed_events(both, site):
    both.do("navigate", url=f"{site.url}/b09.html")
    output = both.do("type", selector="#i", text="abc")
    wanted = ["change abc", "input a", "input ab", "input abc", "keydown", "keydown a", "keydown ab"]
    for said in wanted:
        site.wait_for(said)
    assert sorted(said.strip() for said in site.said) == wanted  # reports may overtake each other
    assert '"abc"' in output["result"]


@covers("BROWSER-04")
def test_b10_other_origins_frame(both, site):
    both.do("navigate", url=f"{site.url}/b10.html")
    both.do("click", selector="text=Inside")
    site.wait_for("framed")
    assert "Inside" in both.text()


@covers("BROWSER-09")
def test_b11_password(both, site):
    read_it = "document.forms[0].p.value"
    scripts = (
        read_it,
        "document.body.innerHTML",
        f"alert({read_it})",
        f"document.title = {read_it}; console.log({read_it})",
    )
    shown = [
        both.call("record"),
        both.call("navigate", url=f"{site.url}/b11.html"),
        both.call("read"),
        both.call("html"),
    ]
    shown += [both.call("script", script=script) for script in scripts]
    shown += [
        both.call("read", selector="[type=password]"),
        both.call("type", selector="[type=password]", text="another5ecret"),
    ]
    shown.append(both.call("stop_recording"))
    folder = Path(shown[-1]["result"]["output"]["recording"])
    told = "".join(path.read_text() for path in folder.iterdir() if path.suffix in {".json", ".html"})
    told += f"{shown}{both.audit()}{both.host.log()}"
    assert "s3cretvalue" not in told
    assert "another5ecret" not in told
    assert "[REDACTED]" in told


@covers("WEB-31")
def test_b12_slow_spa(both, site):
    both.do("navigate", url=f"{site.url}/b12.html")
    both.do("click", selector="text=Load")
    both.do("wait", text="Loaded: late")
    assert "Loaded: late" in both.text()
