from __future__ import annotations

import json
import stat

import pytest

from blitzweb.console.transcript import Entry, Recorder, read_transcript, settings_secrets
from blitzweb.errors import UsageError
from blitzweb.masking import Masker
from tests.support.covers import covers


def write(path, *lines):
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8")
    return path


def test_entries_are_read_with_their_line_numbers(tmp_path) -> None:
    path = write(
        tmp_path / "t.jsonl",
        {"comment": "about it"},
        {"from": "host", "message": {"id": 1}, "comment": "hello"},
        "",
        {"from": "host", "line": "{broken"},
        {"from": "daemon", "message": [None], "expect": {"result": "any"}},
        {"from": "daemon", "exit": 0},
    )
    assert read_transcript(path) == [
        Entry(number=2, sender="host", message={"id": 1}),
        Entry(number=4, sender="host", line="{broken"),
        Entry(number=5, sender="daemon", message=[None], expect={"result": "any"}),
        Entry(number=6, sender="daemon", exit=0),
    ]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "not JSON"),
        ([], "is an object"),
        ({}, '"from" is missing'),
        ({"from": "me", "message": 1}, '"host" or "daemon"'),
        ({"from": ["host"], "message": 1}, '"host" or "daemon"'),
        ({"from": "host"}, "is needed"),
        ({"from": "host", "message": 1, "line": ""}, "is needed"),
        ({"from": "host", "exit": 0}, "other side"),
        ({"from": "daemon", "line": "x"}, "other side"),
        ({"from": "host", "line": 5}, "is a text"),
        ({"from": "host", "message": 1, "mesage": 1}, '"mesage"'),
        ({"from": "daemon", "message": 1, "expect": []}, "places and rules"),
        ({"from": "daemon", "message": 1, "expect": {"a": "some"}}, '"some" is no rule'),
        ({"from": "daemon", "message": 1, "expect": {"a": ["any"]}}, "is no rule"),
    ],
)
def test_a_line_of_another_form_is_named(tmp_path, line, problem) -> None:
    path = write(tmp_path / "t.jsonl", {"from": "host", "message": 1}, line)
    with pytest.raises(UsageError, match="line 2") as caught:
        read_transcript(path)
    assert problem in caught.value.message


def test_a_missing_file_is_said(tmp_path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        read_transcript(tmp_path / "none")


@covers("AUDIT-04")
def test_what_is_recorded_is_masked_and_can_be_read_again(tmp_path) -> None:
    path = tmp_path / "t.jsonl"
    secrets = settings_secrets({"web": {"search_api_key": "hunter2hunter2", "max_bytes": 5}, "odd": 1})
    with Recorder(path, Masker(environ=secrets)) as recorder:
        recorder.observe("→", {"id": 1, "params": {"settings": {"search_api_key": "hunter2hunter2"}}})
        recorder.observe("←", {"id": 1, "result": ["Bearer abcdefghij"]})
        recorder.end(0)
    assert "hunter2" not in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_transcript(path) == [
        Entry(number=1, sender="host", message={"id": 1, "params": {"settings": {"search_api_key": "[REDACTED]"}}}),
        Entry(number=2, sender="daemon", message={"id": 1, "result": ["Bearer [REDACTED]"]}),
        Entry(number=3, sender="daemon", exit=0),
    ]


def test_no_file_is_overwritten(tmp_path) -> None:
    path = write(tmp_path / "t.jsonl", "mine")
    with pytest.raises(UsageError, match="holds something"):
        Recorder(path, Masker())
    assert path.read_text() == "mine"
    with pytest.raises(UsageError, match="cannot write"):
        Recorder(tmp_path / "no" / "folder", Masker())
