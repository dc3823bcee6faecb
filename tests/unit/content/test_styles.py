"""Which inline styles hide text: every trick, and what looks like one and is none."""

from __future__ import annotations

import pytest

from blitzweb.content.styles import hides
from tests.support.content import page
from tests.support.covers import covers

HIDING = """
display:none|DISPLAY : NONE|display:none !important|display:/**/none|d\\69 splay:none|display:none;display:bogus
display:none!important;display:block|display:none;display:block!ie|visibility: hidden|visibility:collapse
opacity:0|opacity:0.0|opacity:0%|opacity:.01|filter:opacity(0)|content-visibility:hidden
font-size:0|font-size:0px;|font-size:1px|font-size:0.01em|font:0/0 a
position:absolute;left:-9999px|position:fixed;top:-100em|text-indent:-9999px|margin-left:-9999px
transform:scale(0)|transform:translateX(-9999px)
position:absolute;clip:rect(0,0,0,0)|clip: rect(0 0 0 0)|clip:rect(1px,1px,1px,1px)
clip-path:inset(100%)|clip-path: inset(50%)
height:0;overflow:hidden|width:1px;height:1px;overflow:hidden|max-height:0;overflow:hidden
color:transparent|color:rgba(0,0,0,0)|color:#ffffff00|color:#fff;background:#ffffff|color:white;background-color:#FFF
"""
SHOWING = """
display:block|display:none;display:block|visibility:visible|opacity:1|opacity:0.5
font-size:0.9em|font-size:10px|font:14px/1.5 a
position:absolute;left:-10px|text-indent:-1em|margin:-1px|margin:0 auto|transform:translateX(-50%)|left:-9999px
clip:auto|clip-path:inset(0)|clip-path:inset(10px)
height:0|overflow:hidden|width:100%;overflow:hidden|height:100px;overflow:hidden
color:#fff|color:#fff;background:#000|color:rgba(0,0,0,.5)|color:rgb(0,0,0)|color:rgba(0,0,0,1.0)
color:transparent;-webkit-background-clip:text|background:url(data:image/png;base64,none)|nonsense|
"""


def styles(text: str) -> list[str]:
    return [style for line in text.strip("\n").split("\n") for style in line.split("|")]


@covers("CONTENT-02")
@pytest.mark.parametrize("style", styles(HIDING))
def test_hiding(style: str) -> None:
    assert hides(style)
    document = page(f"seen <span style='{style}'>unseen</span>")
    assert document.content == "seen"
    assert document.hidden_dropped == len("unseen")


@pytest.mark.parametrize("style", styles(SHOWING))
def test_showing(style: str) -> None:
    assert not hides(style)
    assert page(f"<p style='{style}'>seen</p>").content == "seen"


@covers("CONTENT-02")
@pytest.mark.parametrize(
    "hidden",
    [
        "<div hidden>unseen</div>",
        "<div hidden=until-found>unseen</div>",
        "<div aria-hidden=true>unseen</div>",
        "<div aria-hidden=' TRUE '>unseen</div>",
        "<dialog>unseen</dialog>",
        "<div popover>unseen</div>",
        "<div hidden><p>un<b>seen</b></p><script>x</script></div>",
        "<div hidden id=S:0>unseen</div>",
    ],
)
def test_hidden_elements_are_dropped_and_counted(hidden: str) -> None:
    document = page(f"<p>seen</p>{hidden}")
    assert document.content == "seen"
    assert document.hidden_dropped == len("unseen")


@pytest.mark.parametrize(
    "shown",
    [
        "<div aria-hidden=false>seen</div>",
        "<dialog open>seen</dialog>",
        '<div hidden id="S:0">seen</div><script>$RC("B:0","S:0")</script>',
        "<details><summary>seen</summary></details>",
    ],
)
def test_what_a_person_sees_stays(shown: str) -> None:
    document = page(shown)
    assert document.content == "seen"
    assert document.hidden_dropped == 0
