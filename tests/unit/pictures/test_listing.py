"""`blitzweb walkthroughs`: newest first, and whatever else lies in the folder is none."""

from __future__ import annotations

import json

import pytest

from blitzweb.cli import main
from tests.support.covers import covers


def put(root, name, *, frames=1, story='{"steps": [{"url": "https://site.test/"}]}'):
    folder = root / name
    folder.mkdir(parents=True)
    for number in range(frames):
        (folder / f"{number + 1:03d}-click.png").write_bytes(b"")
    for other in ("walkthrough.png", "index.html"):
        (folder / other).write_bytes(b"")
    if story is not None:
        (folder / "walkthrough.json").write_text(story)


@covers("WEB-37")
def test_newest_first(tmp_path, capsys):
    root = tmp_path / "walkthroughs"
    for name in ("20260304-050607", "20260304-050607-2", "20260304-050607-10", "20251231-235959"):
        put(root, name)
    (root / "other").mkdir()
    (root / "20260101-000000").write_text("a file")
    assert main(["walkthroughs", "--json", "--state-dir", str(tmp_path)]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [one["folder"].rpartition("/")[2] for one in listed] == [
        "20260304-050607-10",
        "20260304-050607-2",
        "20260304-050607",
        "20251231-235959",
    ]
    assert listed[0] | {"folder": ""} == {
        "folder": "",
        "when": "2026-03-04 05:06:07",
        "frames": 1,
        "url": "https://site.test/",
    }


@covers("WEB-37")
@pytest.mark.parametrize("story", [None, "", "[]", '{"steps": []}', '{"steps": [null]}', "\xff"])
def test_one_without_a_story_is_listed_too(tmp_path, capsys, story):
    put(tmp_path / "walkthroughs", "20260304-050607", frames=3, story=story)
    assert main(["walkthroughs", f"--state-dir={tmp_path}"]) == 0
    assert capsys.readouterr().out == f"2026-03-04 05:06:07    3 frames  {tmp_path}/walkthroughs/20260304-050607\n"


def test_a_url_cannot_write_on_the_terminal(tmp_path, capsys):
    put(tmp_path / "walkthroughs", "20260304-050607", story=json.dumps({"steps": [{"url": "https://a\x1b[2J\n"}]}))
    main(["walkthroughs", "--state-dir", str(tmp_path)])
    assert capsys.readouterr().out.endswith("https://a�[2J�\n")


@covers("WEB-37")
def test_the_folder_of_the_settings(tmp_path, capsys):
    put(tmp_path / "mine", "20260304-050607")
    config = tmp_path / "config.toml"
    config.write_text(f'[walkthrough]\ndir = "{tmp_path}/mine"\n')
    assert main(["walkthroughs", "--config", str(config), "--state-dir", str(tmp_path)]) == 0
    assert f"{tmp_path}/mine/20260304-050607  https://site.test/" in capsys.readouterr().out


def test_none_and_what_cannot_be_read(tmp_path, capsys):
    assert main(["walkthroughs", "--state-dir", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"No walkthrough was recorded ({tmp_path}/walkthroughs).\n"
    (tmp_path / "walkthroughs").write_text("")
    assert main(["walkthroughs", "--state-dir", str(tmp_path)]) == 1
    assert "cannot be listed" in capsys.readouterr().err
    assert main(["walkthroughs", "--nonsense"]) == 3
