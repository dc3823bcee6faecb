"""Every action of `browser` on pages of our own, with a real browser (WEB-31, BROWSER-08)."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from blitzweb.pictures.measure import image_size
from tests.support.covers import covers

FORM = """<title>form</title>
<form action=/after.html><input name=q><button>Go</button></form>
<select id=many multiple><option value=1>One</option><option value=2>Two</option></select>
<select id=one onchange="say('chose '+value)"><option>A<option value=bee>B<option disabled>C</select>
<textarea id=area></textarea><div id=rich contenteditable>x</div><input id=number type=number value=12>
<p id=keys tabindex=0 onkeydown="say('key '+(event.ctrlKey?'C-':'')+event.key)">keys</p>"""
PAGES = {
    "/form.html": FORM,
    "/after.html": "<title>after</title>After",
    "/mouse.html": """<title>mouse</title><button onclick="say('click '+event.isTrusted)" ondblclick="say('double')"
        oncontextmenu="say('right');event.preventDefault()" onmouseover="say('over')">Target</button>
        <div style="height:3000px"></div><button onclick="say('far')">Far away</button>
        <div id=a style="width:50px;height:50px;background:red" onmousedown="say('down')">A</div>
        <div id=b style="width:50px;height:50px;background:blue" onmouseup="say('up')">B</div>""",
    "/read.html": "<title>read</title><h1>Head</h1><p style=display:none>hidden</p><p id=p>Some <b>bold</b> words</p>",
    "/long.html": "<title>long</title><p id=p></p><script>p.textContent='é'.repeat(100000)</script>",
    "/late.html": "<title>late</title><p id=p>busy</p><script>setTimeout(()=>{p.textContent='ready'},200)</script>",
    "/console.html": """<title>console</title><script>console.log('a', 1, {b: 'c'}, [1, 2], null, undefined);
        console.warn('w'); console.error('x'.repeat(5000)); throw new Error('thrown')</script>""",
    "/upload.html": """<title>upload</title><label for=f>Choose</label><input type=file id=f style=display:none
        onchange="say('file '+this.files[0].name+' '+this.files[0].size)">""",
    "/emulate.html": "<title>emulate</title>x",
}


@pytest.fixture(scope="module", autouse=True)
def pages(site):
    site.pages.update(PAGES)


@pytest.fixture(autouse=True)
def nothing_said(site):
    site.said.clear()


def at(browsing, site, name):
    return browsing.do("navigate", url=f"{site.url}/{name}.html")


@covers("WEB-31")
def test_typing_replaces_appends_and_submits(browsing, site):
    at(browsing, site, "form")
    browsing.do("type", selector="#area", text="first")
    assert '"second"' in browsing.do("type", selector="#area", text="second")["result"]
    assert '"second line"' in browsing.do("type", selector="#area", text=" line", append=True)["result"]
    assert '"two\nlines"' in browsing.do("type", selector="#area", text="two\nlines")["result"]
    assert '""' in browsing.do("type", selector="#area", text="")["result"]
    assert '"hello"' in browsing.do("type", selector="#rich", text="hello")["result"]
    assert '"hello you"' in browsing.do("type", selector="#rich", text=" you", append=True)["result"]
    assert '"123"' in browsing.do("type", selector="#number", text="3", append=True)["result"]
    output = browsing.do("type", selector="[name=q]", text="x y", submit=True)
    assert (output["title"], output["url"]) == ("after", f"{site.url}/after.html?q=x+y")


@covers("WEB-31")
def test_long_text_is_inserted_whole(browsing, site):
    at(browsing, site, "form")
    text = "0123456789" * 60
    output = browsing.do("type", selector="#area", text=text)
    assert "600 characters" in output["result"]
    assert browsing.do("read", selector="#area")["text"] == text


@covers("WEB-31")
def test_options_are_chosen_by_value_or_text(browsing, site):
    at(browsing, site, "form")
    assert browsing.do("select", selector="#many", value=["One", "2"])["result"].endswith("One, Two")
    browsing.do("select", selector="#one", value="bee")
    site.wait_for("chose bee")
    error = browsing.do("select", selector="#one", value="Z", fails=True)["error"]
    assert all(f'"{name}"' in error for name in "ABCZ")
    assert "disabled" in browsing.do("select", selector="#one", value="C", fails=True)["error"]
    assert "one option only" in browsing.do("select", selector="#one", value=["A", "bee"], fails=True)["error"]
    assert "use select" in browsing.do("type", selector="#one", text="A", fails=True)["error"]


@covers("BROWSER-08")
def test_keys_and_chords(browsing, site):
    at(browsing, site, "form")
    browsing.do("press", selector="#keys", text="Control+k")
    site.wait_for("key C-k")
    browsing.do("press", text="ArrowDown")
    site.wait_for("key ArrowDown")
    browsing.do("type", selector="#area", text="gone")
    browsing.do("press", selector="#area", text="Control+A")
    browsing.do("press", text="Delete")
    assert browsing.do("read", selector="#area")["text"] == ""
    assert "names no key" in browsing.do("press", text="Nokey", fails=True)["error"]


@covers("WEB-31", "BROWSER-08")
def test_the_mouse_is_real(browsing, site):
    at(browsing, site, "mouse")
    browsing.do("click", selector="text=Target")
    site.wait_for("click true")
    browsing.do("click", selector="text=Target", count=2)
    site.wait_for("double")
    browsing.do("click", selector="text=Target", button="right")
    site.wait_for("right")
    browsing.do("click", selector="text=Far away")
    site.wait_for("far")
    browsing.do("drag", selector="#a", to="#b")
    site.wait_for("down")
    site.wait_for("up")
    site.said.clear()
    browsing.do("hover", selector="text=Target")
    site.wait_for("over")


@covers("BROWSER-08")
def test_scrolling(browsing, site):
    at(browsing, site, "mouse")
    assert "the page is at 0, 500" in browsing.do("scroll", dy=500)["result"]
    browsing.do("scroll", selector="text=Far away")
    assert int(browsing.do("script", script="scrollY")["result"]) > 2000


@covers("WEB-31")
def test_reading_text_and_markup(browsing, site):
    at(browsing, site, "read")
    assert browsing.text() == "Head\n\nSome bold words"
    assert browsing.do("read", selector="#p")["text"] == "Some bold words"
    assert browsing.do("html", selector="#p")["text"] == '<p id="p">Some <b>bold</b> words</p>'
    assert browsing.do("read", selector="p[style]", fails=True)["error"].endswith("none of them is visible")


@covers("WEB-31")
@pytest.mark.parametrize(
    ("action", "more", "name"),
    [("read", {}, "text"), ("html", {}, "text"), ("script", {"script": "p.textContent"}, "result")],
)
def test_long_results_are_cut_at_a_character(browsing, site, action, more, name):
    at(browsing, site, "long")
    output = browsing.do(action, **more)
    assert output["truncated"] is True
    assert 102_300 < len(output[name].encode()) <= 102_400
    assert "�" not in output[name]


@covers("WEB-35")
def test_scripts(browsing, site):
    at(browsing, site, "read")
    for script, result in [
        ("1+1", "2"),
        ("'text'", "text"),
        ("({a: [1, null]})", '{"a":[1,null]}'),
        ("Promise.resolve('later')", "later"),
        ("undefined", "undefined"),
        ("const x = 4; x * 2", "8"),
    ]:
        assert browsing.do("script", script=script)["result"] == result
    assert "Error: no" in browsing.do("script", script="throw new Error('no')", fails=True)["error"]
    assert browsing.do("script", script="location.href = '/after.html'; 1")["title"] == "after"


@covers("WEB-31")
def test_console_messages_are_told_once(browsing, site):
    console = at(browsing, site, "console")["console"]
    assert console[0] == {"level": "log", "text": 'a 1 {"b":"c"} [1,2] null undefined'}
    assert console[1] == {"level": "warning", "text": "w"}
    assert len(console[2]["text"].encode()) <= 2000
    assert "Error: thrown" in console[3]["text"]
    assert "console" not in browsing.do("console")
    browsing.do("script", script="for (let i = 0; i < 300; i++) console.log(i)")["console"]
    browsing.do("script", script="setTimeout(() => { for (let i = 0; i < 300; i++) console.log(i) }, 0)")


@covers("WEB-31")
def test_of_many_console_messages_the_last_are_told(browsing, site):
    at(browsing, site, "read")
    console = browsing.do("script", script="for (let i = 0; i < 300; i++) console.log(i)")["console"]
    assert [entry["text"] for entry in console] == [str(number) for number in range(100, 300)]
    browsing.do("script", script="console.log('l'); console.error('e')")
    browsing.do("script", script="0")


@covers("BROWSER-08")
def test_waiting(browsing, site):
    at(browsing, site, "late")
    assert "shows" in browsing.do("wait", text="ready")["result"]
    assert "no longer" in browsing.do("wait", gone="busy")["result"]
    assert browsing.do("wait", url="*/late.html")["result"].endswith("/late.html")
    assert browsing.do("wait", idle=True)["result"] == "the network is idle"
    begin = time.monotonic()
    assert "does not show" in browsing.do("wait", text="never", seconds=0.3, fails=True)["error"]
    assert time.monotonic() - begin < 1


@covers("WEB-36")
def test_pictures(browsing, site):
    at(browsing, site, "mouse")
    for arguments, size in [
        ({}, (1280, 800)),
        ({"selector": "#a"}, (50, 50)),
        ({"format": "jpeg"}, (1280, 800)),
        ({"format": "webp"}, (1280, 800)),
    ]:
        result = browsing.call("screenshot", **arguments)["result"]
        (image,) = result["images"]
        data = Path(image["path"]).read_bytes()
        assert image_size(data) == size == (image["width"], image["height"])
        assert image["uri"].startswith("blitzweb-image:")
        assert image["audience"] == "assistant"
        assert Path(image["path"]).stat().st_mode & 0o777 == 0o600
    result = browsing.call("screenshot", full_page=True)["result"]
    assert max(result["images"][0]["width"], result["images"][0]["height"]) == 1568
    assert "1280 x 3" in result["output"]["result"]


@covers("BROWSER-08")
def test_pdf(browsing, site):
    at(browsing, site, "read")
    path = browsing.do("pdf")["result"].rpartition(" is in ")[2]
    assert Path(path).read_bytes().startswith(b"%PDF")


@covers("BROWSER-08")
def test_emulation(browsing, site):
    at(browsing, site, "emulate")
    browsing.do("emulate", viewport="400x300", dark=True, locale="de-DE", time_zone="Asia/Tokyo")
    dark = "matchMedia('(prefers-color-scheme: dark)').matches"
    script = f"[innerWidth, {dark}, (1.5).toLocaleString(), new Date(0).getHours()].join()"
    assert browsing.do("script", script=script)["result"] == "400,true,1,5,9"
    assert "no size" in browsing.do("emulate", viewport="big", fails=True)["error"]
    assert "no time zone" in browsing.do("emulate", time_zone="Mars/Base", fails=True)["error"]
    browsing.do("emulate", viewport="1280x800", dark=False, locale="", time_zone="")


@covers("BROWSER-08")
def test_requests_are_listed(browsing, site):
    at(browsing, site, "read")
    assert f"{site.url}/read.html 200" in browsing.do("network")["text"]
    browsing.do("script", script="fetch('/after.html?1').then(r => r.text())")
    listed = browsing.do("network")["text"]
    assert "GET" in listed
    number = listed.split("after.html?1")[0].rpartition("[")[2].partition("]")[0]
    browsing.do("script", script="fetch('/after.html?2').then(r => r.text())")
    number = int(number) + 1
    assert "After" in browsing.do("network", request=str(number))["text"]
    assert "no request" in browsing.do("network", request="9999", fails=True)["error"]


@covers("BROWSER-08")
def test_cookies_are_cleared(browsing, site):
    at(browsing, site, "read")
    browsing.do("script", script="document.cookie = 'a=b'")
    browsing.do("cookies", clear=True)
    assert browsing.do("script", script="document.cookie")["result"] == ""


@covers("BROWSER-08")
def test_steps_run_until_one_fails(browsing, site):
    at(browsing, site, "form")
    steps = [
        {"action": "type", "selector": "#area", "text": "one"},
        {"action": "select", "selector": "#one", "value": "nothing"},
        {"action": "type", "selector": "#area", "text": "two"},
    ]
    assert "no option" in browsing.do("steps", steps=steps, fails=True)["error"]
    assert browsing.do("read", selector="#area")["text"] == "one"
    assert "steps[1]" in browsing.do("steps", steps=[{"action": "fly"}], fails=True)["error"]


@covers("WEB-31")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"action": "click"}, "needs selector"),
        ({"action": "navigate"}, "needs url"),
        ({"action": "type", "selector": "#area"}, "needs text"),
        ({"action": "select", "selector": "#one"}, "needs value"),
        ({"action": "wait"}, "one of text, gone, url, idle"),
        ({"action": "wait", "text": "a", "gone": "b"}, "got text and gone"),
        ({"action": "scroll"}, "dx or dy"),
        ({"action": "tabs", "op": "close"}, "needs tab"),
        ({"action": "screenshot", "format": "gif"}, "jpeg, png, webp"),
        ({"action": "nothing"}, "action"),
    ],
)
def test_what_an_action_lacks_is_said(browsing, arguments, words):
    assert words in browsing.do(**arguments, fails=True)["error"]


@covers("WEB-31")
def test_the_name_of_an_action_is_folded(browsing, site):
    assert browsing.do(" NAVIGATE ", url=f"{site.url}/read.html")["title"] == "read"


@covers("BROWSER-05")
def test_a_cover_that_moves_away_is_waited_for(browsing, site):
    site.pages[
        "/splash.html"
    ] = """<title>splash</title><style>#p{position:fixed;inset:0;animation:away .2s .05s forwards}
        @keyframes away{to{transform:translateY(-100vh)}}</style>
        <button onclick="say('reached')">Target</button><div id=p>Splash</div>"""
    at(browsing, site, "splash")
    browsing.do("click", selector="text=Target")
    site.wait_for("reached")


@covers("WEB-31")
def test_fields_of_a_disabled_group_take_nothing(browsing, site):
    fields = "<input id=i><select id=s><option>A</select><button>B</button>"
    site.pages["/group.html"] = f"<title>group</title><fieldset disabled>{fields}</fieldset>"
    at(browsing, site, "group")
    assert "disabled" in browsing.do("type", selector="#i", text="x", fails=True)["error"]
    assert "disabled" in browsing.do("select", selector="#s", value="A", fails=True)["error"]
    assert "disabled" in browsing.do("click", selector="text=B", fails=True)["error"]
