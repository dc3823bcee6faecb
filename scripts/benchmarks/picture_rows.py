"""Rows for walkthroughs: an animation out of frames, spliced by us and encoded by Pillow."""

from __future__ import annotations

import io
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from row import Bench, Sample, Unavailable, timed

sys.path.insert(0, str(Path(__file__).parents[2]))

from blitzweb.limits import FRAME_MS
from blitzweb.pictures.apng import splice
from tests.support.png import make_png

SIZE = (1280, 800)
FRAMES = 30
ROW_BYTES = 1 + 3 * SIZE[0]


def make_frames() -> list[bytes]:
    """Return frames like those of pages: white, with lines of dark specks as text has, a little longer each time."""
    chance = random.Random(1)
    white = b"\0" + b"\xff" * (ROW_BYTES - 1)
    lines = [[_text_row(chance) if row % 20 < 12 else white for row in range(20)] for _ in range(SIZE[1] // 20)]
    blank = [white] * 20
    pages = [[*lines[:end], *[blank] * (len(lines) - end)] for end in range(11, 11 + FRAMES)]
    return [make_png(b"".join(row for line in page for row in line), SIZE) for page in pages]


def _text_row(chance: random.Random) -> bytes:
    specks = b"".join(bytes([chance.choice((255, 255, 255, 40))]) * 3 for _ in range(SIZE[0] * 3 // 5))
    return b"\0" + specks + b"\xff" * (ROW_BYTES - 1 - len(specks))


@contextmanager
def beside_pillow() -> Iterator[tuple[Sample, Sample]]:
    """The same frames by both; Pillow decodes and encodes them, as it must."""
    try:
        from PIL import Image
    except ImportError:
        raise Unavailable("Pillow is not installed") from None
    pngs = make_frames()

    def encode() -> None:
        first, *others = [Image.open(io.BytesIO(png)) for png in pngs]
        first.save(io.BytesIO(), "PNG", save_all=True, append_images=others, duration=FRAME_MS)

    yield timed(lambda: splice(pngs), 5), timed(encode)


BENCHES = (
    Bench(
        name="animation",
        what=f"{FRAMES} frames of {SIZE[0]}x{SIZE[1]} into an APNG",
        floor="Pillow, of the same frames",
        target=0.02,
        prepare=beside_pillow,
        rounds=5,
    ),
)
