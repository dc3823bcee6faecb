"""Videos by ffmpeg: found, missing, failing, slow; a program that stands for it is put on the PATH."""

from __future__ import annotations

import os
import shutil

import pytest

from blitzweb.pictures.video import make_video
from tests.support.covers import covers
from tests.support.png import make_png

WORKS = """#!/bin/sh
env > said; for last in "$@"; do :; done
printf '%s\\n' "$@" > arguments; printf video > "${last#file:}"
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "walkthrough.png").write_bytes(make_png())
    return tmp_path


@pytest.fixture
def ffmpeg(tmp_path_factory, monkeypatch):
    """Put a script on the PATH in ffmpeg's place."""
    place = tmp_path_factory.mktemp("bin")
    monkeypatch.setenv("PATH", f"{place}:{os.environ['PATH']}")

    def put(script):
        program = place / "ffmpeg"
        program.write_text(script)
        program.chmod(0o755)

    return put


@covers("WEB-37")
@pytest.mark.parametrize("form", ["gif", "webm"])
def test_a_video_is_made_for_the_owner(folder, ffmpeg, form, monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "abcdefgh")
    ffmpeg(WORKS)
    assert make_video(str(folder), "walkthrough.png", form, 5) == ""
    video = folder / f"walkthrough.{form}"
    assert (video.read_bytes(), video.stat().st_mode & 0o777) == (b"video", 0o600)
    assert "file:walkthrough.png" in (folder / "arguments").read_text().splitlines()
    assert "SECRET_KEY" not in (folder / "said").read_text()
    assert set(os.listdir(folder)) == {"arguments", "said", video.name, "walkthrough.png"}


@covers("WEB-37")
@pytest.mark.parametrize(
    ("script", "seconds", "words"),
    [
        ("#!/bin/sh\necho first >&2; echo 'no such encoder' >&2; exit 1\n", 5, "ffmpeg failed (no such encoder)"),
        ("#!/bin/sh\nexit 3\n", 5, "ffmpeg failed (exit code 3)"),
        ("#!/bin/sh\nexec sleep 30\n", 0.2, "not done within"),
        ("no program", 5, "Exec format error"),
        (WORKS, 0, "had to be ended at once"),
    ],
)
def test_why_there_is_none(folder, ffmpeg, script, seconds, words):
    ffmpeg(script)
    assert words in make_video(str(folder), "walkthrough.png", "gif", seconds)
    assert os.listdir(folder) == ["walkthrough.png"]


@covers("WEB-37")
def test_without_ffmpeg(folder, monkeypatch):
    monkeypatch.setenv("PATH", str(folder))
    assert "ffmpeg is not on the PATH" in make_video(str(folder), "walkthrough.png", "webm", 5)


@covers("WEB-37")
@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not on the PATH")
@pytest.mark.parametrize(("form", "start"), [("gif", b"GIF89a"), ("webm", b"\x1a\x45\xdf\xa3")])
def test_with_the_real_one(folder, form, start):
    from blitzweb.pictures.apng import splice

    pngs = [make_png(bytes([0, *[shade] * 99] * 33), (33, 33)) for shade in (0, 90, 200)]
    (folder / "walkthrough.png").write_bytes(splice(pngs).data)
    assert make_video(str(folder), "walkthrough.png", form, 20) == ""
    assert (folder / f"walkthrough.{form}").read_bytes().startswith(start)
