"""Walkthroughs on disk: their folder, what stands beside the frames, and what is said when something cannot be done."""

from __future__ import annotations

import json
import os
import shutil
import threading
import time

import pytest

from blitzweb.errors import ToolFailure
from blitzweb.pictures import beside
from blitzweb.pictures.step import Step
from blitzweb.pictures.walkthrough import Recording
from tests.support.covers import covers
from tests.support.png import make_png, read_apng

NOW = time.struct_time((2026, 3, 4, 5, 6, 7, 2, 63, 0))
OPEN = Step("navigate", "https://site.test/", "https://site.test/", "Home")
CLICK = Step("click", "text=Go", "https://site.test/go", "Went", point=(10.5, 20), refused=("ads.test: denied",))
FILES = ["index.html", "walkthrough.json", "walkthrough.png"]


def record(tmp_path, *frames, form=None):
    recording = Recording.start(str(tmp_path / "walkthroughs"), now=NOW, format=form)
    for step, png in frames:
        recording.add(step, png)
    return recording


@covers("WEB-37", "BROWSER-09")
def test_what_a_folder_holds(tmp_path):
    recording = record(tmp_path, (OPEN, make_png()), (CLICK, make_png()))
    finished = recording.finish()
    folder = tmp_path / "walkthroughs" / "20260304-050607"
    names = ["001-navigate.png", "002-click.png"]
    assert finished == (str(folder), tuple(str(folder / name) for name in names), 0, ())
    assert sorted(os.listdir(folder)) == [*names, *FILES]
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}
    assert (folder.stat().st_mode & 0o777, folder.parent.stat().st_mode & 0o777) == (0o700, 0o700)
    assert read_apng((folder / "walkthrough.png").read_bytes()).promised == 2
    story = json.loads((folder / "walkthrough.json").read_text())
    assert story["began"].startswith("2026-03-04T05:06:07")
    assert [step.pop("time") >= 0 for step in story["steps"]] == [True, True]
    assert story["steps"][1] == {
        "action": "click",
        "target": "text=Go",
        "text": None,
        "url": "https://site.test/go",
        "title": "Went",
        "frame": "002-click.png",
        "point": {"x": 10.5, "y": 20},
        "refused": ["ads.test: denied"],
    }


@covers("WEB-37")
def test_finishing_twice_changes_nothing(tmp_path):
    recording = record(tmp_path, (OPEN, make_png()))
    finished = recording.finish()
    shutil.rmtree(finished.folder)
    assert recording.finish() is finished
    assert not os.path.exists(finished.folder)


@covers("WEB-37")
def test_nothing_recorded(tmp_path):
    finished = record(tmp_path, form="gif").finish()
    assert (finished.frames, finished.troubles) == ((), ())
    assert sorted(os.listdir(finished.folder)) == FILES[:2]


@covers("WEB-37")
def test_frames_that_failed_are_counted_and_their_steps_told(tmp_path):
    finished = record(tmp_path, (OPEN, None), (CLICK, make_png())).finish()
    assert [os.path.basename(frame) for frame in finished.frames] == ["002-click.png"]
    assert finished.troubles == ("frames that could not be taken: 1",)
    with open(os.path.join(finished.folder, "walkthrough.json"), encoding="utf-8") as file:
        assert [step["frame"] for step in json.load(file)["steps"]] == [None, "002-click.png"]


@covers("WEB-37")
def test_frames_that_do_not_fit_are_said(tmp_path):
    frames = [(OPEN, make_png()), (CLICK, make_png(size=(3, 3))), (OPEN, make_png())]
    finished = record(tmp_path, *frames).finish()
    assert len(finished.frames) == 3
    (note,) = finished.notes
    assert "1 of 3 frames are not in walkthrough.png" in note


@covers("WEB-37")
def test_an_animation_has_a_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(beside, "MAX_ANIMATION_BYTES", 2 * len(make_png()))
    finished = record(tmp_path, *[(OPEN, make_png())] * 3).finish()
    assert "1 of 3 frames are not in walkthrough.png" in finished.notes[0]
    with open(os.path.join(finished.folder, "walkthrough.png"), "rb") as file:
        assert read_apng(file.read()).promised == 2


@covers("WEB-37")
def test_a_disk_that_fails_breaks_nothing(tmp_path):
    recording = record(tmp_path, (OPEN, make_png()))
    shutil.rmtree(recording.folder)
    with open(recording.folder, "wb"):
        pass  # a file is where the folder was: nothing can be written
    recording.add(CLICK, make_png())
    finished = recording.finish()
    assert finished.failed == 1
    assert [note.partition(" could")[0] for note in finished.notes[:2]] == ["walkthrough.json", "index.html"]
    assert "1 of 1 frames are not in walkthrough.png" in finished.notes[2]


@covers("WEB-37")
@pytest.mark.parametrize("name", FILES)
def test_one_file_that_cannot_be_written_is_said_and_the_others_are_there(tmp_path, name):
    recording = record(tmp_path, (OPEN, make_png()))
    os.mkdir(os.path.join(recording.folder, name))
    (note,) = recording.finish().notes
    assert note.startswith(f"{name} could not be written (")
    there = [one for one in FILES if os.path.isfile(os.path.join(recording.folder, one))]
    assert there == [one for one in FILES if one != name]
    assert not [one for one in os.listdir(recording.folder) if one.endswith(".tmp")]


@covers("WEB-37")
def test_two_recordings_of_one_second_get_two_folders(tmp_path):
    folders, ready = [], threading.Barrier(2)

    def start():
        ready.wait(5)
        folders.extend(Recording.start(str(tmp_path / "new"), now=NOW).folder for _ in range(20))

    threads = [threading.Thread(target=start) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    names = ["20260304-050607", *(f"20260304-050607-{number}" for number in range(2, 41))]
    assert sorted(map(os.path.basename, folders)) == sorted(names)


@covers("WEB-37")
def test_no_folder_is_an_error_that_says_where(tmp_path):
    (tmp_path / "walkthroughs").write_text("")
    with pytest.raises(ToolFailure, match="could not be made in"):
        record(tmp_path)
