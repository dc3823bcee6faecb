"""Animations out of PNGs: taken apart again, every frame is what it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blitzweb.limits import FRAME_MS
from blitzweb.pictures.apng import splice
from tests.support.covers import covers
from tests.support.png import CHANNELS, SIGNATURE, chunk, make_png, read_apng, row_bytes

sizes = st.tuples(st.integers(1, 5), st.integers(1, 4))


@st.composite
def series(draw):
    """Some frames of one size and colour type: their rows, and the PNGs."""
    size, colour = draw(sizes), draw(st.sampled_from(sorted(CHANNELS)))
    length = row_bytes(size[0], colour) * size[1]
    raws = draw(st.lists(st.binary(min_size=length, max_size=length), min_size=1, max_size=5))
    cuts = [draw(st.integers(0, 12)) for _ in raws]
    return raws, [make_png(raw, size, colour, cut) for raw, cut in zip(raws, cuts, strict=True)]


@covers("WEB-37")
@given(series())
def test_frames_come_back_equal(drawn):
    raws, pngs = drawn
    animation = splice(pngs)
    apart = read_apng(animation.data)
    assert animation.left_out == 0
    assert apart.frames == raws
    assert apart.promised == len(raws)
    assert apart.numbers == list(range(len(apart.numbers)))
    assert apart.delays == [FRAME_MS] * len(raws)
    assert (apart.kinds[0], apart.kinds[1], apart.kinds[-1]) == (b"IHDR", b"acTL", b"IEND")


@pytest.mark.parametrize(
    "odd",
    [
        pytest.param(make_png(size=(3, 2)), id="another size"),
        pytest.param(make_png(colour=6), id="another colour type"),
        pytest.param(make_png(colour=3), id="a palette"),
        pytest.param(b"", id="nothing"),
        pytest.param(b"GIF89a", id="no PNG"),
        pytest.param(make_png()[:-20], id="cut off"),
        pytest.param(SIGNATURE + chunk(b"IDAT", b"x") + make_png()[8:], id="pixels first"),
        pytest.param(SIGNATURE + make_png()[8:33] + chunk(b"IEND", b""), id="no pixels"),
        pytest.param(SIGNATURE + chunk(b"IHDR", b"short") + make_png()[33:], id="a short header"),
    ],
)
@covers("WEB-37")
@pytest.mark.parametrize("place", [0, 1, 2])
def test_what_does_not_fit_is_left_out_and_counted(odd, place):
    first, second = bytes([0, *range(1, 7)] * 2), bytes([0, *range(7, 13)] * 2)
    pngs = [make_png(first), make_png(second)]
    pngs.insert(place, odd)
    animation = splice(pngs)
    assert animation.left_out == 1
    assert read_apng(animation.data).frames == [first, second]


def test_palettes_must_be_equal():
    other = make_png(colour=3).replace(chunk(b"PLTE", bytes(range(3)) * 256), chunk(b"PLTE", b"abc"))
    animation = splice([make_png(colour=3), make_png(colour=3), other])
    assert animation.left_out == 1
    assert b"PLTE" in read_apng(animation.data).kinds


def test_colours_are_kept_and_other_chunks_are_not():
    png = make_png(extra=(chunk(b"sRGB", b"\0"), chunk(b"tEXt", b"Title\0secret")))
    kinds = read_apng(splice([png, make_png()]).data).kinds
    assert kinds[:3] == [b"IHDR", b"acTL", b"sRGB"]
    assert b"tEXt" not in kinds


@given(st.lists(st.binary(max_size=40) | st.binary(max_size=40).map(lambda tail: make_png()[:40] + tail), max_size=4))
def test_any_bytes_make_an_animation_or_none(pngs):
    animation = splice(pngs)
    assert animation.left_out <= len(pngs)
    assert bool(animation.data) is (animation.left_out < len(pngs))
